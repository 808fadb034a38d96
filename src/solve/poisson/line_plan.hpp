#pragma once
// Set-up of the transform of one axis: which sides make which modes, radices, tables. Host code.

#include <cstdint>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/line_transform.hpp"
#include "solve/poisson/problem.hpp"

namespace watersmeet::solve {

// Factors of n in the order of the passes: 8, 6, 5, 4, 3, 2 and other primes.
std::vector<int> radices_of(std::int64_t n);
std::int64_t largest_prime_factor(std::int64_t n);

// "Fourier", "cosine", "sine", "quarter-wave cosine": the modes that these sides make.
const char* modes_between(PoissonSide lower, PoissonSide upper);

// For each mode on a uniform axis, in their order (line_transform.hpp): the number mu >= 0 for which
// the second difference of the mode is -mu times the mode.
std::vector<double> uniform_eigenvalues(std::int64_t n, double spacing, PoissonSide lower,
                                        PoissonSide upper);

template <class R>
class LinePlan {
 public:
  LinePlan(std::int64_t n, PoissonSide lower, PoissonSide upper, const Queue& queue);
  const LineTables<R>& tables() const { return tables_; }
  static std::size_t bytes(std::int64_t n) { return 8 * static_cast<std::size_t>(n) * sizeof(R); }

 private:
  LineTables<R> tables_;
  memory::Buffer values_;
};

}  // namespace watersmeet::solve
