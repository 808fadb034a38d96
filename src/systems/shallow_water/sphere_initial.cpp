// The bed and the initial state on a cubed sphere: point values at the centres of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

namespace {

struct Places {
  std::vector<double> lon, lat;
};

// A cell of a box by its number.
Index3 cell_of(const Box& box, std::size_t number) {
  const auto at = static_cast<std::int64_t>(number);
  const std::int64_t row = box.size(0), plane = row * box.size(1);
  return {box.lower[0] + at % row, box.lower[1] + at / row % box.size(1),
          box.lower[2] + at / plane};
}

Places places_of(const Sphere& sphere, const Box& box) {
  Places p;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) {
        const mesh::LonLat at = sphere.place(static_cast<int>(k), i, j);
        p.lon.push_back(at.lon);
        p.lat.push_back(at.lat);
      }
    }
  }
  return p;
}

std::string place_text(const Box& box, const Places& p, std::size_t number) {
  const Index3 cell = cell_of(box, number);
  return fmt::format("cell ({}, {}) of panel {}, lon = {:g}, lat = {:g}", cell[0], cell[1], cell[2],
                     p.lon[number], p.lat[number]);
}

}  // namespace

ShallowWaterSystem::Fields ShallowWaterSystem::sphere_fields(const Sphere& sphere,
                                                             const Box& box) const {
  const Places places = places_of(sphere, box);
  const std::size_t cells = places.lon.size();
  const auto place = [&](std::size_t p) { return place_text(box, places, p); };
  Fields f;
  if (sphere_state_) {
    for (std::vector<double>* v : {&f.bed, &f.surface, &f.u, &f.v}) v->resize(cells);
    for (std::size_t p = 0; p < cells; ++p) {
      const SphereValues v = sphere_state_->at(places.lon[p], places.lat[p], 0);
      f.bed[p] = v.bed;
      f.surface[p] = v.bed + v.depth;
      f.u[p] = v.east;
      f.v[p] = v.north;
    }
  } else {
    const auto fill = [&](const config::Fault& key, const std::string& text) {
      config::Expression e(text.empty() ? "0" : text, {"lon", "lat"}, constants_);
      const double* const columns[2] = {places.lon.data(), places.lat.data()};
      std::vector<double> values(cells);
      e.evaluate_row(cells, columns, values.data());
      require_finite(key, values, place);
      return values;
    };
    f.bed = fill(bed_place_, bed_text_);
    f.surface = fill(surface_place_, depth_text_.empty() ? surface_text_ : depth_text_);
    f.u = fill(velocity_place_, velocity_text_[0]);
    f.v = fill(velocity_place_, velocity_text_[1]);
    if (!depth_text_.empty()) {
      for (std::size_t p = 0; p < cells; ++p) f.surface[p] += f.bed[p];
    }
  }
  for (std::size_t p = 0; p < cells; ++p) {
    const Index3 cell = cell_of(box, p);
    const auto u = sphere.components(static_cast<int>(cell[2]), cell[0], cell[1], f.u[p], f.v[p]);
    f.u[p] = u[0];
    f.v[p] = u[1];
  }
  settle_fields(f, place);
  return f;
}

std::vector<double> ShallowWaterSystem::sphere_bed() const {
  return sphere_fields(*sphere_, domain_->box(0)).bed;
}

// From a coarse sphere: its waves are as fast as those of the fine one.
double ShallowWaterSystem::estimate_sphere_step() const {
  const std::int64_t n = std::min<std::int64_t>(sphere_->n(), 24);
  Sphere coarse(n, sphere_->planet());
  const Fields f = sphere_fields(coarse, {{0, 0, 0}, {n, n, mesh::panels}});
  const mesh::AngleTable table = mesh::angle_table(n, 0.5, 0, 0);
  exec::Clock clock;
  for (std::size_t p = 0; p < f.bed.size(); ++p) {
    const auto at = static_cast<std::int64_t>(p);
    const std::size_t i = static_cast<std::size_t>(at % n),
                      j = static_cast<std::size_t>(at / n % n);
    const auto m = schemes::panel_point(table.tan[i], table.cos2[i], table.tan[j], table.cos2[j]);
    const bool carried = sphere_state_ && sphere_state_->advection();
    const double c = carried ? 0 : std::sqrt(flow_.gravity * (f.surface[p] - f.bed[p]));
    const double signal =
        (std::abs(f.u[p]) + std::abs(f.v[p]) + c * (std::sqrt(m.g11()) + std::sqrt(m.g22()))) /
        sphere_->spacing();
    clock.signal = std::max(clock.signal, signal);
  }
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

}  // namespace watersmeet::shallow_water
