#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/message.hpp"

namespace watersmeet::bench {

namespace {
// A ratio with its spread: "12.345 (12.3 %)".
constexpr std::size_t ratio_width = 15;
}  // namespace

BenchTable::BenchTable(std::string unit, const std::vector<BenchRow>& rows, std::string ratio,
                       bool compared)
    : unit_(std::move(unit)), ratio_(std::move(ratio)), compared_(compared) {
  for (const BenchRow& row : rows) {
    const std::vector<systems::BenchLabel>& labels = row.variant.labels;
    widths_.resize(std::max(widths_.size(), labels.size()), 0);
    for (std::size_t l = 0; l < labels.size(); ++l) {
      widths_[l] = std::max({widths_[l], labels[l].first.size(), labels[l].second.size()});
    }
  }
}

std::string BenchTable::heading(const BenchResult& result) const {
  std::string text = fmt::format("{:<16} {:<6}", "grid", "prec.");
  const std::vector<systems::BenchLabel>& labels = result.row.variant.labels;
  for (std::size_t l = 0; l < labels.size(); ++l)
    text += fmt::format(" {:<{}}", labels[l].first, widths_[l]);
  text += fmt::format(" {:<16} {:>9} {:>9} {:>8}", "kernel", "Gupd./s", "ns/" + unit_, "ns/rhs");
  if (with_flops_) text += fmt::format(" {:>8}", "Gflop/s");
  text += fmt::format(" {:>8} {:>7}  {:>4} {:>8} {:>5}", "of floor", "spread", "regs", "shared",
                      "warps");
  if (!ratio_.empty())
    text += fmt::format("  {:>{}}", ratio_, std::max(ratio_.size(), ratio_width));
  return text + (compared_ ? "   against before\n" : "\n");
}

std::string BenchTable::row(const BenchResult& r, std::optional<double> earlier_ns) {
  std::string text;
  if (!begun_) {
    with_flops_ = r.flops_per_point_rhs > 0;
    text = heading(r);
    begun_ = true;
  }
  text += fmt::format("{:<16} {:<6}", cells_text(r.row.cells), r.row.variant.precision);
  const std::vector<systems::BenchLabel>& labels = r.row.variant.labels;
  for (std::size_t l = 0; l < labels.size(); ++l)
    text += fmt::format(" {:<{}}", labels[l].second, widths_[l]);
  text += fmt::format(" {:<16} {:>9.3f} {:>9.4f} {:>8.4f}", r.kernel.name,
                      1.0 / r.ns_per_point_step, r.ns_per_point_step, r.ns_per_point_rhs());
  if (with_flops_) text += fmt::format(" {:>8.1f}", r.gigaflops());
  text +=
      fmt::format(" {:>6.1f} % {:>5.1f} %  {:>4} {:>8} {:>5}",
                  100 * r.floor_ns / r.ns_per_point_step, 100 * r.spread, r.kernel.registers,
                  io::bytes_text(double(r.kernel.shared_bytes)), r.kernel.warps_per_multiprocessor);
  if (!ratio_.empty()) {
    const std::string ratio =
        r.ratio ? fmt::format("{:.3f} ({:.1f} %)", r.ratio->median, 100 * r.ratio->spread) : "-";
    text += fmt::format("  {:>{}}", ratio, std::max(ratio_.size(), ratio_width));
  }
  if (earlier_ns)
    text += fmt::format("   {:+.1f} %", 100 * (*earlier_ns / r.ns_per_point_step - 1));
  return text + "\n";
}

std::string BenchTable::without(const BenchRow& row, const std::string& reason) const {
  std::string text = cells_text(row.cells) + " " + row.variant.precision;
  for (const systems::BenchLabel& label : row.variant.labels) text += " " + label.second;
  return text + ": " + reason + "\n";
}

}  // namespace watersmeet::bench
