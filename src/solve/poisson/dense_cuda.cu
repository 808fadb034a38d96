// Dense transforms on the GPU: cuBLAS multiplies all planes in one batched call. An array of rows
// is a column-major matrix of x by y to it.
#include <cublas_v2.h>

#include <algorithm>

#include "exec/check_cuda.hpp"
#include "memory/buffer.hpp"
#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

namespace {
void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw Error(ErrorKind::device, std::string(what) + " (" + cublasGetStatusString(status) + ")");
  }
}

cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k,
                        const double* a, int lda, long long stride_a, const double* b, int ldb,
                        long long stride_b, double* c, int ldc, long long stride_c, int batch) {
  const double one = 1, zero = 0;
  return cublasDgemmStridedBatched(handle, op, CUBLAS_OP_N, m, n, k, &one, a, lda, stride_a, b, ldb,
                                   stride_b, &zero, c, ldc, stride_c, batch);
}
cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t op, int m, int n, int k,
                        const float* a, int lda, long long stride_a, const float* b, int ldb,
                        long long stride_b, float* c, int ldc, long long stride_c, int batch) {
  const float one = 1, zero = 0;
  return cublasSgemmStridedBatched(handle, op, CUBLAS_OP_N, m, n, k, &one, a, lda, stride_a, b, ldb,
                                   stride_b, &zero, c, ldc, stride_c, batch);
}

// 16 B a cell in double precision, only where a clock may forbid to write phi.
template <class R>
__global__ void __launch_bounds__(256)
    copy_if_active_kernel(const R* from, std::int64_t from_j, std::int64_t from_k, R* to,
                          std::int64_t to_j, std::int64_t to_k, std::int64_t nx, std::int64_t ny,
                          std::int64_t count, const exec::Clock* clock) {
  if (!clock->active) return;
  const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (c >= count) return;
  const std::int64_t i = c % nx, j = c / nx % ny, k = c / (nx * ny);
  to[i + j * to_j + k * to_k] = from[i + j * from_j + k * from_k];
}

template <class R>
class DenseCuda final : public DenseTransform {
 public:
  DenseCuda(const DenseModes& modes, int axis, const Index3& cells, const Queue& queue)
      : DenseTransform(modes),
        axis_(axis),
        cells_(cells),
        queue_(queue),
        forward_(on_device(modes.forward)),
        backward_(on_device(modes.backward)),
        workspace_(MemorySpace::device, dense_workspace_bytes) {
    // The workspace is given beforehand so that cuBLAS allocates nothing in a solve; its manual
    // recommends that size for compute capability 9.0.
    check(cublasCreate(&handle_), "cannot start cuBLAS");
    check(cublasSetStream(handle_, static_cast<cudaStream_t>(queue.stream)),
          "cannot set the stream of cuBLAS");
    check(cublasSetWorkspace(handle_, workspace_.start(), workspace_.bytes()),
          "cannot set the workspace of cuBLAS");
  }
  ~DenseCuda() override { cublasDestroy(handle_); }
  DenseCuda(const DenseCuda&) = delete;
  DenseCuda& operator=(const DenseCuda&) = delete;

  bool in_place() const override { return false; }

  void forward(const CellArray& from, const CellArray& to) override {
    multiply_lines(forward_.as<R>(), from, to);
  }

 private:
  void multiply_back(const CellArray& from, const CellArray& to) override {
    multiply_lines(backward_.as<R>(), from, to);
  }
  memory::Buffer on_device(const std::vector<double>& matrix) const {
    const std::vector<R> rounded(matrix.begin(), matrix.end());
    memory::Buffer buffer(MemorySpace::device, rounded.size() * sizeof(R));
    copy_bytes(buffer.start(), rounded.data(), buffer.bytes(), queue_);
    synchronize(queue_);
    return buffer;
  }

  void multiply_lines(const R* matrix, const CellArray& from, const CellArray& to) {
    const R* const source = static_cast<const R*>(from.start);
    R* const target = static_cast<R*>(to.start);
    const int nx = int(cells_[0]), ny = int(cells_[1]), nz = int(cells_[2]);
    cublasStatus_t status;
    if (axis_ == 0 && ny == 1) {  // the rows of all planes are one matrix
      status = multiply(handle_, CUBLAS_OP_T, nx, nz, nx, matrix, nx, 0, source,
                        row(from.stride_k, nx), 0, target, row(to.stride_k, nx), 0, 1);
    } else if (axis_ == 0) {
      status =
          multiply(handle_, CUBLAS_OP_T, nx, ny, nx, matrix, nx, 0, source, row(from.stride_j, nx),
                   from.stride_k, target, row(to.stride_j, nx), to.stride_k, nz);
    } else {
      status =
          multiply(handle_, CUBLAS_OP_N, nx, ny, ny, source, row(from.stride_j, nx), from.stride_k,
                   matrix, ny, 0, target, row(to.stride_j, nx), to.stride_k, nz);
    }
    check(status, "a dense transform failed");
  }

  // A leading dimension; that of a single row counts for nothing but must not be less than it.
  static int row(std::int64_t stride, int nx) { return int(std::max<std::int64_t>(stride, nx)); }

  int axis_;
  Index3 cells_;
  Queue queue_;
  memory::Buffer forward_, backward_, workspace_;
  cublasHandle_t handle_ = nullptr;
};
}  // namespace

std::unique_ptr<AxisTransform> make_dense_cuda(const DenseModes& modes, int axis,
                                               const Index3& cells, Precision precision,
                                               const Queue& queue) {
  if (precision == Precision::single_)
    return std::make_unique<DenseCuda<float>>(modes, axis, cells, queue);
  return std::make_unique<DenseCuda<double>>(modes, axis, cells, queue);
}

void copy_if_active_cuda(const CellArray& from, const CellArray& to, const Index3& cells,
                         Precision precision, const exec::Clock* clock, const Queue& queue) {
  const std::int64_t count = cells[0] * cells[1] * cells[2];
  const auto run = [&](auto number) {
    using R = decltype(number);
    copy_if_active_kernel<<<unsigned((count + 255) / 256), 256, 0,
                            static_cast<cudaStream_t>(queue.stream)>>>(
        static_cast<const R*>(from.start), from.stride_j, from.stride_k, static_cast<R*>(to.start),
        to.stride_j, to.stride_k, cells[0], cells[1], count, clock);
  };
  precision == Precision::single_ ? run(float{}) : run(double{});
  exec::check_cuda(cudaGetLastError(), "cannot launch a copy of phi");
}

}  // namespace watersmeet::solve
