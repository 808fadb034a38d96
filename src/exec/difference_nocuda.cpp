// For a build without CUDA. Never called: such a build cannot make a queue of a GPU.
#include "core/error.hpp"
#include "exec/difference.hpp"

namespace watersmeet::exec::detail {
Difference find_difference_cuda(const TwoCopies&, const Queue&) {
  require(false, "no CUDA back end in this build");
  return {};
}
}  // namespace watersmeet::exec::detail
