// The transform along an axis by dense matrices as a stage of a direct solver.
#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/dense_modes.hpp"

namespace watersmeet::solve {

namespace {
class DenseTransform final : public AxisTransform {
 public:
  DenseTransform(DenseModes modes, int axis, const Index3& cells, Precision precision,
                 const Queue& queue)
      : mu_(std::move(modes.mu)),
        forward_(product(modes.forward, axis, cells, precision, queue)),
        backward_(product(modes.backward, axis, cells, precision, queue)) {}

  std::string name() const override { return "dense"; }
  const std::vector<double>& eigenvalues() const override { return mu_; }
  bool in_place() const override { return forward_->in_place(); }
  void forward(const CellArray& from, const CellArray& to) override {
    forward_->apply(from, to, nullptr);
  }
  void backward(const CellArray& from, const CellArray& to, const exec::Clock* clock) override {
    backward_->apply(from, to, clock);
  }

 private:
  static std::unique_ptr<DenseProduct> product(const std::vector<double>& matrix, int axis,
                                               const Index3& cells, Precision precision,
                                               const Queue& queue) {
    const bool single = precision == Precision::single_;
    if (queue.backend == Backend::cuda) {
      return single ? make_dense_product_cuda<float>(matrix, axis, cells, queue)
                    : make_dense_product_cuda<double>(matrix, axis, cells, queue);
    }
    return single ? make_dense_product_cpu<float>(matrix, axis, cells, queue)
                  : make_dense_product_cpu<double>(matrix, axis, cells, queue);
  }

  std::vector<double> mu_;
  std::unique_ptr<DenseProduct> forward_, backward_;
};
}  // namespace

std::unique_ptr<AxisTransform> make_dense_transform(const PoissonProblem& problem, int axis,
                                                    const Index3& cells, Precision precision,
                                                    const Queue& queue) {
  return std::make_unique<DenseTransform>(dense_modes(problem, axis), axis, cells, precision,
                                          queue);
}

}  // namespace watersmeet::solve
