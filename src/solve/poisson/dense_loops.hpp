#pragma once
// Products of a dense matrix with all lines along x or y, CPU and CUDA.

#include <memory>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/dense_modes.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

// The two matrices of an axis in the back end's memory, applied to every line of an array.
class DenseProduct {
 public:
  virtual ~DenseProduct() = default;
  virtual bool in_place() const = 0;
  virtual void forward(const CellArray& from, const CellArray& to) = 0;
  virtual void backward(const CellArray& from, const CellArray& to) = 0;
};

// What the GPU's library may use beside the matrices, for each axis.
constexpr std::size_t dense_workspace_bytes = std::size_t{32} << 20;

// cells: of the part. axis: 0 or 1.
template <class R>
std::unique_ptr<DenseProduct> make_dense_product_cpu(const DenseModes& modes, int axis,
                                                     const Index3& cells, const Queue& queue);
template <class R>
std::unique_ptr<DenseProduct> make_dense_product_cuda(const DenseModes& modes, int axis,
                                                      const Index3& cells, const Queue& queue);
// Nothing where the clock is not active.
template <class R>
void copy_if_active_cuda(const CellArray& from, const CellArray& to, const Index3& cells,
                         const exec::Clock* clock, const Queue& queue);

}  // namespace watersmeet::solve
