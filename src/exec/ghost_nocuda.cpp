// The ghost form of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "exec/ghost.hpp"

namespace watersmeet::exec::detail {
template <class R>
void fill_regions_cuda(R*, R*, const GhostTransfer*, int, std::int64_t, int, GhostAction, Gate*,
                       const Queue&) {
  require(false, "no CUDA back end in this build");
}
template void fill_regions_cuda<float>(float*, float*, const GhostTransfer*, int, std::int64_t, int,
                                       GhostAction, Gate*, const Queue&);
template void fill_regions_cuda<double>(double*, double*, const GhostTransfer*, int, std::int64_t,
                                        int, GhostAction, Gate*, const Queue&);
}  // namespace watersmeet::exec::detail

namespace watersmeet::exec {
void meet(Gate*, const Queue&) { require(false, "no CUDA back end in this build"); }
}  // namespace watersmeet::exec
