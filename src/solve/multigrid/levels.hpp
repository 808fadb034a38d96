#pragma once
// The levels of a geometric multigrid hierarchy for cell-centred unknowns: which axes are halved
// from one level to the next, the operator's weights on each, and the weights of the transfer
// between two. Everything is separable, a number for each cell of an axis, so that uniform and
// stretched axes and all kinds of sides are one code. Nothing here knows a smoother's kernels.
//
// A coarse cell is the union of two fine cells along each coarsened axis (no point is shared); on
// a stretched axis every second face stays:
//
//   fine      |-- 0 --|-- 1 --|-- 2 --|-- 3 --|
//   coarse    |------ 0 ------|------ 1 ------|
//
// Coarsening is semicoarsening until the cells are isotropic: point relaxation smooths only along
// the axes of the strongest coupling. See Trottenberg, Oosterlee & Schueller (2001), Multigrid,
// section 5.1 (anisotropy), 2.8.4 (cell-centred transfers).

#include <array>
#include <string>
#include <vector>

#include "solve/poisson/problem.hpp"

namespace watersmeet::solve {

// L along one axis, for cell i: lower phi_{i-1} + upper phi_{i+1} - diagonal phi_i. A side without
// a neighbour has the weight 0 there; what it adds to the diagonal is in it. A flat axis has zeros.
struct AxisOperator {
  bool periodic = false;
  std::vector<double> lower, upper, diagonal, width;
  std::int64_t n() const { return static_cast<std::int64_t>(width.size()); }
};
AxisOperator make_axis_operator(const PoissonProblem& problem, int axis);

// From fine cell i to its coarse cell and back, along one axis.
//   restriction     coarse value = sum over its children of share * value   (volume average)
//   interpolation   fine value = near * its coarse cell + far * the coarse cell beyond the nearer
//                   coarse face: linear between the centres (3/4, 1/4 where uniform), the ghost of
//                   a Neumann side being the mirror image, that of a Dirichlet side its negative
struct AxisTransfer {
  bool coarsened = false;
  std::vector<double> share, near, far;
};
AxisTransfer make_axis_transfer(const PoissonProblem& fine, const PoissonProblem& coarse, int axis,
                                bool coarsened);

enum class Smoother : int {
  red_black,      // Gauss-Seidel with over-relaxation, colour = parity of i + j + k
  jacobi,         // damped: a periodic axis of odd size cannot be coloured
  zebra_z,        // lines along z at once, colour = parity of i + j
  jacobi_lines_z  // lines along z, damped, for the same reason
};

// Sweeps of a level before its residual goes to the next coarser one, and after that one's
// correction has come: V(before, after).
struct Sweeps {
  int before = 2, after = 2;
};

// Over-relaxation of the half sweeps of a level, those before the transfer and those after it.
struct Relaxation {
  std::array<double, 4> before{1, 1, 1, 1}, after{1, 1, 1, 1};
};
// Half sweeps beyond the fourth are relaxed like it.
inline double of_half_sweep(const std::array<double, 4>& omega, int half_sweep) {
  return omega[static_cast<std::size_t>(half_sweep < 4 ? half_sweep : 3)];
}

struct Level {
  PoissonProblem problem;
  std::array<AxisOperator, 3> axis;
  std::array<AxisTransfer, 3> transfer;  // to the next coarser level; of the last one empty
  Smoother smoother = Smoother::red_black;
  double omega = 1;       // of damped sweeps
  Relaxation relaxation;  // of red-black ones
  const Index3& n() const { return problem.cells; }
  std::int64_t cells() const { return n()[0] * n()[1] * n()[2]; }
};

struct HierarchyOptions {
  double omega = 0;  // of red-black relaxation; 0: cube_relaxation() or level_omega()
  Sweeps sweeps;
  bool lines = false;               // along z wherever that is possible
  std::int64_t bottom_cells = 128;  // no coarser level below a level with so few
};

struct Hierarchy {
  std::vector<Level> levels;  // finest first
  const Level& bottom() const { return levels.back(); }
  int coarsest() const { return static_cast<int>(levels.size()) - 1; }
  // "7 levels, red-black, bottom 6 x 6 x 3"
  std::string describe() const;
};
Hierarchy make_hierarchy(const PoissonProblem& problem, const HierarchyOptions& options = {});

// The over-relaxation for red-black: omega = 2 / (1 + sqrt(1 - c^2)), f = 1 / h^2 and
// c = 1 - f_min / (f_x + f_y + f_z) over the axes that are not flat (Yavneh, 1996, On red-black SOR
// smoothing in multigrid, SIAM J. Sci. Comput. 17), at least 1.15; 1.15 where one is not halved.
double level_omega(const PoissonProblem& problem, const std::array<bool, 3>& halved);

// For levels of cubes, all of whose axes are halved: a factor for each half sweep, which together
// gain more than one factor for all can. null where nothing was searched for.
const Relaxation* cube_relaxation(const Sweeps& sweeps);

}  // namespace watersmeet::solve
