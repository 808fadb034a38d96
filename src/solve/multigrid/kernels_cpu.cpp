#include "solve/multigrid/kernels_cpu.hpp"

namespace watersmeet::solve {

template <class R>
const LevelLoops<R>& level_loops_cpu() {
  static const detail::LevelLoopsCpu<R> loops;
  return loops;
}
template const LevelLoops<float>& level_loops_cpu();
template const LevelLoops<double>& level_loops_cpu();

}  // namespace watersmeet::solve
