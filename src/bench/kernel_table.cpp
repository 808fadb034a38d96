#include "bench/kernel_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace watersmeet::bench {

namespace {

struct Columns {
  bool flops, peak;
};

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string title_of(const BenchResult& r) {
  std::string text = cells_text(r.row.cells) + " " + r.row.variant.precision;
  for (const systems::BenchLabel& label : r.row.variant.labels) text += " " + label.second;
  return text;
}

std::string heading(std::size_t width, const Columns& with, const std::string& unit) {
  std::string text = fmt::format("  {:<{}} {:>8} {:>10} {:>8} {:>7}", "kernel", width, "launches",
                                 "ms", "of step", "B/" + unit);
  if (with.flops) text += fmt::format(" {:>9} {:>7}", "flop/" + unit, "flop/B");
  text += fmt::format(" {:>7} {:>7}", "GB/s", "of copy");
  if (with.flops) text += fmt::format(" {:>8}", "Gflop/s");
  if (with.peak) text += fmt::format(" {:>7} {:>11}", "of peak", "of roofline");
  return text + "\n";
}

// `k.seconds` of one launch, of which `points` points are worked on.
std::string line(const exec::KernelTime& k, double share, const Roofline& roofline, double points,
                 std::size_t width, const Columns& with) {
  std::string text = fmt::format("  {:<{}} {:>8g} {:>10.4f} {:>8}", k.name, width, k.launches,
                                 k.seconds * 1e3, percent(share));
  const auto column = [&](bool known, int wide, const std::string& value) {
    text += fmt::format(" {:>{}}", known ? value : "-", wide);
  };
  const bool moves = k.bytes > 0 && k.seconds > 0, computes = k.flops > 0 && k.seconds > 0;
  column(moves, 7, fmt::format("{:.1f}", k.bytes / points));
  if (with.flops) {
    column(computes, 9, fmt::format("{:.1f}", k.flops / points));
    column(computes && moves, 7, fmt::format("{:.2f}", k.flops / k.bytes));
  }
  column(moves, 7, fmt::format("{:.1f}", k.bytes / k.seconds * 1e-9));
  column(moves && roofline.bandwidth > 0, 7, percent(k.bytes / k.seconds / roofline.bandwidth));
  if (with.flops) column(computes, 8, fmt::format("{:.1f}", k.flops / k.seconds * 1e-9));
  if (with.peak) {
    column(computes, 7, percent(k.flops / k.seconds / roofline.peak));
    column(moves || computes, 11, percent(roofline.seconds(k.bytes, k.flops) / k.seconds));
  }
  while (text.back() == ' ') text.pop_back();
  return text + "\n";
}

}  // namespace

std::string kernel_table(const BenchResult& r, const std::string& unit) {
  if (r.split.empty()) return "";
  const double step = r.ms_per_step() * 1e-3, points = r.points_of_first_rank();
  exec::KernelTime all = sum_of(r.split);
  const Columns with{all.flops > 0, all.flops > 0 && r.roofline.complete()};
  std::size_t width = 20;
  for (const exec::KernelTime& k : r.split) width = std::max(width, k.name.size());

  std::string text = title_of(r) + "\n" + heading(width, with, unit);
  for (const exec::KernelTime& k : r.split) {
    text += line(k, k.launches * k.seconds / step, r.roofline, points, width, with);
  }
  text += fmt::format("  {:<{}} {:>8} {:>10.4f} {:>8}\n", "beside them", width, "",
                      (step - all.seconds) * 1e3, percent(1 - all.seconds / step));
  // As a whole: of one stage, so that bytes and operations are those of a right-hand side.
  all.name = "a right-hand side";
  all.launches = r.stages;
  all.seconds = step / r.stages;
  all.bytes /= r.stages;
  all.flops /= r.stages;
  return text + line(all, 1, r.roofline, points, width, with);
}

}  // namespace watersmeet::bench
