// Coarsening rules and weights of the levels.
#include "solve/multigrid/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace watersmeet::solve {

namespace {

// An axis is coarsened together with others whose cells are at most this much finer.
constexpr double isotropic_within = 1.5;
// Widths of a stretched axis may differ by this factor before points along z become lines.
constexpr double lines_from_stretching = 1.2;
// A level no larger than this is left to the bottom's solver when an axis that cannot be halved has
// become much finer than the others.
constexpr std::int64_t largest_bottom = 32768;
// And no axis of it longer than this, since the bottom has dense matrices of them.
constexpr std::int64_t longest_bottom = 256;
// Better than the formula's 1.07 on squares in two dimensions, and where an axis is not coarsened:
// TheLeastOverRelaxation in tests/exact/multigrid/contraction_test.cpp compares.
constexpr double least_omega = 1.15;

bool flat(const PoissonProblem& p, int axis) { return p.cells[std::size_t(axis)] == 1; }

double least_width(const PoissonProblem& p, int axis) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < p.cells[std::size_t(axis)]; ++i) {
    least = std::min(least, p.width(axis, i));
  }
  return least;
}
double largest_width(const PoissonProblem& p, int axis) {
  double largest = 0;
  for (std::int64_t i = 0; i < p.cells[std::size_t(axis)]; ++i) {
    largest = std::max(largest, p.width(axis, i));
  }
  return largest;
}

// Whether all cells are cubes, within what no smoother sees.
bool cubes(const PoissonProblem& p) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (int a = 0; a < 3; ++a) {
    least = std::min(least, least_width(p, a));
    largest = std::max(largest, largest_width(p, a));
  }
  return largest <= 1.02 * least;
}

bool halvable(const PoissonProblem& p, int axis) {
  const std::int64_t n = p.cells[std::size_t(axis)];
  return n > 1 && n % 2 == 0;
}

// Lines along z where points would smooth badly: the widths differ along the axis, so that no
// coarsening makes all cells isotropic, or z cannot be halved and has become the strong direction.
bool wants_lines(const PoissonProblem& p, bool always) {
  if (flat(p, 2) || p.periodic(2) || (flat(p, 0) && flat(p, 1))) return false;
  if (always) return true;
  if (p.stretched(2) && largest_width(p, 2) > lines_from_stretching * least_width(p, 2)) {
    return true;
  }
  double across = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 2; ++a) {
    if (!flat(p, a)) across = std::min(across, least_width(p, a));
  }
  return !halvable(p, 2) && isotropic_within * least_width(p, 2) < across;
}

Smoother choose_smoother(const PoissonProblem& p, bool lines) {
  const auto odd_ring = [&](int a) {
    return !flat(p, a) && p.periodic(a) && p.cells[std::size_t(a)] % 2 != 0;
  };
  if (wants_lines(p, lines)) {
    return odd_ring(0) || odd_ring(1) ? Smoother::jacobi_lines_z : Smoother::zebra_z;
  }
  return odd_ring(0) || odd_ring(1) || odd_ring(2) ? Smoother::jacobi : Smoother::red_black;
}

std::array<bool, 3> axes_to_halve(const PoissonProblem& p, bool lines) {
  std::array<bool, 3> halve{false, false, false};
  double least = std::numeric_limits<double>::infinity();
  // Lines take care of z however fine it is: then it does not hold the others back.
  for (int a = 0; a < (lines ? 2 : 3); ++a) {
    if (halvable(p, a)) least = std::min(least, least_width(p, a));
  }
  const double limit = isotropic_within * least * (1 + 1e-9);
  for (int a = 0; a < (lines ? 2 : 3); ++a) {
    halve[std::size_t(a)] = halvable(p, a) && least_width(p, a) <= limit;
  }
  // Lines smooth along z as points do, badly where that coupling is the weak one: z follows once
  // none of its cells is taller than they are wide.
  if (lines) halve[2] = halvable(p, 2) && largest_width(p, 2) <= least * (1 + 1e-9);
  return halve;
}

PoissonProblem halved(const PoissonProblem& p, const std::array<bool, 3>& halve) {
  PoissonProblem coarse = p;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!halve[a]) continue;
    coarse.cells[a] = p.cells[a] / 2;
    coarse.spacing[a] = 2 * p.spacing[a];
    if (p.faces[a].empty()) continue;
    coarse.faces[a].clear();
    for (std::size_t f = 0; f < p.faces[a].size(); f += 2) coarse.faces[a].push_back(p.faces[a][f]);
  }
  return coarse;
}

// Whether an axis that cannot be halved would be much finer than the others on the next level,
// with no lines along it.
bool stuck(const PoissonProblem& p, const std::array<bool, 3>& halve, bool lines) {
  double coarse = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    if (halve[std::size_t(a)]) coarse = std::min(coarse, 2 * least_width(p, a));
  }
  for (int a = 0; a < (lines ? 2 : 3); ++a) {
    if (!flat(p, a) && !halvable(p, a) && 3 * least_width(p, a) < coarse) return true;
  }
  return false;
}

}  // namespace

AxisOperator make_axis_operator(const PoissonProblem& problem, int axis) {
  AxisOperator o;
  o.periodic = problem.periodic(axis);
  const std::int64_t n = problem.cells[std::size_t(axis)];
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = problem.width(axis, i);
    double lower = 1 / (problem.distance(axis, i) * d);
    double upper = 1 / (problem.distance(axis, i + 1) * d);
    double diagonal = lower + upper;
    // At a Dirichlet side the ghost is -phi, at a Neumann side it is phi.
    const auto close = [&](double& weight, int side) {
      const bool dirichlet = problem.sides[std::size_t(2 * axis + side)] == PoissonSide::dirichlet;
      diagonal += dirichlet ? weight : -weight;
      weight = 0;
    };
    if (!o.periodic && i == 0) close(lower, 0);
    if (!o.periodic && i == n - 1) close(upper, 1);
    if (o.periodic && n == 1) lower = upper = diagonal = 0;
    o.lower.push_back(lower);
    o.upper.push_back(upper);
    o.diagonal.push_back(n == 1 && diagonal < 1e-9 / (d * d) ? 0 : diagonal);
    o.width.push_back(d);
  }
  return o;
}

AxisTransfer make_axis_transfer(const PoissonProblem& fine, const PoissonProblem& coarse, int axis,
                                bool coarsened) {
  AxisTransfer t;
  t.coarsened = coarsened;
  const std::int64_t n = fine.cells[std::size_t(axis)];
  for (std::int64_t i = 0; i < n; ++i) {
    if (!coarsened) {
      t.share.push_back(1);
      t.near.push_back(1);
      t.far.push_back(0);
      continue;
    }
    const std::int64_t c = i / 2, upper = i % 2, sibling = i + 1 - 2 * upper;
    t.share.push_back(fine.width(axis, i) / coarse.width(axis, c));
    // Distance of the fine centre from that of its coarse cell: half the sibling's width.
    const double far = fine.width(axis, sibling) / 2 / coarse.distance(axis, c + upper);
    const bool outside = !fine.periodic(axis) && (i == 0 || i == n - 1);
    const bool dirichlet = fine.sides[std::size_t(2 * axis + int(upper))] == PoissonSide::dirichlet;
    t.near.push_back(!outside ? 1 - far : dirichlet ? 1 - 2 * far : 1);
    t.far.push_back(outside ? 0 : far);
  }
  return t;
}

// Found by minimising the spectral radius of a cycle, the largest of three grids: 64 x 64 x 32
// cells between two walls, 32^3 with walls all round and without any (method of Nelder and Mead;
// eigenvalues by 24 steps of Arnoldi; one sweep each way on grids of half the size).
// FactorsOfHalfSweeps in tests/exact/multigrid/contraction_test.cpp has what they gain.
const Relaxation* cube_relaxation(const Sweeps& sweeps) {
  static constexpr Relaxation one_one{{1.149, 1.209, 1.209, 1.209}, {1.135, 1.232, 1.232, 1.232}};
  static constexpr Relaxation one_two{{0.975, 1.140, 1.140, 1.140}, {1.485, 1.141, 1.480, 1.096}};
  static constexpr Relaxation two_two{{1.351, 1.215, 1.294, 1.242}, {1.221, 1.443, 1.334, 1.357}};
  if (sweeps.before == 1 && sweeps.after == 1) return &one_one;
  if (sweeps.before == 1 && sweeps.after == 2) return &one_two;
  if (sweeps.before == 2 && sweeps.after == 2) return &two_two;
  return nullptr;
}

double level_omega(const PoissonProblem& problem, const std::array<bool, 3>& halved) {
  double sum = 0, least = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    if (flat(problem, a)) continue;
    if (!halved[std::size_t(a)]) return least_omega;
    const double h = least_width(problem, a), f = 1 / (h * h);
    sum += f;
    least = std::min(least, f);
  }
  if (sum == 0) return least_omega;
  const double c = 1 - least / sum;
  return std::max(least_omega, 2 / (1 + std::sqrt(1 - c * c)));
}

Hierarchy make_hierarchy(const PoissonProblem& problem, const HierarchyOptions& options) {
  Hierarchy h;
  PoissonProblem p = problem;
  for (;;) {
    Level level;
    level.problem = p;
    for (int a = 0; a < 3; ++a) level.axis[std::size_t(a)] = make_axis_operator(p, a);
    level.smoother = choose_smoother(p, options.lines);
    const bool lines =
        level.smoother == Smoother::zebra_z || level.smoother == Smoother::jacobi_lines_z;
    const std::array<bool, 3> halve = axes_to_halve(p, lines);
    level.omega = level.smoother == Smoother::red_black
                      ? (options.omega > 0 ? options.omega : level_omega(p, halve))
                  : level.smoother == Smoother::jacobi         ? 0.86
                  : level.smoother == Smoother::jacobi_lines_z ? 0.8
                                                               : 1;
    level.relaxation.before.fill(level.omega);
    level.relaxation.after.fill(level.omega);
    const Relaxation* const searched = cube_relaxation(options.sweeps);
    if (options.omega == 0 && searched != nullptr && halve[0] && halve[1] && halve[2] && cubes(p)) {
      level.relaxation = *searched;
    }
    const bool any = halve[0] || halve[1] || halve[2];
    const bool ends = !any || level.cells() <= options.bottom_cells ||
                      (level.cells() <= largest_bottom &&
                       std::max({p.cells[0], p.cells[1], p.cells[2]}) <= longest_bottom &&
                       stuck(p, halve, lines));
    const PoissonProblem coarse = ends ? p : halved(p, halve);
    if (!ends) {
      for (int a = 0; a < 3; ++a) {
        level.transfer[std::size_t(a)] = make_axis_transfer(p, coarse, a, halve[std::size_t(a)]);
      }
    }
    h.levels.push_back(std::move(level));
    if (ends) return h;
    p = coarse;
  }
}

std::string Hierarchy::describe() const {
  const auto name = [](Smoother s) {
    return s == Smoother::red_black ? "red-black"
           : s == Smoother::jacobi  ? "damped Jacobi (odd periodic size)"
           : s == Smoother::zebra_z ? "zebra lines along z"
                                    : "damped lines along z (odd periodic size)";
  };
  const std::size_t n = levels.size();
  std::string text = std::to_string(n) + (n == 1 ? " level" : " levels");
  // The smoothers in their order, each with the finest level on which it is used.
  for (std::size_t l = 0; l + 1 < n; ++l) {
    if (l > 0 && levels[l].smoother == levels[l - 1].smoother) continue;
    text += std::string(", ") + name(levels[l].smoother);
    if (l > 0) text += " from level " + std::to_string(l + 1);
  }
  const Index3& b = bottom().n();
  return text + ", bottom " + std::to_string(b[0]) + " x " + std::to_string(b[1]) + " x " +
         std::to_string(b[2]);
}

}  // namespace watersmeet::solve
