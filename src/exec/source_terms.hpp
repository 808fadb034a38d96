#pragma once
// Source terms that a case gives as expressions of place, time and the local state: after a stage has written some cells, one pass adds what
// the expressions S are worth in the solution U that the stage has read,
//
//   two, base   out <- out + b dt S(x, t_s, U)
//   stored      out <- out + b dt S,   w <- w + dt S
//   history     out <- out + b dt S,   w <- w + S
//
// as if S stood in the right-hand side of the stage (exec/cell.hpp), so that the order of the scheme holds. t_s is the time at which the stage
// reads. The programs (core/program.hpp) read the registers where they are. Each cell reads and writes its own values alone: neither boxes,
// ranks, threads nor windows change a bit.
//
// A value that is not finite makes the signal of the step a NaN, which stops the run (exec/clock.hpp).

#include <cstdint>

#include "core/program.hpp"
#include "core/types.hpp"
#include "exec/loops.hpp"

namespace watersmeet::exec {

// What a program reads in a cell.
struct SourceInput {
  enum class Kind : int {
    variable,  // of the register that the stage read
    mean,      // of the same and its neighbours at `reach` along each axis: 2 or 4 values
    extra,     // the extra variable of the launch
    place,     // values[i stride[0] + j stride[1] + k stride[2]] of the cell (i, j, k) of the part
    time,
    step,   // its length, dt
    scalar  // number `variable` of the scalars of the stage
  };
  Kind kind = Kind::time;
  int variable = 0;
  int reach[3] = {0, 0, 0};  // -1, 0 or 1, along at most two axes
  const double* values = nullptr;
  std::int64_t stride[3] = {0, 0, 0};
};

// The rate of change of a variable.
struct SourceProgram {
  int variable = 0;
  int first = 0, count = 0;  // its instructions
};

// Parts of expressions that depend on time alone, at most: they are computed once for many cells.
constexpr int most_source_scalars = 8;

// All pointers lead where the kernels run.
struct SourceTerms {
  Precision precision = Precision::double_;  // of the registers
  const SourceInput* inputs = nullptr;
  const Instruction* code = nullptr;
  const SourceProgram* programs = nullptr;
  int n_programs = 0;
  const SourceProgram* scalars =
      nullptr;  // of those, in the same code; they read time, step and tables
  int n_scalars = 0;
  const TableView* tables = nullptr;
  std::int64_t first[3] = {0, 0, 0};  // the cell of the part that is cell (0, 0, 0) of the launch
  double fraction = 0;                // of dt, after which the stage reads
};

// After the stage of this launch, in its cells.
void add_sources(const SourceTerms& terms, const Launch& launch);

namespace detail {
void add_sources_cuda(const SourceTerms& terms, const Launch& launch);
}  // namespace detail

}  // namespace watersmeet::exec
