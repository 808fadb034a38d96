#pragma once
// Shell-averaged spectra of periodic fields: E_c(k) = sum over the shell k - 1/2 <= |n| < k + 1/2
// of |u_n|^2 / 2, where n is the wave vector in units of the smallest wave number of the box (2 pi
// / longest side), so that the sum over k is <u_c^2> / 2 (Parseval). Transforms in double
// precision, cuFFT on the GPU, KissFFT on the CPU; bins are added in a fixed order, which does not
// depend on threads or ranks.
//
// On several ranks each transforms planes along x and y, then columns along z: every value is sent
// twice, and no rank holds more than its part of one component.

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "core/types.hpp"

namespace watersmeet::solve {

struct SpectrumInput {
  Index3 n{1, 1, 1};
  Real3 length{1, 1, 1};
  Precision precision = Precision::double_;
  // First interior element of each component of this rank's box, in the memory of the queue's back
  // end, and the strides.
  std::vector<const void*> components;
  std::int64_t stride_i = 1, stride_j = 0, stride_k = 0;
  // The boxes of all ranks cover the grid, each cell once. Null: this process holds all cells.
  comm::Communicator* team = nullptr;
  Box mine{};
};

struct ShellSpectra {
  std::vector<double> k;                       // 0, 1, 2, ...
  std::vector<std::vector<double>> component;  // [component][shell]
  std::vector<double> total;
};

// How many shells the spectra of a box have, up to the mode in the corner of the wave numbers; 1 and
// more, not a number for lengths that are none.
double number_of_shells(const Index3& n, const Real3& length);

// The spectra over all ranks, on rank 0; empty on the others. Collective. Waits for the queue. Scratch of a rank:
// its part of one component in complex double precision (half a grid of complex numbers plus one
// plane), on several ranks three times on the host.
ShellSpectra shell_spectra(const SpectrumInput& input, const Queue& queue);

namespace detail {
// The steps of a transform, in the memory of one back end.
class FourierSteps {
 public:
  virtual ~FourierSteps() = default;
  // Cells (i, j, k) of an input of n cells to values[(k n_y + j) pitch + i].
  virtual void pack(const SpectrumInput& input, std::size_t component, const Index3& n,
                    double* values, std::int64_t pitch, const Queue& queue) const = 0;
  // In place, n[2] planes by themselves: rows of 2 (n_x/2 + 1) reals to [n_y][n_x/2 + 1] complex
  // numbers.
  virtual void transform_planes(double* values, const Index3& n, const Queue& queue) const = 0;
  // In place, complex numbers [n][columns] along n.
  virtual void transform_columns(double* values, std::int64_t n, std::int64_t columns,
                                 const Queue& queue) const = 0;
  // |scale z|^2 of `count` complex numbers, on the host. Waits.
  virtual std::vector<double> power(const double* values, std::int64_t count, double scale,
                                    const Queue& queue) const = 0;
};
const FourierSteps& fourier_steps_cpu();
const FourierSteps& fourier_steps_cuda();
}  // namespace detail

}  // namespace watersmeet::solve
