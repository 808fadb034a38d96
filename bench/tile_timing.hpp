#pragma once
// What benchmarks of marching tiles share: fields to compute with, the time of a stage, a row of
// their tables.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "core/types.hpp"
#include "exec/kernel_report.hpp"
#include "memory/state.hpp"

namespace watersmeet {

// Small waves in registers 0 and 2, of amplitude `size` for each of the variables; n cells.
inline void fill_with_waves(memory::State& state, const Index3& n, Precision precision,
                            const std::vector<double>& size, const Queue& queue) {
  std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  const auto store = [&]<class R>(int variable) {
    const std::vector<R> rounded(values.begin(), values.end());
    for (const int reg : {0, 2}) {
      memory::copy_interior_from_host(state, reg, 0, variable, rounded.data(), queue);
    }
  };
  for (std::size_t v = 0; v < size.size(); ++v) {
    std::size_t at = 0;
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i)
          values[at++] = size[v] * std::sin(0.1 * double(i) + 0.2 * double(j) + 0.15 * double(k));
    if (precision == Precision::double_) {
      store.template operator()<double>(int(v));
    } else {
      store.template operator()<float>(int(v));
    }
  }
}

// Times `once`, the launch of one stage of `cells` cells, and prints its row.
template <class R, class Tuning, class Once>
void time_tile(const char* ground, double cells, int repeats, const exec::KernelReport& r,
               const Queue& queue, const Once& once) {
  once();
  synchronize(queue);
  const auto begin = std::chrono::steady_clock::now();
  for (int n = 0; n < repeats; ++n) once();
  synchronize(queue);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf(
      "%s %-10s rows %2d blocks %d %-5s  %7.4f ms %6.2f G cell-stages/s %4d registers %3zu bytes "
      "local %2d warps %5.1f KiB\n",
      sizeof(R) == 8 ? "double" : "single", ground, Tuning::rows, Tuning::blocks,
      Tuning::split ? "split" : "", took.count() / repeats * 1e3,
      cells * repeats / took.count() * 1e-9, r.registers, r.local_bytes, r.warps_per_multiprocessor,
      double(r.shared_bytes) / 1024);
}

}  // namespace watersmeet
