// Sums over time of a build without CUDA: never called, because no such queue can be made.
#include "core/error.hpp"
#include "exec/average.hpp"

namespace watersmeet::exec::detail {
void weigh_cuda(Weighing, const Clock*, AverageRecord*, const Queue&) {
  require(false, "no CUDA back end in this build");
}
void add_sample_cuda(const AverageSums&, const AverageRecord*, const Queue&) {
  require(false, "no CUDA back end in this build");
}
}  // namespace watersmeet::exec::detail
