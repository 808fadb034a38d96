#define EIGEN_DONT_PARALLELIZE
#include "solve/poisson/dense_modes.hpp"

#include <Eigen/Core>
#include <cmath>

#include "solve/symmetric_modes.hpp"

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
  Eigen::VectorXd width(n);
  std::vector<double> diagonal(static_cast<std::size_t>(n), 0.0);
  std::vector<double> beside(static_cast<std::size_t>(n > 1 ? n - 1 : 0));
  for (std::int64_t j = 0; j < n; ++j) width[j] = problem.width(axis, j);
  for (std::int64_t face = 1; face < n; ++face) {
    const auto f = static_cast<std::size_t>(face);
    const double k = 1 / problem.distance(axis, face);
    diagonal[f - 1] += k / width[face - 1];
    diagonal[f] += k / width[face];
    beside[f - 1] = -k / std::sqrt(width[face - 1] * width[face]);
  }
  if (side(0) == PoissonSide::dirichlet)
    diagonal.front() += 2 / (problem.distance(axis, 0) * width[0]);
  if (side(1) == PoissonSide::dirichlet)
    diagonal.back() += 2 / (problem.distance(axis, n) * width[n - 1]);

  SymmetricModes found;
  if (problem.periodic(axis) && n > 1) {
    const double k = 1 / problem.distance(axis, 0);
    diagonal.front() += k / width[0];
    diagonal.back() += k / width[n - 1];
    const auto m = static_cast<std::size_t>(n);
    std::vector<double> matrix(m * m, 0.0);
    for (std::size_t i = 0; i < m; ++i) matrix[i * m + i] = diagonal[i];
    for (std::size_t i = 0; i + 1 < m; ++i)
      matrix[i * m + i + 1] = matrix[(i + 1) * m + i] = beside[i];
    const double corner = k / std::sqrt(width[0] * width[n - 1]);
    matrix[m - 1] -= corner;  // two cells are neighbours on both sides
    matrix[(m - 1) * m] -= corner;
    found = symmetric_modes(matrix);
  } else {
    found = symmetric_modes(diagonal, beside);
  }
  Eigen::MatrixXd q = Eigen::Map<const Eigen::MatrixXd>(found.vector.data(), n, n);
  Eigen::VectorXd mu = Eigen::Map<const Eigen::VectorXd>(found.value.data(), n);
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
