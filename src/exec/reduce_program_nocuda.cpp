// Reductions of expressions in a build without CUDA. Never called: such a build cannot make a queue of a GPU.
#include "core/error.hpp"
#include "exec/reduce_program.hpp"

namespace watersmeet::exec::detail {
ProgramExtrema measure_program_cuda(const ProgramCells&, const Queue&) {
  require(false, "no CUDA back end in this build");
  return {};
}
void count_program_cuda(const ProgramCells&, const SumScale&, std::int64_t*, const Queue&) {
  require(false, "no CUDA back end in this build");
}
}  // namespace watersmeet::exec::detail
