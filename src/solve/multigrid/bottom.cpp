// Eigenvectors of the axes of the coarsest level.
#include "solve/multigrid/bottom.hpp"

#include <cmath>
#include <utility>

#include "solve/symmetric_modes.hpp"

namespace watersmeet::solve {

namespace {
AxisModes make_axis_modes(const AxisOperator& o) {
  const auto n = static_cast<std::size_t>(o.n());
  std::vector<double> s(n * n, 0.0), symmetric(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t below = (i + n - 1) % n, above = (i + 1) % n;
    // Weights at sides without a neighbour are 0; a ring of two cells meets the other one twice.
    s[i * n + below] += o.lower[i] * std::sqrt(o.width[i] / o.width[below]);
    s[i * n + above] += o.upper[i] * std::sqrt(o.width[i] / o.width[above]);
    s[i * n + i] -= o.diagonal[i];
  }
  for (std::size_t i = 0; i < n; ++i)  // of round-off
    for (std::size_t j = 0; j < n; ++j) symmetric[i * n + j] = (s[i * n + j] + s[j * n + i]) / 2;
  SymmetricModes found = symmetric_modes(symmetric);
  AxisModes modes;
  modes.n = o.n();
  modes.eigenvalue = std::move(found.value);
  for (std::size_t from = 0; from < n; ++from) {
    for (std::size_t to = 0; to < n; ++to) {
      modes.forward.push_back(found.vector[to * n + from] * std::sqrt(o.width[from]));
      modes.back.push_back(found.vector[from * n + to] / std::sqrt(o.width[to]));
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
