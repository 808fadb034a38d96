#pragma once
// Eigenvalues and eigenvectors of a symmetric matrix, by the QL iteration of Eigen. In one file, because Eigen's templates take long to compile.

#include <vector>

namespace watersmeet::solve {

struct SymmetricModes {
  std::vector<double> value;   // ascending
  std::vector<double> vector;  // [mode * n + row], each of length 1, of either sign
};

// matrix: n x n. Errors: Error{internal} where the iteration does not end.
SymmetricModes symmetric_modes(const std::vector<double>& matrix);
// Of a tridiagonal matrix: beside[i] stands at (i, i + 1) and (i + 1, i).
SymmetricModes symmetric_modes(const std::vector<double>& diagonal,
                               const std::vector<double>& beside);

}  // namespace watersmeet::solve
