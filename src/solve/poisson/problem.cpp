// What a Poisson problem must be, and the distances of its grid.
#include "solve/poisson/problem.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::solve {

namespace {
std::string faces_fault(char axis, std::int64_t cells, const std::vector<double>& faces) {
  if (static_cast<std::int64_t>(faces.size()) != cells + 1) {
    return fmt::format("{} cells along {} have {} faces, not {}", cells, axis, cells + 1,
                       faces.size());
  }
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (!std::isfinite(faces[f])) {
      return fmt::format("face {} along {} is at {}, which is not a finite number", f, axis,
                         faces[f]);
    }
    if (f > 0 && !(faces[f] > faces[f - 1])) {
      return fmt::format("faces along {} must ascend: face {} is at {}, face {} at {}", axis, f - 1,
                         faces[f - 1], f, faces[f]);
    }
  }
  return {};
}
}  // namespace

bool PoissonProblem::singular() const {
  for (const PoissonSide side : sides) {
    if (side == PoissonSide::dirichlet) return false;
  }
  return true;
}

std::string PoissonProblem::fault() const {
  for (std::size_t a = 0; a < 3; ++a) {
    const char axis = "xyz"[a];
    if (cells[a] < 1) {
      return fmt::format("a Poisson problem needs at least 1 cell along {}, not {}", axis,
                         cells[a]);
    }
    const bool lower = sides[2 * a] == PoissonSide::periodic;
    const bool upper = sides[2 * a + 1] == PoissonSide::periodic;
    if (lower != upper) {
      return fmt::format("the {} side along {} is periodic and the {} one is not: both or none",
                         lower ? "lower" : "upper", axis, lower ? "upper" : "lower");
    }
    if (!faces[a].empty()) {
      if (std::string text = faces_fault(axis, cells[a], faces[a]); !text.empty()) return text;
    } else if (!std::isfinite(spacing[a]) || !(spacing[a] > 0)) {
      return fmt::format("the spacing along {} must be a positive number, not {}", axis,
                         spacing[a]);
    }
  }
  return {};
}

double PoissonProblem::width(int axis, std::int64_t cell) const {
  const std::size_t a = static_cast<std::size_t>(axis), c = static_cast<std::size_t>(cell);
  return faces[a].empty() ? spacing[a] : faces[a][c + 1] - faces[a][c];
}

double PoissonProblem::distance(int axis, std::int64_t face) const {
  const std::size_t a = static_cast<std::size_t>(axis);
  if (faces[a].empty()) return spacing[a];
  const std::int64_t n = cells[a];
  if (face > 0 && face < n) return 0.5 * (width(axis, face - 1) + width(axis, face));
  if (periodic(axis)) return 0.5 * (width(axis, 0) + width(axis, n - 1));
  return width(axis, face == 0 ? 0 : n - 1);
}

}  // namespace watersmeet::solve
