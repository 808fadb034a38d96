#pragma once
// What the hardware allows at best (Williams, Waterman and Patterson 2009): a kernel takes at least
// the time to move its bytes at the copy bandwidth and that to do its operations at the arithmetic
// peak. Bytes and operations are lower bounds too: every array once, nothing computed twice.

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
  // Whether that is a bound of kernels that compute as well as move.
  bool complete() const { return bandwidth > 0 && peak > 0; }
};

// All launches of a step.
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
