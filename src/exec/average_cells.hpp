#pragma once
// What a weighing and a sample do, for CPU and CUDA (exec/average.hpp). Multiply-adds are written as such, so that both have the same bits
// as far as their functions of mathematics have.

#include "exec/average.hpp"

namespace watersmeet::exec {

WM_HD void weigh_step(Weighing kind, const Clock* clock, AverageRecord& r) {
  r.weight = 0;
  if (kind != Weighing::close && !clock->active) return;  // the state stays what it is
  const double after = kind == Weighing::close ? 0.0 : clock->dt;
  const double weight = kind == Weighing::pass ? 0.0 : 0.5 * (r.pending + after);
  r.pending = after;
  if (!(weight > 0)) return;
  const double total = r.total + weight;
  r.weight = weight;
  r.mean_factor = weight / total;
  r.moment_factor = weight * (r.total / total);
  r.total = total;
  r.samples += 1;
}

// Cells first .. first + n - 1, n at most `width`, which go through each instruction together.
template <int width, class R>
WM_HD void add_cells(const AverageSums& s, const AverageRecord& r, std::int64_t first, int n) {
  double deviation[most_averaged][width];
  const auto load = [&](int input, double(&to)[width]) {
    load_input<R>(s.inputs[input], first, n, to);
  };
  for (int e = 0; e < s.expressions; ++e) {
    double value[width];
    run_program<width>(s.code + s.programs[e].first, s.programs[e].count, load, value);
    double* const mean = s.means + e * s.cells + first;
    for (int l = 0; l < n; ++l) {
      const double before = mean[l];
      const double d = value[l] - before;
      mean[l] = fma_(r.mean_factor, d, before);
      deviation[e][l] = d;
    }
  }
  for (int p = 0; p < s.n_pairs; ++p) {
    const AveragePair pair = s.pairs[p];
    double* const moment = s.moments + p * s.cells + first;
    for (int l = 0; l < n; ++l)
      moment[l] = fma_(r.moment_factor * deviation[pair.a][l], deviation[pair.b][l], moment[l]);
  }
}

}  // namespace watersmeet::exec
