#pragma once
// The two back ends, as types: the first argument of every loop. OnCpu: OpenMP threads and packs, in the headers named *_cpu; OnCuda: kernels
// in the queue's stream, in those named *_cuda. A file of loops includes the header without either, which takes that of its compiler.

namespace watersmeet::exec {

struct OnCpu {
  static constexpr bool device = false;
};
struct OnCuda {
  static constexpr bool device = true;
};

}  // namespace watersmeet::exec
