#pragma once
// Products of a dense matrix with all lines along x or y, CPU and CUDA.

#include <memory>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/dense_modes.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

// The transform along an axis by two dense matrices in the back end's memory.
class DenseTransform : public AxisTransform {
 public:
  explicit DenseTransform(const DenseModes& modes) : mu_(modes.mu) {}
  std::string name() const override { return "dense"; }
  const std::vector<double>& eigenvalues() const override { return mu_; }
  void backward(const CellArray& from, const CellArray& to, const exec::Clock* clock) override {
    if (!clock || clock->active) multiply_back(from, to);  // a clock is on the CPU here
  }

 protected:
  virtual void multiply_back(const CellArray& from, const CellArray& to) = 0;

 private:
  std::vector<double> mu_;
};

// What the GPU's library may use beside the matrices, for each axis.
constexpr std::size_t dense_workspace_bytes = std::size_t{32} << 20;

// cells: of the part. axis: 0 or 1.
std::unique_ptr<AxisTransform> make_dense_cpu(const DenseModes& modes, int axis,
                                              const Index3& cells, Precision precision,
                                              const Queue& queue);
std::unique_ptr<AxisTransform> make_dense_cuda(const DenseModes& modes, int axis,
                                               const Index3& cells, Precision precision,
                                               const Queue& queue);
// Nothing where the clock is not active.
void copy_if_active_cuda(const CellArray& from, const CellArray& to, const Index3& cells,
                         Precision precision, const exec::Clock* clock, const Queue& queue);

}  // namespace watersmeet::solve
