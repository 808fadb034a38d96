#pragma once
// What one pass of source terms (exec/source_terms.hpp) is given, for the CPU and for kernels compiled while the program runs: it includes
// what these can see alone.

#include <cstdint>

#include "core/host_device.hpp"
#include "core/math.hpp"

namespace watersmeet::exec {

// The update of a stage as the pass needs it.
struct SourceRule {
  double fraction = 0;  // of dt, after which the stage reads
  double b = 0;         // factor of dt times the rate in `out`
  bool adams_bashforth = false, history = false, writes_increment = false;
  bool rates = false;  // the rates alone go to `out`, in a step that is not active too
};

// The same with what the clock knows.
struct SourceStep {
  double t = 0, dt = 0;                 // at which the stage reads; of the step
  double to_out = 0, to_increment = 0;  // factors of the rates
};

WM_HD SourceStep source_step(const SourceRule& rule, double t, double dt, double dt_before) {
  SourceStep step;
  step.dt = dt;
  step.t = fma_(rule.fraction, dt, t);
  const double ratio = dt_before > 0 ? dt / dt_before : 0.0;
  step.to_out = (rule.adams_bashforth ? 1.0 + 0.5 * ratio : rule.b) * dt;
  if (rule.rates) step.to_out = 1;
  step.to_increment = rule.history ? 1.0 : dt;
  return step;
}

// For values at sides, which are those of the solution at a fraction of the step, or of the one between two steps: in a step that is not
// active, and before the first, at t. Its end is what the next step begins at, to the last bit.
WM_HD SourceStep side_step(const SourceRule& rule, double t, double dt, double t_end,
                           bool pending) {
  SourceStep step;
  step.dt = pending ? dt : 0.0;
  step.t = pending && rule.fraction == 1 ? t_end : fma_(rule.fraction, step.dt, t);
  step.to_out = 1;
  return step;
}

// The signal of a step whose solution is not finite.
constexpr std::uint64_t not_a_signal = 0x7ff8000000000000ull;

// Arguments of a kernel; pointers lead to the device.
struct SourcePass {
  // Registers, at the cell (0, 0, 0) of their first variable.
  const void* in = nullptr;
  const void* extra = nullptr;
  void* out = nullptr;
  void* increment = nullptr;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  int lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};  // cells
  std::int64_t first[3] = {0, 0, 0};  // the cell of the part that is cell (0, 0, 0) of the launch
  SourceRule rule;
  // Used where values of sides are computed: they go to a table in place of `out`.
  std::int64_t side_stride[3] = {0, 0, 0}, table = 0;
  // Members of the clock.
  const double* t = nullptr;
  const double* dt = nullptr;
  const double* dt_before = nullptr;
  const double* t_end = nullptr;
  const int* active = nullptr;
  const int* pending = nullptr;
  std::uint64_t* signal_bits = nullptr;
};

// Threads of a block: along a row, and over rows.
constexpr int source_columns = 32, source_rows = 4;

}  // namespace watersmeet::exec
