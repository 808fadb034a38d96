// Dense transforms on the CPU: Eigen multiplies blocks of lines, which depend on the sizes alone,
// so that the bits do not depend on the threads. A block goes through memory of its own, because
// lines are transformed in place.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <algorithm>

#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/thread_number.hpp"

namespace watersmeet::solve {

namespace {
constexpr std::int64_t block_lines = 64;

template <class R>
class DenseCpu final : public DenseTransform {
 public:
  DenseCpu(const DenseModes& modes, int axis, const Index3& cells, const Queue& queue)
      : DenseTransform(modes),
        axis_(axis),
        cells_(cells),
        threads_(queue.threads),
        forward_(rounded(modes.forward)),
        backward_(rounded(modes.backward)),
        products_(static_cast<std::size_t>(threads_)) {
    for (Rows& p : products_)
      p.resize(axis == 0 ? block_lines : n(), axis == 0 ? n() : block_lines);
  }

  void forward(const CellArray& from, const CellArray& to) override { apply(forward_, from, to); }

 private:
  void multiply_back(const CellArray& from, const CellArray& to) override {
    apply(backward_, from, to);
  }
  using Rows = Eigen::Matrix<R, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Lines = Eigen::Map<Rows, Eigen::Unaligned, Eigen::OuterStride<>>;

  Rows rounded(const std::vector<double>& matrix) const {
    using Given = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Given>(matrix.data(), n(), n()).template cast<R>();
  }

  void apply(const Rows& matrix, const CellArray& from, const CellArray& to) {
    const std::int64_t lines = cells_[static_cast<std::size_t>(1 - axis_)];
    const std::int64_t blocks = (lines + block_lines - 1) / block_lines;
#pragma omp parallel for collapse(2) num_threads(threads_) schedule(static)
    for (std::int64_t k = 0; k < cells_[2]; ++k) {
      for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t first = b * block_lines, count = std::min(block_lines, lines - first);
        Lines in = block(from, k, first, count), out = block(to, k, first, count);
        Rows& product = products_[thread_number()];
        if (axis_ == 0) {
          auto rows = product.topRows(count);
          rows.noalias() = in * matrix.transpose();
          out = rows;
        } else {
          auto columns = product.leftCols(count);
          columns.noalias() = matrix * in;
          out = columns;
        }
      }
    }
  }

  std::int64_t n() const { return cells_[static_cast<std::size_t>(axis_)]; }
  // Rows j, columns i of plane k: all points of `count` lines.
  Lines block(const CellArray& a, std::int64_t k, std::int64_t first, std::int64_t count) const {
    R* const plane = static_cast<R*>(a.start) + k * a.stride_k;
    // A stride of 0 (one row) is one that Eigen would take for its own choice.
    const Eigen::OuterStride<> stride(std::max<std::int64_t>(a.stride_j, 1));
    if (axis_ == 0) return Lines(plane + first * a.stride_j, count, n(), stride);
    return Lines(plane + first, n(), count, stride);
  }

  int axis_;
  Index3 cells_;
  int threads_;
  Rows forward_, backward_;
  std::vector<Rows> products_;  // of each thread
};
}  // namespace

std::unique_ptr<AxisTransform> make_dense_cpu(const DenseModes& modes, int axis,
                                              const Index3& cells, Precision precision,
                                              const Queue& queue) {
  if (precision == Precision::single_)
    return std::make_unique<DenseCpu<float>>(modes, axis, cells, queue);
  return std::make_unique<DenseCpu<double>>(modes, axis, cells, queue);
}

}  // namespace watersmeet::solve
