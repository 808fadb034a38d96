#include "bench/published.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace watersmeet::bench {

namespace {
// A number with three figures, or a dash.
std::string cell_of(double value) {
  if (!(value > 0)) return "-";
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}
}  // namespace

std::string published_table(const systems::Published& published,
                            const std::vector<BenchResult>& results, bool on_gpu,
                            const EarlierResults& earlier) {
  std::string text;
  for (const systems::PublishedRow& row : published.rows) {
    std::vector<std::string> done;
    for (const BenchResult& r : results) {
      if (r.row.cells != row.cells || r.row.variant.precision != published.precision) continue;
      const std::string method = r.row.variant.label(published.label);
      if (std::find(done.begin(), done.end(), method) != done.end()) continue;
      done.push_back(method);
      // The fastest one of several schedules.
      double mine = r.ms_per_step();
      for (const BenchResult& other : results) {
        if (other.row.cells == row.cells && other.row.variant.precision == published.precision &&
            other.row.variant.label(published.label) == method) {
          mine = std::min(mine, other.ms_per_step());
        }
      }
      const double other =
          earlier.fastest_ns(row.cells, published.precision, published.label, method).value_or(0) *
          r.points * 1e-6;
      const double cpu = on_gpu ? other : mine, gpu = on_gpu ? mine : other;
      text += fmt::format("{:<16} {:<8} {:>10} {:>10} {:>8} {:>12} {:>10} {:>8}\n",
                          cells_text(row.cells), method, cell_of(cpu), cell_of(gpu),
                          cell_of(gpu > 0 ? cpu / gpu : 0), cell_of(row.cpu_ms),
                          cell_of(row.gpu_ms), cell_of(row.cpu_ms / row.gpu_ms));
    }
  }
  if (text.empty()) return text;
  return fmt::format(
             "{}, ms a step, {} precision\n{:<16} {:<8} {:>10} {:>10} {:>8} {:>12} {:>10} "
             "{:>8}\n",
             published.title, published.precision, "grid", published.label, "CPU", "GPU", "ratio",
             "theirs: CPU", "GPU", "ratio") +
         text;
}

}  // namespace watersmeet::bench
