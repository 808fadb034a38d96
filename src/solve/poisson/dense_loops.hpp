#pragma once
// Products of a dense matrix with all lines along x or y, CPU and CUDA.

#include <memory>

#include "core/device.hpp"
#include "core/types.hpp"
#include "exec/clock.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

// A matrix [row][column] in the back end's memory, applied to every line of an array.
class DenseProduct {
 public:
  virtual ~DenseProduct() = default;
  virtual bool in_place() const = 0;
  // The clock as in AxisTransform::backward(); null where this does not work in place.
  virtual void apply(const CellArray& from, const CellArray& to, const exec::Clock* clock) = 0;
};

// cells: of the part. axis: 0 or 1.
template <class R>
std::unique_ptr<DenseProduct> make_dense_product_cpu(const std::vector<double>& matrix, int axis,
                                                     const Index3& cells, const Queue& queue);
template <class R>
std::unique_ptr<DenseProduct> make_dense_product_cuda(const std::vector<double>& matrix, int axis,
                                                      const Index3& cells, const Queue& queue);
// Nothing where the clock is not active.
template <class R>
void copy_if_active_cuda(const CellArray& from, const CellArray& to, const Index3& cells,
                         const exec::Clock* clock, const Queue& queue);

}  // namespace watersmeet::solve
