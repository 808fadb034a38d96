#pragma once
// Sums of very many floating-point numbers over a whole run, whose bits do not depend on the order
// of adding: every number is cut to a whole number of units, a power of two, by itself, and whole
// numbers of 128 bits are added. The unit is fixed for the run; unlike those of exec/exact_sum.hpp
// the numbers need not be known before.
//
// With a unit of 2^-96 of a reference quantity, 2^40 numbers lose less than 2^-56 of it, one number
// may be 2^24 and the sum 2^31 times as large.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::exec {

// high 2^64 + low, in two's complement.
struct WideCount {
  std::uint64_t low = 0, high = 0;
};

WM_HD WideCount sum_of(const WideCount& a, const WideCount& b) {
  const std::uint64_t low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1u : 0u)};
}

// The whole units in `value`, cut towards zero; `per_one` units make 1 and are a power of two. A
// value that is not finite, or far too large, counts as none: such a state ends the run by its
// signal.
WM_HD WideCount units_of(double value, double per_one) {
  constexpr double two60 = 1152921504606846976.0, limit = two60 * two60;
  const double units = value * per_one;
  if (!(units > -limit && units < limit)) return {};
  const std::int64_t upper = static_cast<std::int64_t>(units * (1.0 / two60));
  // Exact: `upper` holds the leading bits of `units`.
  const std::int64_t lower = static_cast<std::int64_t>(units - static_cast<double>(upper) * two60);
  const std::uint64_t bits = static_cast<std::uint64_t>(upper);
  return sum_of({bits << 60, static_cast<std::uint64_t>(upper >> 4)},
                {static_cast<std::uint64_t>(lower), lower < 0 ? ~std::uint64_t{0} : 0});
}

}  // namespace watersmeet::exec
