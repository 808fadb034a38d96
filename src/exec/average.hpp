#pragma once
// Sums over time in every cell: weighted means of expressions and weighted second moments of pairs of them about these means, added up where
// the kernels run.
//
// For samples x_1, x_2, ... with weights w_1, w_2, ..., W_n = w_1 + ... + w_n (West 1979, Updating mean and variance estimates: an improved
// method, Communications of the ACM 22; for two variables Bennett et al. 2009):
//
//   d_n = x_n - m_(n-1)        m_n = m_(n-1) + (w_n / W_n) d_n        C_n = C_(n-1) + w_n (W_(n-1) / W_n) d_n(a) d_n(b)
//
// A variance is C/W. Nothing is lost where deviations are small against the mean, as there is where a square of a mean is subtracted from a
// mean of squares. Everything is in double, also of a run in single precision: 53 bits in 8 bytes, where a compensated sum of two
// floats has 48 in as many. Cells do not see each other, so that how the grid is cut changes no bit.
//
// A state weighs half the time step before it and half the one after it: the trapezoidal rule. Both are known when the step after it has
// begun. The first state of a window weighs half the step after it, the last one half the step before.

#include <cstdint>

#include "core/device.hpp"
#include "core/program.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "exec/program_input.hpp"

namespace watersmeet::exec {

// Expressions of one set of sums at most: their deviations are kept by each thread.
constexpr int most_averaged = 24;

// Lies on the device.
struct AverageRecord {
  double total = 0;  // W
  double pending =
      0;  // length of the step before the state that comes next; 0 at the beginning of a window
  double weight = 0;  // w of the sample at hand; 0: it does not count
  double mean_factor = 0, moment_factor = 0;
  std::int64_t samples = 0;
};

// What happens to the record when the clock has begun a step, or at the end of a window.
enum class Weighing {
  sample,  // the state that the step begins from is a sample
  pass,    // it is not
  close    // the state is the last one of the window, and a sample
};
void weigh(Weighing kind, const Clock* clock, AverageRecord* record, const Queue& queue);

struct AverageProgram {
  int first = 0, count = 0;  // its instructions
};
struct AveragePair {
  int a = 0, b = 0;  // expressions
};

// All pointers lead to memory of the device. Sums are [expression or pair][cell].
struct AverageSums {
  std::int64_t cells = 0;
  Precision precision = Precision::double_;  // of the inputs
  const ProgramInput* inputs = nullptr;
  const Instruction* code = nullptr;
  const AverageProgram* programs = nullptr;
  int expressions = 0;
  const AveragePair* pairs = nullptr;
  int n_pairs = 0;
  double* means = nullptr;
  double* moments = nullptr;
};
// Adds the sample that was weighed; nothing where its weight is 0.
void add_sample(const AverageSums& sums, const AverageRecord* record, const Queue& queue);

namespace detail {
void weigh_cuda(Weighing kind, const Clock* clock, AverageRecord* record, const Queue& queue);
void add_sample_cuda(const AverageSums& sums, const AverageRecord* record, const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
