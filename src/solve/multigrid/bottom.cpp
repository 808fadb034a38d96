// Eigenvectors of the axes of the coarsest level.
#include "solve/multigrid/bottom.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace watersmeet::solve {

namespace {
AxisModes make_axis_modes(const AxisOperator& o) {
  const auto n = static_cast<Eigen::Index>(o.n());
  const auto at = [](const std::vector<double>& v, Eigen::Index i) { return v[std::size_t(i)]; };
  Eigen::MatrixXd s = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index below = (i + n - 1) % n, above = (i + 1) % n;
    // Weights at sides without a neighbour are 0; a ring of two cells meets the other one twice.
    s(i, below) += at(o.lower, i) * std::sqrt(at(o.width, i) / at(o.width, below));
    s(i, above) += at(o.upper, i) * std::sqrt(at(o.width, i) / at(o.width, above));
    s(i, i) -= at(o.diagonal, i);
  }
  const Eigen::MatrixXd symmetric = (s + s.transpose()) / 2;  // of round-off
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  AxisModes modes;
  modes.n = o.n();
  for (Eigen::Index m = 0; m < n; ++m) modes.eigenvalue.push_back(solver.eigenvalues()(m));
  for (Eigen::Index from = 0; from < n; ++from) {
    for (Eigen::Index to = 0; to < n; ++to) {
      modes.forward.push_back(solver.eigenvectors()(from, to) * std::sqrt(at(o.width, from)));
      modes.back.push_back(solver.eigenvectors()(to, from) / std::sqrt(at(o.width, to)));
    }
  }
  return modes;
}
}  // namespace

BottomModes make_bottom_modes(const Level& level) {
  BottomModes modes;
  for (std::size_t a = 0; a < 3; ++a) {
    modes.axis[a] = make_axis_modes(level.axis[a]);
    const auto& sides = level.problem.sides;
    const bool open =
        sides[2 * a] == PoissonSide::dirichlet || sides[2 * a + 1] == PoissonSide::dirichlet;
    // All eigenvalues are at most 0 and ascend.
    if (!open) modes.axis[a].eigenvalue.back() = 0;
  }
  return modes;
}

}  // namespace watersmeet::solve
