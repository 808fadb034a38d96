#include "solve/multigrid/outer_cuda.hpp"

namespace watersmeet::solve {

template <class R, class C>
const OuterLoops<R, C>& outer_loops_cuda() {
  static const detail::OuterLoopsCuda<R, C> loops;
  return loops;
}
template const OuterLoops<float, float>& outer_loops_cuda();
template const OuterLoops<double, float>& outer_loops_cuda();
template const OuterLoops<double, double>& outer_loops_cuda();

}  // namespace watersmeet::solve
