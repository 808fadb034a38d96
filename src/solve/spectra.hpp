#pragma once
// Shell-averaged spectra of periodic fields: E_c(k) = sum over the shell k - 1/2 <= |n| < k + 1/2
// of |u_n|^2 / 2, where n is the wave vector in units of the smallest wave number of the box (2 pi
// / longest side), so that the sum over k is <u_c^2> / 2 (Parseval). Transforms in double
// precision, cuFFT on the GPU, KissFFT on the CPU; bins are added in a fixed order.

#include <cstdint>
#include <vector>

#include "core/device.hpp"
#include "core/types.hpp"

namespace watersmeet::solve {

struct SpectrumInput {
  Index3 n{1, 1, 1};
  Real3 length{1, 1, 1};
  Precision precision = Precision::double_;
  // First interior element of each component, in the memory of the queue's back end, and the
  // strides (x: 1).
  std::vector<const void*> components;
  std::int64_t stride_j = 0, stride_k = 0;
};

struct ShellSpectra {
  std::vector<double> k;                       // 0, 1, 2, ...
  std::vector<std::vector<double>> component;  // [component][shell]
  std::vector<double> total;
};

// How many shells the spectra of a box have, up to the mode in the corner of the wave numbers; 1 and
// more, not a number for lengths that are none.
double number_of_shells(const Index3& n, const Real3& length);

// Waits for the queue. Scratch: one component in complex double precision (half a grid of complex
// numbers plus one plane).
ShellSpectra shell_spectra(const SpectrumInput& input, const Queue& queue);

namespace detail {
// |u_n|^2 / (points^2) of the half spectrum [kz][ky][0 .. nx/2], on the host.
std::vector<double> power_cpu(const SpectrumInput& input, std::size_t component,
                              const Queue& queue);
std::vector<double> power_cuda(const SpectrumInput& input, std::size_t component,
                               const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::solve
