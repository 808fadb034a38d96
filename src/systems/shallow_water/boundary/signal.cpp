#include "systems/shallow_water/boundary/signal.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace watersmeet::shallow_water {

namespace {

constexpr int intervals = 64;  // of time

double signal_of_side(const BoundaryConditions& conditions, const SidesOfPlane& plane, int side,
                      double end) {
  const BoundaryCondition& condition = conditions.side(side);
  const FacesOfSide faces = faces_of_side(plane.geometry, {{0, 0, 0}, plane.cells}, side);
  const std::vector<double> bed = bed_before(faces, plane.bed, conditions.constants());
  const std::size_t n = bed.size();
  std::vector<double> t(n), surface(n), u(n), v(n);
  const double* const columns[3] = {faces.x.data(), faces.y.data(), t.data()};
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
      values[q].evaluate_row(n, columns, rows[q]->data());
    }
    for (std::size_t c = 0; c < n; ++c) {
      const double h = condition.has_surface() ? std::max(surface[c] - bed[c], 0.0) : 0.0;
      const Primitive<double> w{{surface[c], u[c], v[c], bed[c]}};
      const double signal = plane.mesh.signal(w, std::sqrt(plane.gravity * h), {});
      // Others are reported elsewhere.
      if (std::isfinite(signal)) largest = std::max(largest, signal);
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
