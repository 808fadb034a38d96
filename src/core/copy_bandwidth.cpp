#include "core/copy_bandwidth.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>

#include "core/host_seconds.hpp"

namespace watersmeet {

namespace {
// A copy takes some hundred microseconds at least: threads that begin late do not count.
constexpr std::size_t smallest_copy = std::size_t{1} << 22;
}  // namespace

double measure_host_copy_bandwidth(int threads, std::size_t bytes) {
  const auto n = static_cast<std::int64_t>(std::max(bytes, smallest_copy) / sizeof(double));
  // Not initialised here: the pages belong to the memory next to the threads that touch them first.
  const std::unique_ptr<double[]> from(new double[static_cast<std::size_t>(n)]);
  const std::unique_ptr<double[]> to(new double[static_cast<std::size_t>(n)]);
  double* const a = from.get();
  double* const b = to.get();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] = 1e-3 * double(i);
  std::array<double, 5> seconds{};
  for (int repeat = -1; repeat < 5; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::int64_t i = 0; i < n; ++i) b[i] = a[i];
    const double elapsed = seconds_since(begin);
    if (repeat >= 0) seconds[static_cast<std::size_t>(repeat)] = elapsed;
  }
  std::sort(seconds.begin(), seconds.end());
  return 2.0 * double(n) * sizeof(double) / seconds[2];
}

}  // namespace watersmeet
