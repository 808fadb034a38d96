// Of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "exec/difference.hpp"

namespace watersmeet::exec::detail {
Difference find_difference_cuda(const TwoCopies&, const Queue&) {
  require(false, "no CUDA back end in this build");
  return {};
}
}  // namespace watersmeet::exec::detail
