#pragma once
// Launches of which one may begin while the one before it in its queue ends, so that its thread
// blocks are in place and have read what does not depend on it: programmatic dependent launches of
// CUDA. The kernel says itself where it needs more (core/launch_order.hpp).

#include <vector>

#include "core/launch_order.hpp"
#include "exec/check_cuda.hpp"

namespace watersmeet::exec {

struct LaunchShape {
  unsigned blocks = 1, threads = 1;
  std::size_t shared_bytes = 0;
};

// Whether a device has such launches: from compute capability 9 on. Asked once for all devices.
inline bool launches_early(int device) {
  static const std::vector<bool> able = [] {
    int count = 0;
    check_cuda(cudaGetDeviceCount(&count), "cannot count the GPUs");
    std::vector<bool> answers;
    for (int d = 0; d < count; ++d) {
      int major = 0;
      check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, d),
                 "cannot read what a GPU can do");
      answers.push_back(major >= 9);
    }
    return answers;
  }();
  return able[static_cast<std::size_t>(device)];
}

// `early`: the launch may begin before the one before it has ended.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape, bool early, const Queue& queue,
            const char* what, const Arguments&... arguments) {
  int device = 0;
  check_cuda(cudaGetDevice(&device), what);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = static_cast<cudaStream_t>(queue.stream);
  config.attrs = &attribute;
  config.numAttrs = early && launches_early(device) ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, kernel, arguments...), what);
}

}  // namespace watersmeet::exec
