#pragma once
// Extrema and sums of an expression of fields over the cells of a rank's part: the two passes of an exact reduction (exact_sum.hpp,
// comm/exact_reduction.hpp) of a program (core/program.hpp), so that neither threads nor the cutting of the grid change a bit.

#include <cstdint>

#include "core/device.hpp"
#include "core/program.hpp"
#include "core/types.hpp"
#include "exec/exact_sum.hpp"
#include "exec/program_input.hpp"

namespace watersmeet::exec {

// All pointers lead to memory of the device.
struct ProgramCells {
  std::int64_t cells = 0;
  Precision precision = Precision::double_;  // of the inputs
  const ProgramInput* inputs = nullptr;
  const Instruction* code = nullptr;
  int count = 0;  // instructions
};

// Over no cells these are 0 and minus infinity. They are NaN where the value of any cell is.
struct ProgramExtrema {
  double magnitude, upper, minus_lower;  // the largest of |x|, x and -x
};
// Waits for the queue.
ProgramExtrema measure_program(const ProgramCells& cells, const Queue& queue);
// Adds the values as whole numbers to high_low[0] and high_low[1]. Waits for the queue.
void count_program(const ProgramCells& cells, const SumScale& scale, std::int64_t* high_low,
                   const Queue& queue);

namespace detail {
ProgramExtrema measure_program_cuda(const ProgramCells& cells, const Queue& queue);
void count_program_cuda(const ProgramCells& cells, const SumScale& scale, std::int64_t* high_low,
                        const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
