// Power of a three-dimensional real field on the GPU with cuFFT, double precision.
#include <cufft.h>

#include "core/error.hpp"
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
__global__ void gather_kernel(const R* from, double* to, std::int64_t nx, std::int64_t ny,
                              std::int64_t count, std::int64_t stride_j, std::int64_t stride_k) {
  const std::int64_t p = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const std::int64_t i = p % nx, j = p / nx % ny, k = p / (nx * ny);
  // In-place transform: rows of 2 (nx/2 + 1) doubles.
  to[(k * ny + j) * 2 * (nx / 2 + 1) + i] = double(from[k * stride_k + j * stride_j + i]);
}

// Writes |z|^2 over the first half of the array: element c reads doubles 2c and 2c + 1 of another
// array.
__global__ void power_kernel(const double2* values, double* power, std::int64_t count,
                             double scale) {
  const std::int64_t c = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (c >= count) return;
  const double re = values[c].x * scale, im = values[c].y * scale;
  power[c] = re * re + im * im;
}

unsigned blocks(std::int64_t n) { return unsigned((n + 255) / 256); }
}  // namespace

std::vector<double> power_cuda(const SpectrumInput& input, std::size_t component,
                               const Queue& queue) {
  const std::int64_t nx = input.n[0], ny = input.n[1], nz = input.n[2], half = nx / 2 + 1;
  const std::int64_t points = nx * ny * nz, modes = half * ny * nz;
  const cudaStream_t stream = static_cast<cudaStream_t>(queue.stream);
  const memory::Buffer values(MemorySpace::device, std::size_t(modes) * sizeof(double2));
  const memory::Buffer power(MemorySpace::device, std::size_t(modes) * sizeof(double));
  if (input.precision == Precision::double_) {
    gather_kernel<<<blocks(points), 256, 0, stream>>>(
        static_cast<const double*>(input.components[component]), values.as<double>(), nx, ny,
        points, input.stride_j, input.stride_k);
  } else {
    gather_kernel<<<blocks(points), 256, 0, stream>>>(
        static_cast<const float*>(input.components[component]), values.as<double>(), nx, ny, points,
        input.stride_j, input.stride_k);
  }
  cufftHandle plan = 0;
  check(cufftPlan3d(&plan, int(nz), int(ny), int(nx), CUFFT_D2Z), "cannot plan a transform");
  cufftResult status = cufftSetStream(plan, stream);
  if (status == CUFFT_SUCCESS) {
    status = cufftExecD2Z(plan, values.as<double>(),
                          reinterpret_cast<cufftDoubleComplex*>(values.start()));
  }
  power_kernel<<<blocks(modes), 256, 0, stream>>>(values.as<double2>(), power.as<double>(), modes,
                                                  1.0 / double(points));
  std::vector<double> host(static_cast<std::size_t>(modes));
  copy_bytes(host.data(), power.start(), power.bytes(), queue);
  synchronize(queue);
  cufftDestroy(plan);
  check(status, "a transform failed");
  return host;
}

}  // namespace watersmeet::solve::detail
