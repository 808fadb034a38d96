// Eigenvectors by Eigen: the QL iteration on a tridiagonal matrix; that of a periodic axis is made
// tridiagonal first.
#define EIGEN_DONT_PARALLELIZE
#include "solve/poisson/dense_modes.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::solve {

namespace {
// A mode may have either sign. On every machine the same: the first of its largest entries is
// positive.
void fix_sign(Eigen::Ref<Eigen::VectorXd> q) {
  const double least = q.cwiseAbs().maxCoeff() * (1 - 1e-6);
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    if (std::fabs(q[j]) < least) continue;
    if (q[j] < 0) q = -q;
    return;
  }
}
}  // namespace

DenseModes dense_modes(const PoissonProblem& problem, int axis) {
  const std::int64_t n = problem.cells[static_cast<std::size_t>(axis)];
  const auto side = [&](int upper) {
    return problem.sides[static_cast<std::size_t>(2 * axis + upper)];
  };
  Eigen::VectorXd width(n), diagonal = Eigen::VectorXd::Zero(n), beside(n > 1 ? n - 1 : 0);
  for (std::int64_t j = 0; j < n; ++j) width[j] = problem.width(axis, j);
  for (std::int64_t face = 1; face < n; ++face) {
    const double k = 1 / problem.distance(axis, face);
    diagonal[face - 1] += k / width[face - 1];
    diagonal[face] += k / width[face];
    beside[face - 1] = -k / std::sqrt(width[face - 1] * width[face]);
  }
  if (side(0) == PoissonSide::dirichlet) diagonal[0] += 2 / (problem.distance(axis, 0) * width[0]);
  if (side(1) == PoissonSide::dirichlet)
    diagonal[n - 1] += 2 / (problem.distance(axis, n) * width[n - 1]);

  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  if (problem.periodic(axis) && n > 1) {
    const double k = 1 / problem.distance(axis, 0);
    diagonal[0] += k / width[0];
    diagonal[n - 1] += k / width[n - 1];
    Eigen::MatrixXd matrix = diagonal.asDiagonal();
    matrix.diagonal(1) = beside;
    matrix.diagonal(-1) = beside;
    const double corner = k / std::sqrt(width[0] * width[n - 1]);
    matrix(0, n - 1) -= corner;  // two cells are neighbours on both sides
    matrix(n - 1, 0) -= corner;
    solver.compute(matrix);
  } else {
    solver.computeFromTridiagonal(diagonal, beside);
  }
  if (solver.info() != Eigen::Success) {
    throw Error(ErrorKind::internal, "the modes of a stretched axis were not found");
  }

  Eigen::MatrixXd q = solver.eigenvectors();
  Eigen::VectorXd mu = solver.eigenvalues();
  const bool constants = side(0) != PoissonSide::dirichlet && side(1) != PoissonSide::dirichlet;
  if (constants) {
    mu[0] = 0;
    // The computed one is off by round-off times the largest over the smallest other eigenvalue.
    // The other modes must have no mean, or phi would have one.
    q.col(0) = width.cwiseSqrt() / std::sqrt(width.sum());
    for (std::int64_t m = 1; m < n; ++m) q.col(m) -= q.col(0).dot(q.col(m)) * q.col(0);
  }
  for (std::int64_t m = 0; m < n; ++m) fix_sign(q.col(m));
  DenseModes modes;
  modes.mu.assign(mu.data(), mu.data() + n);
  const std::size_t count = static_cast<std::size_t>(n * n);
  modes.forward.resize(count);
  modes.backward.resize(count);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::VectorXd root = width.cwiseSqrt();
  Eigen::Map<Rows>(modes.forward.data(), n, n) = q.transpose() * root.asDiagonal();
  Eigen::Map<Rows>(modes.backward.data(), n, n) = root.cwiseInverse().asDiagonal() * q;
  return modes;
}

}  // namespace watersmeet::solve
