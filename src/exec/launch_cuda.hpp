#pragma once
// Launches of which one may begin while the one before it in its queue ends, so that its thread
// blocks are in place and have read what does not depend on it: programmatic dependent launches of
// CUDA. The kernel says itself where it needs more (core/launch_order.hpp).

#include "core/launch_order.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec {

struct LaunchShape {
  unsigned blocks = 1, threads = 1;
  std::size_t shared_bytes = 0;
};

// `early`: the launch may begin before the one before it has ended.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape, bool early, const Queue& queue,
            const char* what, const Arguments&... arguments) {
  int device = 0, major = 0;
  check_cuda(cudaGetDevice(&device), what);
  check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), what);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = static_cast<cudaStream_t>(queue.stream);
  config.attrs = &attribute;
  config.numAttrs = early && major >= 9 ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), what);
}

}  // namespace watersmeet::exec
