// Source terms on the CPU, and the choice of back end. The multiply-adds are written as such, so that a GPU has the same bits as far as its
// functions of mathematics have.
#include <algorithm>

#include "exec/source_pass.hpp"
#include "exec/source_terms.hpp"

namespace watersmeet::exec {
namespace {

// Cells that go through an instruction together: their stack fits the first cache.
constexpr int chunk = 32;
constexpr std::int64_t least_parallel = 4096;  // cells

SourceRule rule_of(const StageUpdate<double>& update, double fraction, bool rates) {
  SourceRule rule;
  rule.rates = rates;
  rule.fraction = fraction;
  rule.b = update.b;
  rule.adams_bashforth = update.adams_bashforth;
  rule.history = update.form == UpdateForm::history;
  rule.writes_increment =
      (rule.history || update.form == UpdateForm::stored) && update.write_increment && !rates;
  return rule;
}

SourceRule early_rule_of(const StageUpdate<double>& update, double fraction) {
  SourceRule rule;
  rule.fraction = fraction;
  rule.b = 1 / update.a;
  return rule;
}

double scalar_of(const SourceTerms& s, const SourceStep& step, const SourceProgram& program) {
  const auto load = [&](int number, double(&to)[1]) {
    const SourceInput& input = s.inputs[static_cast<std::size_t>(number)];
    to[0] = input.kind == SourceInput::Kind::time ? step.t : step.dt;
  };
  double value[1];
  run_program<1>(s.code.data() + program.first, program.count, load, value, s.tables.data());
  return value[0];
}

// In n cells of a row from (i, j, k) on, at most `chunk`. Returns whether all values that it wrote are finite.
template <class R>
bool add_to_cells(const SourceTerms& s, const CellArrays<R>& a, const SourceStep& step,
                  const SourceRule& rule, const double* scalars, const Index3& first,
                  const Index3& at, int n, const SideValues* side) {
  const std::int64_t offset = at[0] + at[1] * a.stride_j + at[2] * a.stride_k;
  const auto load = [&](int number, double(&to)[chunk]) {
    const SourceInput& input = s.inputs[static_cast<std::size_t>(number)];
    switch (input.kind) {
      case SourceInput::Kind::variable:
      case SourceInput::Kind::extra: {
        const bool extra = input.kind == SourceInput::Kind::extra;
        const R* const from = (extra ? a.extra : a.in + input.variable * a.stride_var) + offset;
        for (int l = 0; l < n; ++l) to[l] = double(from[l]);
        break;
      }
      case SourceInput::Kind::mean: {
        const R* const from = a.in + input.variable * a.stride_var + offset;
        const std::int64_t stride[3] = {1, a.stride_j, a.stride_k};
        std::int64_t shift[4] = {0, 0, 0, 0};
        int count = 1;
        for (int axis = 0; axis < 3; ++axis) {
          if (input.reach[axis] == 0) continue;
          for (int m = 0; m < count; ++m)
            shift[count + m] = shift[m] + input.reach[axis] * stride[axis];
          count *= 2;
        }
        for (int l = 0; l < n; ++l) {
          double sum = 0;
          for (int m = 0; m < count; ++m) sum = sum + double(from[l + shift[m]]);
          to[l] = sum / count;
        }
        break;
      }
      case SourceInput::Kind::place: {
        const double* from = input.values;
        for (std::size_t axis = 0; axis < 3; ++axis)
          from += (at[axis] + first[axis]) * input.stride[axis];
        for (int l = 0; l < n; ++l) to[l] = from[l * input.stride[0]];
        break;
      }
      case SourceInput::Kind::time:
      case SourceInput::Kind::step:
      case SourceInput::Kind::scalar: {
        const double value = input.kind == SourceInput::Kind::time   ? step.t
                             : input.kind == SourceInput::Kind::step ? step.dt
                                                                     : scalars[input.variable];
        for (int l = 0; l < chunk; ++l) to[l] = value;
        return;
      }
    }
    for (int l = n; l < chunk; ++l) to[l] = 0;
  };
  bool finite = true;
  for (const SourceProgram& program : s.programs) {
    double rate[chunk];
    run_program<chunk>(s.code.data() + program.first, program.count, load, rate, s.tables.data());
    if (side) {
      R* out = static_cast<R*>(side->start) + program.variable * side->table;
      for (std::size_t axis = 0; axis < 3; ++axis) out += at[axis] * side->stride[axis];
      for (int l = 0; l < n; ++l, out += side->stride[0]) {
        *out = R(rate[l]);
        finite = finite && *out - *out == R(0);
      }
      continue;
    }
    const std::int64_t start = program.variable * a.stride_var + offset;
    for (int l = 0; l < n; ++l) {
      R& out = a.out[start + l];
      out = R(fma_(step.to_out, rate[l], rule.rates ? 0.0 : double(out)));
      finite = finite && out - out == R(0);
    }
    for (int l = 0; rule.writes_increment && l < n; ++l) {
      R& increment = a.increment[start + l];
      increment = R(fma_(step.to_increment, rate[l], double(increment)));
    }
  }
  return finite;
}

template <class R>
void pass_cpu(const SourceTerms& s, const Launch& l, const Index3& first, const SourceRule& rule,
              const SideValues* side) {
  const CellArrays<R> a = arrays_of<R>(l);
  const Clock& c = *l.clock;
  const SourceStep step = side ? side_step(rule, c.t, c.dt, c.t_end, c.pending != 0)
                               : source_step(rule, c.t, c.dt, c.dt_before);
  double scalars[most_source_scalars];
  for (std::size_t n = 0; n < s.scalars.size(); ++n) scalars[n] = scalar_of(s, step, s.scalars[n]);
  const Box& box = l.box;
  bool finite = true;
#pragma omp parallel for collapse(3) num_threads(l.queue.threads) schedule(static) reduction(&& : finite) if (box.count() > least_parallel)
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; i += chunk) {
        const auto n = static_cast<int>(std::min<std::int64_t>(chunk, box.upper[0] - i));
        const bool good = add_to_cells(s, a, step, rule, scalars, first, Index3{i, j, k}, n, side);
        finite = finite && good;
      }
    }
  }
  if (!finite) l.clock->signal_bits = std::max(l.clock->signal_bits, not_a_signal);
}

// The pass of a launch on the device; all pointers stay there.
template <class R>
SourcePass pass_of(const Launch& l, const Index3& first, const SourceRule& rule,
                   const SideValues* side) {
  const CellArrays<R> a = arrays_of<R>(l);
  SourcePass pass;
  pass.in = a.in;
  pass.extra = a.extra;
  pass.out = a.out;
  pass.increment = a.increment;
  pass.stride_j = a.stride_j;
  pass.stride_k = a.stride_k;
  pass.stride_var = a.stride_var;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    pass.lower[axis] = a.lower[axis];
    pass.upper[axis] = a.upper[axis];
    pass.first[axis] = first[axis];
  }
  pass.rule = rule;
  if (side) {
    pass.out = side->start;
    std::copy(std::begin(side->stride), std::end(side->stride), pass.side_stride);
    pass.table = side->table;
  }
  pass.t = &l.clock->t;
  pass.dt = &l.clock->dt;
  pass.dt_before = &l.clock->dt_before;
  pass.t_end = &l.clock->t_end;
  pass.active = &l.clock->active;
  pass.pending = &l.clock->pending;
  pass.signal_bits = &l.clock->signal_bits;
  return pass;
}

void pass(const SourceTerms& terms, const Launch& launch, const Index3& first,
          const SourceRule& rule, const SideValues* side = nullptr) {
  if (launch.box.empty() || terms.programs.empty()) return;
  const bool single = terms.precision == Precision::single_;
  if (launch.queue.backend == Backend::cuda) {
    return detail::add_sources_cuda(*terms.kernel,
                                    single ? pass_of<float>(launch, first, rule, side)
                                           : pass_of<double>(launch, first, rule, side),
                                    launch.queue);
  }
  if (!launch.clock->active && !rule.rates) return;
  if (single) {
    pass_cpu<float>(terms, launch, first, rule, side);
  } else {
    pass_cpu<double>(terms, launch, first, rule, side);
  }
}

}  // namespace

void compile_sources(SourceTerms& terms, const Queue& queue) {
  if (queue.backend == Backend::cuda) terms.kernel = detail::compile_sources_cuda(terms);
}

void add_sources(const SourceTerms& terms, const Launch& launch, const Index3& first,
                 double fraction) {
  pass(terms, launch, first, rule_of(launch.update, fraction, false));
}

void add_sources_early(const SourceTerms& terms, const Launch& launch, const Index3& first,
                       double fraction) {
  Launch to_increment = launch;
  to_increment.registers.out = launch.registers.increment;
  pass(terms, to_increment, first, early_rule_of(launch.update, fraction));
}

void write_sources(const SourceTerms& terms, const Launch& launch, const Index3& first,
                   double fraction) {
  pass(terms, launch, first, rule_of(launch.update, fraction, true));
}

void write_side_values(const SourceTerms& terms, const Launch& launch, const Index3& first,
                       double fraction, const SideValues& to) {
  SourceRule rule;
  rule.rates = true;
  rule.fraction = fraction;
  pass(terms, launch, first, rule, &to);
}

}  // namespace watersmeet::exec
