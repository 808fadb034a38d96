#pragma once
// The least time that the hardware allows (Williams, Waterman and Patterson, Roofline, Communications
// of the ACM 52(4), 2009, 65-76): the longer of the time to move the bytes of a kernel at the copy
// bandwidth and the time of its operations at the arithmetic peak. Bytes and operations are lower
// bounds too: every array once, nothing computed twice.

#include <algorithm>
#include <vector>

#include "exec/kernel_report.hpp"

namespace watersmeet::bench {

struct Roofline {
  double bandwidth = 0;  // bytes/s of a copy, read and written
  double peak = 0;       // flop/s, a multiply-add being two; 0: not known

  double seconds(double bytes, double flops) const {
    const double moving = bandwidth > 0 ? bytes / bandwidth : 0;
    return peak > 0 ? std::max(moving, flops / peak) : moving;
  }
  // Whether both limits are known, so that seconds() also bounds kernels limited by arithmetic.
  bool complete() const { return bandwidth > 0 && peak > 0; }
};

// The totals of a step, over all launches of its kernels.
inline exec::KernelTime sum_of(const std::vector<exec::KernelTime>& kernels) {
  exec::KernelTime sum;
  for (const exec::KernelTime& k : kernels) {
    sum.seconds += k.launches * k.seconds;
    sum.bytes += k.launches * k.bytes;
    sum.flops += k.launches * k.flops;
    sum.slow_flops += k.launches * k.slow_flops;
  }
  return sum;
}

}  // namespace watersmeet::bench
