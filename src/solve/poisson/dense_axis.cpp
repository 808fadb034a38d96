// The transform along an axis by dense matrices as a stage of a direct solver.
#include "solve/poisson/dense_loops.hpp"

namespace watersmeet::solve {

namespace {
class DenseTransform final : public AxisTransform {
 public:
  DenseTransform(const DenseModes& modes, int axis, const Index3& cells, Precision precision,
                 const Queue& queue)
      : mu_(modes.mu), product_(product(modes, axis, cells, precision, queue)) {}

  std::string name() const override { return "dense"; }
  const std::vector<double>& eigenvalues() const override { return mu_; }
  bool in_place() const override { return product_->in_place(); }
  void forward(const CellArray& from, const CellArray& to) override { product_->forward(from, to); }
  void backward(const CellArray& from, const CellArray& to, const exec::Clock* clock) override {
    if (!clock || clock->active) product_->backward(from, to);  // a clock is on the CPU here
  }

 private:
  static std::unique_ptr<DenseProduct> product(const DenseModes& modes, int axis,
                                               const Index3& cells, Precision precision,
                                               const Queue& queue) {
    const bool single = precision == Precision::single_;
    if (queue.backend == Backend::cuda) {
      return single ? make_dense_product_cuda<float>(modes, axis, cells, queue)
                    : make_dense_product_cuda<double>(modes, axis, cells, queue);
    }
    return single ? make_dense_product_cpu<float>(modes, axis, cells, queue)
                  : make_dense_product_cpu<double>(modes, axis, cells, queue);
  }

  std::vector<double> mu_;
  std::unique_ptr<DenseProduct> product_;
};
}  // namespace

std::unique_ptr<AxisTransform> make_dense_transform(const PoissonProblem& problem, int axis,
                                                    const Index3& cells, Precision precision,
                                                    const Queue& queue) {
  return std::make_unique<DenseTransform>(dense_modes(problem, axis), axis, cells, precision,
                                          queue);
}

}  // namespace watersmeet::solve
