#include "solve/multigrid/kernels_cuda.hpp"

namespace watersmeet::solve {

template <class R>
const LevelLoops<R>& level_loops_cuda() {
  static const detail::LevelLoopsCuda<R> loops;
  return loops;
}
template const LevelLoops<float>& level_loops_cuda();
template const LevelLoops<double>& level_loops_cuda();

}  // namespace watersmeet::solve
