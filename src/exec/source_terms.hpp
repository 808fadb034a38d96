#pragma once
// Source terms that a case gives as expressions of place, time and the local state: after a stage has written some cells, one pass adds what
// the expressions S are worth in the solution U that the stage has read,
//
//   two, base   out <- out + b dt S(x, t_s, U)
//   stored      out <- out + b dt S,   w <- w + dt S
//   history     out <- out + b dt S,   w <- w + S
//
// as if S stood in the right-hand side of the stage (exec/cell.hpp), so that the order of the scheme holds. t_s is the time at which the stage
// reads. Where a stage of the form `stored` reads w, the pass can come before it and moves half as much:
//
//   stored      w <- w + dt/a S, which the stage multiplies by a
//
// Or the pass writes the rates alone, out <- S(x, t_s, U), for a system that adds them itself. The programs (core/program.hpp) read the
// registers where they are: on the CPU they are interpreted, for a GPU they become a kernel.
// Each cell reads and writes its own values alone: neither boxes, ranks, threads nor windows change a bit.
//
// The same programs make values that sides of a box prescribe as expressions of the state in the cells beside them: one in a table for each
// face, whose cell is the one before it.
//
// A value that is not finite makes the signal of the step a NaN, which stops the run (exec/clock.hpp).

#include <cstdint>
#include <memory>
#include <vector>

#include "core/program.hpp"
#include "core/types.hpp"
#include "exec/loops.hpp"
#include "exec/source_pass.hpp"

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

// The rate of change of a variable, or a value at a side.
struct SourceProgram {
  int variable = 0;
  int first = 0, count = 0;  // its instructions
};

// Parts of expressions that depend on time alone, at most: they are computed once for many cells.
constexpr int most_source_scalars = 8;

// The pass of some terms, compiled for a GPU.
class SourceKernel;

struct SourceTerms {
  Precision precision = Precision::double_;  // of the registers
  bool of_side = false;                      // they are values at a side: write_side_values()
  // On the host; the values of inputs and tables lie on the device.
  std::vector<SourceInput> inputs;
  std::vector<Instruction> code;
  std::vector<SourceProgram> programs;  // each of another variable
  std::vector<SourceProgram> scalars;   // in the same code; they read time, step and tables
  std::vector<TableView> tables;
  std::shared_ptr<const SourceKernel> kernel = nullptr;
};

// Compiles the pass for the current device with NVRTC, which comes with the CUDA toolkit, once before the first launch; nothing for a queue
// of the CPU. Errors: Error{device} where NVRTC cannot be loaded.
void compile_sources(SourceTerms& terms, const Queue& queue);

// After the stage of this launch, in its cells. first: the cell of the part that is cell (0, 0, 0) of the launch; fraction: of dt, after which
// the stage reads.
void add_sources(const SourceTerms& terms, const Launch& launch, const Index3& first,
                 double fraction);
// Whether sources can be added before the stage, and that in the cells of its launch. Those of the last stage follow it in every form: its
// signal does not know them, and it writes no w, so that nothing is saved.
inline bool can_add_early(const StageUpdate<double>& update) {
  return update.form == UpdateForm::stored && update.read_old && update.a != 0 && !update.last;
}
void add_sources_early(const SourceTerms& terms, const Launch& launch, const Index3& first,
                       double fraction);
// Writes the rates instead of what they add to `out`, in a step that is not active too.
void write_sources(const SourceTerms& terms, const Launch& launch, const Index3& first,
                   double fraction);

// Where values at a side go: that of program p in the cell (i, j, k) of a launch to start[i stride[0] + j stride[1] + k stride[2]] of the table
// of its `variable`, in the precision of the registers. Tables follow each other at `table` numbers.
struct SideValues {
  void* start = nullptr;
  std::int64_t stride[3] = {0, 0, 0}, table = 0;
};

// Writes the side values of the cells of the launch's box, from the solution `in` of the launch and its ghosts as they are. fraction: of the step under way,
// the time at which `in` is the solution; 1 between two steps too.
void write_side_values(const SourceTerms& terms, const Launch& launch, const Index3& first,
                       double fraction, const SideValues& to);

namespace detail {
std::shared_ptr<const SourceKernel> compile_sources_cuda(const SourceTerms& terms);
void add_sources_cuda(const SourceKernel& kernel, const SourcePass& pass, const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
