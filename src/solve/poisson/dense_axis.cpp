// The transform along an axis by dense matrices as a stage of a direct solver.
#include "solve/poisson/dense_loops.hpp"

namespace watersmeet::solve {

std::unique_ptr<AxisTransform> make_dense_transform(const PoissonProblem& problem, int axis,
                                                    const Index3& cells, Precision precision,
                                                    const Queue& queue) {
  const DenseModes modes = dense_modes(problem, axis);
  return queue.backend == Backend::cuda ? make_dense_cuda(modes, axis, cells, precision, queue)
                                        : make_dense_cpu(modes, axis, cells, precision, queue);
}

}  // namespace watersmeet::solve
