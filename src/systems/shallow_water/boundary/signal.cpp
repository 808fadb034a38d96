#include "systems/shallow_water/boundary/signal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace watersmeet::shallow_water {

namespace {

constexpr int intervals = 64;  // of time

double signal_of_side(const BoundaryConditions& conditions, const SidesOfPlane& plane, int side,
                      double end) {
  const BoundaryCondition& condition = conditions.side(side);
  const std::size_t a = static_cast<std::size_t>(side / 2), b = 1 - a;
  const mesh::Uniform& g = plane.geometry;
  const std::int64_t outermost = side % 2 == 1 ? plane.cells[a] - 1 : 0;
  const double face =
      g.lower[a] + static_cast<double>(side % 2 == 1 ? plane.cells[a] : 0) * g.spacing[a];
  const auto n = static_cast<std::size_t>(plane.cells[b]);
  std::vector<double> along(n), t(n), bed(n), surface(n), u(n), v(n);
  for (std::size_t c = 0; c < n; ++c) {
    along[c] = g.coordinate(static_cast<int>(b), static_cast<std::int64_t>(c));
  }
  const std::vector<double> at_face(n, face),
      at_cell(n, g.coordinate(static_cast<int>(a), outermost));
  const auto columns = [&](const std::vector<double>& across) {
    return std::array<const double*, 3>{a == 0 ? across.data() : along.data(),
                                        a == 0 ? along.data() : across.data(), t.data()};
  };
  config::Expression(plane.bed, {"x", "y"}, conditions.constants())
      .evaluate_row(n, columns(at_cell).data(), bed.data());
  std::vector<config::Expression> values;
  bool live = false;
  for (const std::string& text : condition.values) {
    values.emplace_back(text, std::vector<std::string>{"x", "y", "t"}, conditions.constants());
    live = live || values.back().depends_on("t");
  }
  double largest = 0;
  for (int moment = 0; moment <= (live && end > 0 ? intervals : 0); ++moment) {
    std::fill(t.begin(), t.end(), end * moment / intervals);
    std::vector<double>* const rows[3] = {&surface, &u, &v};
    for (std::size_t q = 0; q < 3; ++q) {
      values[q].evaluate_row(n, columns(at_face).data(), rows[q]->data());
    }
    for (std::size_t c = 0; c < n; ++c) {
      const double h = condition.has_surface() ? std::max(surface[c] - bed[c], 0.0) : 0.0;
      const double celerity = std::sqrt(plane.gravity * h);
      const double signal = (std::abs(u[c]) + celerity) * plane.inverse_spacing[0] +
                            (std::abs(v[c]) + celerity) * plane.inverse_spacing[1];
      if (std::isfinite(signal))
        largest = std::max(largest, signal);  // others are reported elsewhere
    }
  }
  return largest;
}

}  // namespace

double fastest_signal(const BoundaryConditions& conditions, const SidesOfPlane& plane, double end) {
  double largest = 0;
  for (int side = 0; side < 4; ++side) {
    if (!conditions.side(side).prescribes()) continue;
    largest = std::max(largest, signal_of_side(conditions, plane, side, end));
  }
  return largest;
}

}  // namespace watersmeet::shallow_water
