#define EIGEN_DONT_PARALLELIZE
#include "solve/symmetric_modes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::solve {

namespace {
using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

SymmetricModes modes_of(const Solver& solver) {
  if (solver.info() != Eigen::Success)
    throw Error(ErrorKind::internal, "the eigenvectors of an axis were not found");
  const Eigen::VectorXd& mu = solver.eigenvalues();
  const Eigen::MatrixXd& q = solver.eigenvectors();
  return {{mu.data(), mu.data() + mu.size()}, {q.data(), q.data() + q.size()}};
}
}  // namespace

SymmetricModes symmetric_modes(const std::vector<double>& matrix) {
  const auto n = std::llround(std::sqrt(static_cast<double>(matrix.size())));
  return modes_of(Solver(Eigen::Map<const Eigen::MatrixXd>(matrix.data(), n, n)));
}

SymmetricModes symmetric_modes(const std::vector<double>& diagonal,
                               const std::vector<double>& beside) {
  const auto vector = [](const std::vector<double>& v) {
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size())));
  };
  Solver solver;
  solver.computeFromTridiagonal(vector(diagonal), vector(beside));
  return modes_of(solver);
}

}  // namespace watersmeet::solve
