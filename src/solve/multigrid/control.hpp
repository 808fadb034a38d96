#pragma once
// When the cycles of a solve end: a small state that lives on the device, and the decision
// after each residual, the same function on the host and in a kernel.
//
//   r = rhs - mean - L phi       one residual, in the precision of the problem
//   e = 0;  cycles on L e = r    `inner` of them, in the precision of the cycles
//   phi <- phi + e               and again
//
// Scaling: r is stored divided by the norm of the residual before it, so that numbers of single
// precision neither overflow nor vanish.

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve {

// The values of PoissonEnd that an iteration has, for kernels.
enum class SolveEnd : int { converged, floor, stalled, most_cycles };

struct SolveControl {
  // Asked for.
  double limit = 0;
  int most_cycles = 60;
  int most_inner = 2;        // cycles for one residual
  double round_off = 0;      // of the number type of the problem
  double operator_norm = 0;  // max |L|: twice the largest diagonal

  // Progress of the solve.
  int running = 0;  // 1 while there is more to do
  int inner = 0;    // cycles before the next residual
  int reset = 0;    // 1: the next pass starts again from a zero guess
  int retried = 0, cycles = 0, slow = 0;
  double mean = 0;                // of the right-hand side
  double largest_right_side = 0;  // without its mean, or a bound
  double scale = 1;               // of the residual that the cycles work on
  double next_scale = 1;          // of the next one
  double factor = 0.06;           // reduction of the residual by a cycle, as expected
  double first = 0, residual = 0;
  SolveEnd end = SolveEnd::converged;
};

// Two cycles in turn that gain less than this are the end (or a stall).
inline constexpr double slow_factor = 0.7;
// A residual within this many units of round-off of |L| |phi| + |rhs| cannot be reduced.
inline constexpr double floor_units = 16;

// The right-hand side is measured; the guess is not yet.
WM_HD void begin_solve(SolveControl& c, double limit, int most_cycles, double mean,
                       double largest_right_side) {
  c.limit = limit;
  c.most_cycles = most_cycles;
  c.running = 1;
  c.inner = c.reset = c.retried = c.cycles = c.slow = 0;
  c.mean = mean;
  c.largest_right_side = largest_right_side + abs_(mean);
  c.scale = c.next_scale = c.largest_right_side > 0 ? c.largest_right_side : 1.0;
  c.factor = 0.06;
  c.first = c.residual = 0;
}

// Cycles before the next residual: as many as bring it to the limit, or, where they are more than
// `most_inner`, an equal share of them, rounded down: the last ones know the factor best.
WM_HD int cycles_needed(const SolveControl& c) {
  const int left = c.most_cycles - c.cycles;
  int n = 1;
  for (double r = c.residual * c.factor; n < left && r > c.limit; r *= c.factor) ++n;
  const int shares = (n + c.most_inner - 1) / c.most_inner;
  return n / shares;
}

// After a residual: `norm` is its largest magnitude, `largest_phi` that of the solution.
WM_HD void judge(SolveControl& c, double norm, double largest_phi) {
  const bool finite = norm <= 1.7e308;
  const double before = c.residual;
  const int done = c.inner;
  if (c.cycles == 0 && done == 0 && c.retried == 0) c.first = norm;
  c.cycles += done;
  c.residual = norm;
  c.scale = c.next_scale;
  if (finite && norm > 0) c.next_scale = norm;
  bool stopped = !finite;
  if (finite && done > 0) {
    const double gained = pow(norm / before, 1.0 / double(done));
    c.slow = gained > slow_factor ? c.slow + done : 0;
    // An unlucky cycle must not make the next estimate worse than it is.
    c.factor = gained < 0.01 ? 0.01 : gained;
    stopped = c.slow >= 2;
  }
  c.reset = 0;
  c.inner = 0;
  if (finite && norm <= c.limit) {
    c.end = SolveEnd::converged;
    c.running = 0;
  } else if (stopped) {
    const double least =
        floor_units * c.round_off * (c.operator_norm * largest_phi + c.largest_right_side);
    if (finite && norm <= least) {
      c.end = SolveEnd::floor;
      c.running = 0;
    } else if (c.retried == 0 && c.cycles < c.most_cycles) {
      // Once more from a zero guess: what was given may have been no number at all.
      c.retried = c.reset = 1;
      c.slow = 0;
      c.factor = 0.06;
      c.next_scale = c.largest_right_side > 0 ? c.largest_right_side : 1.0;
    } else {
      c.end = SolveEnd::stalled;
      c.running = 0;
    }
  } else if (c.cycles >= c.most_cycles) {
    c.end = SolveEnd::most_cycles;
    c.running = 0;
  } else {
    c.inner = cycles_needed(c);
  }
}

}  // namespace watersmeet::solve
