#include "solve/multigrid/outer_cpu.hpp"

namespace watersmeet::solve {

template <class R, class C>
const OuterLoops<R, C>& outer_loops_cpu() {
  static const detail::OuterLoopsCpu<R, C> loops;
  return loops;
}
template const OuterLoops<float, float>& outer_loops_cpu();
template const OuterLoops<double, float>& outer_loops_cpu();
template const OuterLoops<double, double>& outer_loops_cpu();

}  // namespace watersmeet::solve
