// The transform along a uniform axis as a stage of a direct solver.
#include "solve/poisson/line_loops.hpp"
#include "solve/poisson/line_plan.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

namespace {
template <class R>
class LineTransform final : public AxisTransform {
 public:
  LineTransform(const PoissonProblem& problem, int axis, const Index3& cells, const Queue& queue)
      : axis_(axis),
        cells_(cells),
        queue_(queue),
        lower_(problem.sides[static_cast<std::size_t>(2 * axis)]),
        upper_(problem.sides[static_cast<std::size_t>(2 * axis + 1)]),
        plan_(problem.cells[static_cast<std::size_t>(axis)], lower_, upper_, queue),
        mu_(uniform_eigenvalues(problem.cells[static_cast<std::size_t>(axis)],
                                problem.width(axis, 0), lower_, upper_)) {
    if (queue.backend == Backend::cpu) {
      buffer_ = memory::Buffer(MemorySpace::host, LinesCpu<R>::buffer_bytes(plan_.tables().n) *
                                                      static_cast<std::size_t>(queue.threads));
    } else {
      launch_ = LinesCuda<R>::plan(plan_.tables().n, axis == 1);
    }
  }

  std::string name() const override { return modes_between(lower_, upper_); }
  const std::vector<double>& eigenvalues() const override { return mu_; }
  void forward(const CellArray& from, const CellArray& to) override {
    run(LineDirection::forward, from, to, nullptr);
  }
  void backward(const CellArray& from, const CellArray& to, const exec::Clock* clock) override {
    run(LineDirection::backward, from, to, clock);
  }

 private:
  LineSet lines(const CellArray& array) const {
    if (axis_ == 0) return {cells_[1], cells_[2], array.stride_j, array.stride_k, 1};
    return {cells_[0], cells_[2], 1, array.stride_k, array.stride_j};
  }
  void run(LineDirection direction, const CellArray& from, const CellArray& to,
           const exec::Clock* clock) {
    const R* const source = static_cast<const R*>(from.start);
    R* const target = static_cast<R*>(to.start);
    if (queue_.backend == Backend::cuda) {
      LinesCuda<R>::transform(plan_.tables(), launch_, direction, source, lines(from), target,
                              lines(to), clock, queue_);
    } else if (!clock || clock->active) {
      LinesCpu<R>::transform(plan_.tables(), direction, source, lines(from), target, lines(to),
                             buffer_.start(), queue_.threads);
    }
  }

  int axis_;
  Index3 cells_;
  Queue queue_;
  PoissonSide lower_, upper_;
  LinePlan<R> plan_;
  std::vector<double> mu_;
  memory::Buffer buffer_;
  LineShape launch_;
};
}  // namespace

std::unique_ptr<AxisTransform> make_line_transform(const PoissonProblem& problem, int axis,
                                                   const Index3& cells, Precision precision,
                                                   const Queue& queue) {
  if (precision == Precision::single_) {
    return std::make_unique<LineTransform<float>>(problem, axis, cells, queue);
  }
  return std::make_unique<LineTransform<double>>(problem, axis, cells, queue);
}

}  // namespace watersmeet::solve
