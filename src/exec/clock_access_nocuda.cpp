// For a build without CUDA. Never called: such a build cannot make a queue of a GPU.
#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::exec::detail {
void copy_clock_cuda(Clock*, const Clock*, const Queue&) {
  require(false, "no CUDA back end in this build");
}
Clock read_clock_cuda(const Clock*, const Queue&) {
  require(false, "no CUDA back end in this build");
  return {};
}
void write_clock_cuda(Clock*, const Clock&, const Queue&) {
  require(false, "no CUDA back end in this build");
}
}  // namespace watersmeet::exec::detail
