#pragma once
// The Poisson problem on a box of cells, for programs of one's own (a test compiles and runs this
// example as it stands here):
//
//   watersmeet::PoissonBox box;
//   box.cells = {64, 64, 32};
//   box.length = {2, 2, 1};
//   box.sides[4] = box.sides[5] = watersmeet::PoissonBoundary::neumann;  // z; x and y are periodic
//   watersmeet::Poisson poisson(box);
//   std::vector<double> rhs(64 * 64 * 32), phi(rhs.size());  // [k][j][i]
//   rhs.front() = 1, rhs.back() = -1;  // of mean 0, as no side is of Dirichlet's kind
//   poisson.solve(rhs, phi);
//
// It solves div grad phi = rhs in the second-order form of the staggered grid, whose residual is
// that of the flux balance of every cell:
//
//   sum over the axes of
//     [ (phi_{i+1} - phi_i) / dc_{i+1} - (phi_i - phi_{i-1}) / dc_i ] / d_i = rhs_i
//
// with d the width of a cell and dc the distance of two centres. Values are in the caller's units:
// phi has those of rhs times a length squared.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace watersmeet {

// What phi does at a side: it continues at the opposite one; its flux is 0; it is 0 on the face.
// Other values at a side are brought to the right-hand side by the caller: an outward derivative g
// adds -g / d to rhs in the cells there, a value v adds -2 v / (d dc), where dc is twice the
// distance of centre and face.
enum class PoissonBoundary { periodic, neumann, dirichlet };

struct PoissonBox {
  std::array<std::int64_t, 3> cells{1, 1, 1};  // along x, y, z; 1: a direction that does not count
  std::array<double, 3> length{1, 1, 1};       // of axes with equal cells
  // cells + 1 ascending coordinates of the faces of an axis; empty: equal cells. Then `length` of
  // that axis has no meaning.
  std::array<std::vector<double>, 3> faces;
  // Lower x, upper x, lower y, upper y, lower z, upper z.
  std::array<PoissonBoundary, 6> sides{};
};

struct PoissonOptions {
  // "fft", "gemm" (direct), "mg", "mgcg" (iterative), or "auto": fft where x and y have equal
  // cells, else gemm, else mg.
  std::string method = "auto";
  std::string device = "auto";  // "cpu", "gpu", or "auto": a GPU if there is one
  int threads = 0;              // of the CPU; 0: all processors of this process
  bool single_precision = false;
  // Without a Dirichlet side there is a solution only where rhs has mean 0. True: the mean is taken
  // off. False: a mean above round-off, 1e-12 of the largest value (1e-5 in single precision), is
  // an error.
  bool remove_mean = false;
  // For iterative methods: they end when no residual is larger than this times the largest
  // right-hand side, or after so many cycles.
  double tolerance = 1e-10;
  int most_cycles = 60;
};

struct PoissonReport {
  int cycles = 0;       // 0 for a direct method
  double residual = 0;  // largest of all cells, over the largest right-hand side
};

// One problem, set up once and solved for many right-hand sides. Set-up takes memory for five
// arrays of the box and, with gemm, the eigenvectors of the axes with dense transforms; a solve
// allocates nothing of that size. Not for several threads at once.
class Poisson {
 public:
  // Error{user_input} for a box or options that make no sense, naming what was found and what is
  // allowed; Error{resource} when memory or a device is missing; Error{unsupported} for more cells
  // along an axis than the method can take.
  explicit Poisson(const PoissonBox& box, const PoissonOptions& options = {});
  ~Poisson();
  Poisson(Poisson&&) noexcept;
  Poisson& operator=(Poisson&&) noexcept;

  // Host arrays of cells[2] * cells[1] * cells[0] values without ghosts, [k][j][i], x fastest. phi:
  // the guess of an iterative method on entry, the solution on return; without a Dirichlet side it
  // has mean 0 by volume. rhs and phi may be the same array. Error{user_input} for arrays of
  // another size, and for a mean (see remove_mean); Error{diverged} when a value is not finite or
  // an iterative method does not reach its tolerance nor round-off. phi is as it was then.
  PoissonReport solve(std::span<const double> rhs, std::span<double> phi);

  std::string method() const;    // "fft"
  std::string describe() const;  // "Fourier in x, Fourier in y, tridiagonal in z"

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace watersmeet
