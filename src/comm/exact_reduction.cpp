// The two passes of an exact reduction: first all ranks agree on the largest magnitudes, which set
// the scales; then values are added as integers, whose sum does not depend on the order.
#include "comm/exact_reduction.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace watersmeet::comm {

void reduce_exactly(
    Communicator& world, int sums, int maxima, std::int64_t cells_of_all,
    const std::function<void(double* largest)>& measure,
    const std::function<void(const exec::SumScale* scales, std::int64_t* high_low)>& count,
    double* results) {
  require(cells_of_all > 0 && cells_of_all <= std::int64_t{1} << 52,
          "exact sums need between 1 and 2^52 cells");
  const std::size_t n = static_cast<std::size_t>(sums), all = n + static_cast<std::size_t>(maxima);
  for (std::size_t v = 0; v < all; ++v) {
    results[v] = v < n ? 0.0 : -std::numeric_limits<double>::infinity();
  }
  measure(results);
  world.all_reduce_max(std::span<double>(results, all));
  if (n == 0) return;
  std::vector<exec::SumScale> scales;
  for (std::size_t v = 0; v < n; ++v) {
    scales.push_back(exec::make_sum_scale(results[v], cells_of_all));
  }
  std::vector<std::int64_t> high_low(2 * n, 0);
  count(scales.data(), high_low.data());
  for (std::size_t v = 0; v < n; ++v) {
    // Without a scale the integers mean nothing; the sum becomes NaN.
    if (!std::isfinite(results[v])) high_low[2 * v] = high_low[2 * v + 1] = 0;
  }
  world.all_reduce_sum(std::span<std::int64_t>(high_low));
  for (std::size_t v = 0; v < n; ++v) {
    results[v] = exec::sum_of(scales[v], high_low[2 * v], high_low[2 * v + 1]);
  }
}

}  // namespace watersmeet::comm
