#include <algorithm>

#include "exec/difference.hpp"

namespace watersmeet::exec {

namespace {
template <class Word>
Difference on_cpu(const TwoCopies& copies, int threads) {
  const std::int64_t values = copies.values();
  std::int64_t count = 0, first = values;
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : count) \
    reduction(min : first)
  for (std::int64_t v = 0; v < values; ++v) {
    if (!copies.differs<Word>(v)) continue;
    ++count;
    first = std::min(first, v);
  }
  return {count, count == 0 ? -1 : first};
}
}  // namespace

Difference find_difference(const TwoCopies& copies, const Queue& queue) {
  synchronize(queue);
  if (queue.backend == Backend::cuda) return detail::find_difference_cuda(copies, queue);
  return copies.precision == Precision::single_ ? on_cpu<std::uint32_t>(copies, queue.threads)
                                                : on_cpu<std::uint64_t>(copies, queue.threads);
}

}  // namespace watersmeet::exec
