#pragma once
// How many single-precision multiply-adds a multiprocessor of a CUDA device starts per clock: the
// table of arithmetic throughput in NVIDIA's CUDA C++ Programming Guide, which no function of the
// runtime reports. That of double precision follows by the ratio that the runtime does report.

namespace watersmeet {

// compute_capability: 90 for 9.0. 0 when it is not in the table.
constexpr int single_precision_lanes(int compute_capability) {
  switch (compute_capability) {
    case 70:  // V100
    case 75:  // T4
    case 80:  // A100
      return 64;
    case 86:   // A40, GeForce 30
    case 87:   // Orin
    case 89:   // L40, GeForce 40
    case 90:   // H100, H200, GH200
    case 100:  // B200
    case 120:  // GeForce 50
      return 128;
    default:
      return 0;
  }
}

}  // namespace watersmeet
