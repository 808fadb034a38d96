// The steps of a spectrum on the GPU with cuFFT, double precision.
#include <cufft.h>

#include "core/error.hpp"
#include "exec/check_cuda.hpp"
#include "memory/buffer.hpp"
#include "solve/spectra.hpp"

namespace watersmeet::solve::detail {

namespace {
void check(cufftResult status, const char* what) {
  if (status != CUFFT_SUCCESS) {
    throw Error(ErrorKind::device,
                std::string(what) + " (cuFFT error " + std::to_string(int(status)) + ")");
  }
}

template <class R>
__global__ void pack_kernel(const R* from, double* to, std::int64_t nx, std::int64_t ny,
                            std::int64_t count, std::int64_t stride_i, std::int64_t stride_j,
                            std::int64_t stride_k, std::int64_t pitch) {
  const std::int64_t p = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const std::int64_t i = p % nx, j = p / nx % ny, k = p / (nx * ny);
  to[(k * ny + j) * pitch + i] = double(from[k * stride_k + j * stride_j + i * stride_i]);
}

__global__ void power_kernel(const double2* values, double* power, std::int64_t count,
                             double scale) {
  const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (c >= count) return;
  const double re = values[c].x * scale, im = values[c].y * scale;
  power[c] = re * re + im * im;
}

unsigned blocks(std::int64_t n) { return unsigned((n + 255) / 256); }

// A plan in place, its scratch and its end.
class Plan {
 public:
  // `batch` transforms over `rank` axes of n; `real` and `complex` are the arrays that hold one of
  // them, `stride` apart along the last axis, `real_next` and `complex_next` from one to the next.
  Plan(int rank, long long* n, long long* real, long long stride, long long real_next,
       long long* complex, long long complex_next, cufftType type, long long batch,
       const Queue& queue) {
    check(cufftCreate(&plan_), "cannot plan a transform");
    std::size_t scratch = 0;
    cufftResult status = cufftMakePlanMany64(plan_, rank, n, real, stride, real_next, complex,
                                             stride, complex_next, type, batch, &scratch);
    if (status == CUFFT_SUCCESS) {
      status = cufftSetStream(plan_, static_cast<cudaStream_t>(queue.stream));
    }
    if (status != CUFFT_SUCCESS) cufftDestroy(plan_);
    check(status, "cannot plan a transform");
  }
  ~Plan() { cufftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  cufftHandle handle() const { return plan_; }

 private:
  cufftHandle plan_ = 0;
};

class StepsOnCuda final : public FourierSteps {
 public:
  void pack(const SpectrumInput& input, std::size_t component, const Index3& n, double* values,
            std::int64_t pitch, const Queue& queue) const override {
    const std::int64_t points = n[0] * n[1] * n[2];
    const cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
    if (input.precision == Precision::double_) {
      pack_kernel<<<blocks(points), 256, 0, stream>>>(
          static_cast<const double*>(input.components[component]), values, n[0], n[1], points,
          input.stride_i, input.stride_j, input.stride_k, pitch);
    } else {
      pack_kernel<<<blocks(points), 256, 0, stream>>>(
          static_cast<const float*>(input.components[component]), values, n[0], n[1], points,
          input.stride_i, input.stride_j, input.stride_k, pitch);
    }
    exec::check_cuda(cudaGetLastError(), "cannot copy a field to its transform");
  }

  void transform_planes(double* values, const Index3& n, const Queue& queue) const override {
    const long long half = n[0] / 2 + 1;
    long long size[2] = {n[1], n[0]}, real[2] = {n[1], 2 * half}, complex[2] = {n[1], half};
    const Plan plan(2, size, real, 1, n[1] * 2 * half, complex, n[1] * half, CUFFT_D2Z, n[2],
                    queue);
    check(cufftExecD2Z(plan.handle(), values, reinterpret_cast<cufftDoubleComplex*>(values)),
          "a transform failed");
    synchronize(queue);  // the plan's scratch
  }

  void transform_columns(double* values, std::int64_t n, std::int64_t columns,
                         const Queue& queue) const override {
    if (n == 1) return;
    long long size[1] = {n}, one[1] = {n};
    const Plan plan(1, size, one, columns, 1, one, 1, CUFFT_Z2Z, columns, queue);
    auto* const modes = reinterpret_cast<cufftDoubleComplex*>(values);
    check(cufftExecZ2Z(plan.handle(), modes, modes, CUFFT_FORWARD), "a transform failed");
    synchronize(queue);
  }

  std::vector<double> power(const double* values, std::int64_t count, double scale,
                            const Queue& queue) const override {
    const memory::Buffer power(MemorySpace::device, std::size_t(count) * sizeof(double));
    power_kernel<<<blocks(count), 256, 0, static_cast<cudaStream_t>(queue.stream)>>>(
        reinterpret_cast<const double2*>(values), power.as<double>(), count, scale);
    exec::check_cuda(cudaGetLastError(), "cannot compute the power of modes");
    std::vector<double> host(static_cast<std::size_t>(count));
    copy_bytes(host.data(), power.start(), power.bytes(), queue);
    synchronize(queue);
    return host;
  }
};
}  // namespace

const FourierSteps& fourier_steps_cuda() {
  static const StepsOnCuda steps;
  return steps;
}

}  // namespace watersmeet::solve::detail
