#pragma once
// What the pass of source terms does in some cells, for CPU and CUDA (exec/source_terms.hpp). The multiply-adds are written as such, so that
// both have the same bits as far as their functions of mathematics have.

#include "exec/source_terms.hpp"

namespace watersmeet::exec {

// The update of a launch as the pass needs it; all in double.
struct SourceStep {
  double t = 0, dt = 0;                 // at which the stage reads; of the step
  double to_out = 0, to_increment = 0;  // factors of the rates
  bool writes_increment = false;
};

WM_HD SourceStep source_step(const SourceTerms& s, const StageUpdate<double>& update,
                             const Clock& clock) {
  SourceStep step;
  step.dt = clock.dt;
  step.t = fma_(s.fraction, clock.dt, clock.t);
  const double ratio = clock.dt_before > 0 ? clock.dt / clock.dt_before : 0.0;
  step.to_out = (update.adams_bashforth ? 1.0 + 0.5 * ratio : update.b) * clock.dt;
  const bool history = update.form == UpdateForm::history;
  step.to_increment = history ? 1.0 : clock.dt;
  step.writes_increment = (history || update.form == UpdateForm::stored) && update.write_increment;
  return step;
}

WM_HD double source_scalar(const SourceTerms& s, const SourceStep& step, int number) {
  const SourceProgram program = s.scalars[number];
  const auto load = [&](int input, double(&to)[1]) {
    to[0] = s.inputs[input].kind == SourceInput::Kind::time ? step.t : step.dt;
  };
  double value[1];
  run_program<1>(s.code + program.first, program.count, load, value, s.tables);
  return value[0];
}

// Cells that go through each instruction together. cells.has(l) tells whether there is a cell l, cells.at(l, a) its index along axis a of the
// launch. Returns whether all values that it wrote are finite.
template <int width, class R, class Cells>
WM_HD bool add_to_cells(const SourceTerms& s, const CellArrays<R>& a, const SourceStep& step,
                        const double* scalars, const Cells& cells) {
  const auto offset = [&](int l) {
    return cells.at(l, 0) + cells.at(l, 1) * a.stride_j + cells.at(l, 2) * a.stride_k;
  };
  const auto load = [&](int number, double(&to)[width]) {
    const SourceInput& input = s.inputs[number];
    const bool extra = input.kind == SourceInput::Kind::extra;
    if (extra || input.kind == SourceInput::Kind::variable) {
      const R* const from = extra ? a.extra : a.in + input.variable * a.stride_var;
      for (int l = 0; l < width; ++l) to[l] = cells.has(l) ? double(from[offset(l)]) : 0.0;
    } else if (input.kind == SourceInput::Kind::mean) {
      const R* const from = a.in + input.variable * a.stride_var;
      const std::int64_t stride[3] = {1, a.stride_j, a.stride_k};
      std::int64_t shift[4] = {0, 0, 0, 0};
      int n = 1;
      for (int axis = 0; axis < 3; ++axis) {
        if (input.reach[axis] == 0) continue;
        for (int m = 0; m < n; ++m) shift[n + m] = shift[m] + input.reach[axis] * stride[axis];
        n *= 2;
      }
      for (int l = 0; l < width; ++l) {
        double sum = 0;
        for (int m = 0; m < n; ++m)
          sum = sum + (cells.has(l) ? double(from[offset(l) + shift[m]]) : 0.0);
        to[l] = sum / n;
      }
    } else if (input.kind == SourceInput::Kind::place) {
      for (int l = 0; l < width; ++l) {
        std::int64_t at = 0;
        for (int axis = 0; axis < 3; ++axis)
          at += (cells.at(l, axis) + s.first[axis]) * input.stride[axis];
        to[l] = cells.has(l) ? input.values[at] : 0.0;
      }
    } else {
      const double value = input.kind == SourceInput::Kind::time   ? step.t
                           : input.kind == SourceInput::Kind::step ? step.dt
                                                                   : scalars[input.variable];
      for (int l = 0; l < width; ++l) to[l] = value;
    }
  };
  bool finite = true;
  for (int p = 0; p < s.n_programs; ++p) {
    const SourceProgram program = s.programs[p];
    double rate[width];
    run_program<width>(s.code + program.first, program.count, load, rate, s.tables);
    const std::int64_t start = program.variable * a.stride_var;
    for (int l = 0; l < width; ++l) {
      if (!cells.has(l)) continue;
      R* const out = a.out + start + offset(l);
      const R value = R(fma_(step.to_out, rate[l], double(*out)));
      *out = value;
      finite = finite && value - value == R(0);
      if (step.writes_increment) {
        R* const increment = a.increment + start + offset(l);
        *increment = R(fma_(step.to_increment, rate[l], double(*increment)));
      }
    }
  }
  return finite;
}

// The signal of a step whose solution is not finite.
constexpr std::uint64_t not_a_signal = 0x7ff8000000000000ull;

}  // namespace watersmeet::exec
