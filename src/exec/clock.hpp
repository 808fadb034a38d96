#pragma once
// Time and time step, kept on the device. A step begins with begin_step(), which reads the
// largest signal that the last stage of the step before reduced, tests it, and sets dt; all later
// work of the step reads dt from here, so the host never has to wait and looks at the record of the
// step before while this one runs. A step that must not happen (time limit reached, state not
// finite) is marked inactive: its kernels return at once and leave the state as it is.

#include <cstdint>

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "exec/exact_sum.hpp"

namespace watersmeet::exec {

// converged: set by systems that look for a steady state.
enum class ClockStatus : int {
  running = 0,
  limit_reached = 1,
  not_finite = 2,
  step_too_small = 3,
  converged = 4
};

// dt = 1 / sqrt( (signal / cfl)^2 + rate^2 ), at most `longest`; or `fixed` if positive.
struct StepRule {
  double cfl =
      0.9;  // on the largest signal (advection and sound, summed over directions, in 1/time)
  double rate = 0.0;     // viscous and hyperviscous part, limits included, in 1/time
  double fixed = 0.0;    // prescribed dt
  double longest = 0.0;  // none when 0
  // Two steps before a time limit share what is left evenly: a multistep scheme weighs the step
  // before by the ratio of both, which a last short step would make huge in the next one.
  bool even = false;
};

struct Clock {
  std::int64_t step = 0;   // completed steps
  double t = 0.0;          // time at the beginning of the current step
  double dt = 0.0;         // of the current step
  double dt_before = 0.0;  // of the last completed step whose right-hand side is kept; 0: none is
  double t_end = 0.0;      // time at its end
  double signal = 0.0;     // largest signal of the state at its beginning
  std::uint64_t signal_bits =
      0;  // bit pattern of the running maximum (all signals are >= 0 or NaN, so that the order
          // of the patterns is the order of the values, NaN above all)
  std::uint64_t stop_bits = 0;  // stop request of a rank, beside signal_bits: both are reduced over
                                // the ranks as one pair before the next step
  std::uint64_t stop = 0;       // the same once all ranks know it; the largest request counts
  double work = 0.0;            // per unit mass done by kicks since the start, mean over the cells
  std::int64_t work_units = 0;  // of the current step: the work of every cell rounded to a whole
                                // number of units, so that the order of adding does not matter
  double work_scale = 0.0;      // units in a work of 1, a power of two; set after begin_step() by a
                                // system that kicks, else 0
  double work_unit = 0.0;       // mean work over all cells that one unit stands for
  std::int64_t events = 0;      // rare events of all steps that kernels count, on this rank: edges
                                // that fell back
  int active = 0;               // 1: the current step is carried out
  int pending = 0;              // 1: a step was carried out and is not yet counted
  ClockStatus status = ClockStatus::running;
};

// Units of a cell's work, modulo 2^64, ties to even. 0 without a kick, and when the work is not a
// number or 2048 times what the unit was made for (such a state ends the run by its signal). The
// scale is a power of two, so that fusing the multiplication with the addition changes nothing.
WM_HD std::uint64_t work_units_of(double work, double scale) {
  constexpr double limit = 2251799813685248.0;  // 2^51
  const double units = work * scale;
  const double counted = units > -limit && units < limit ? units : 0.0;
  return bits_of(counted + round_magic) - round_magic_bits;
}

WM_HD double bits_to_double(std::uint64_t bits) { return double_of(bits); }
WM_HD std::uint64_t double_to_bits(double value) {
  return bits_of(value) & 0x7fffffffffffffffull;  // drop the sign of a NaN
}

// Closes the step before and opens the next one, unless the time limit is reached or the state is
// not finite. The last step before `t_limit` is shortened to hit it exactly.
WM_HD void begin_step(Clock& c, const StepRule& rule, double t_limit, bool allowed) {
  if (c.pending) {
    c.step += 1;
    c.t = c.t_end;
    c.dt_before = c.dt;
    c.pending = 0;
    c.signal = bits_to_double(c.signal_bits);
    c.work += static_cast<double>(c.work_units) * c.work_unit;
    c.work_units = 0;
  }
  c.stop = c.stop_bits;
  c.active = 0;
  if (!(c.signal <= 1.7e308)) {
    c.status = ClockStatus::not_finite;
    return;
  }
  if (c.t >= t_limit) {
    c.status = ClockStatus::limit_reached;
    return;
  }
  const double advective = c.signal / rule.cfl;
  double dt =
      rule.fixed > 0.0 ? rule.fixed : 1.0 / sqrt(advective * advective + rule.rate * rule.rate);
  if (rule.longest > 0.0 && !(rule.fixed > 0.0) && dt > rule.longest) dt = rule.longest;
  if (!(c.t + dt > c.t)) {
    c.status = ClockStatus::step_too_small;
    return;
  }
  const double left = t_limit - c.t;
  if (rule.even && left > (1.0 + 1e-9) * dt && left < (2.0 - 1e-9) * dt) dt = 0.5 * left;
  double t_end = c.t + dt;
  // A remainder shorter than 1e-9 of a step is round-off: step to the limit at once.
  if (t_end >= t_limit - 1e-9 * dt) {
    t_end = t_limit;
    dt = t_limit - c.t;
  }
  c.status = ClockStatus::running;
  if (!allowed) return;
  c.dt = dt;
  c.t_end = t_end;
  c.signal_bits = 0;
  c.work_units = 0;
  c.work_scale = 0.0;
  c.work_unit = 0.0;
  c.active = 1;
  c.pending = 1;
}

}  // namespace watersmeet::exec
