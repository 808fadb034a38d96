// The bed and the initial state on a cubed sphere: point values at the centres of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

namespace {

struct Places {
  std::vector<double> lon, lat;
};

Places places_of(const Sphere& sphere, int first_panel, int panels) {
  Places p;
  for (int panel = first_panel; panel < first_panel + panels; ++panel) {
    for (std::int64_t j = 0; j < sphere.n(); ++j) {
      for (std::int64_t i = 0; i < sphere.n(); ++i) {
        const mesh::LonLat at = sphere.place(panel, i, j);
        p.lon.push_back(at.lon);
        p.lat.push_back(at.lat);
      }
    }
  }
  return p;
}

std::string place_text(const Sphere& sphere, int first_panel, const Places& p, std::size_t cell) {
  const auto at = static_cast<std::int64_t>(cell), n = sphere.n();
  return fmt::format("cell ({}, {}) of panel {}, lon = {:g}, lat = {:g}", at % n, at / n % n,
                     first_panel + at / (n * n), p.lon[cell], p.lat[cell]);
}

}  // namespace

ShallowWaterSystem::Fields ShallowWaterSystem::sphere_fields(const Sphere& sphere, int first_panel,
                                                             int panels) const {
  const Places places = places_of(sphere, first_panel, panels);
  const std::size_t cells = places.lon.size();
  const auto place = [&](std::size_t p) { return place_text(sphere, first_panel, places, p); };
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
    const auto fill = [&](const std::string& key, const std::string& text) {
      config::Expression e(text.empty() ? "0" : text, {"lon", "lat"}, constants_);
      const double* const columns[2] = {places.lon.data(), places.lat.data()};
      std::vector<double> values(cells);
      e.evaluate_row(cells, columns, values.data());
      for (std::size_t p = 0; p < cells; ++p) {
        if (std::isfinite(values[p])) continue;
        throw Error(ErrorKind::user_input,
                    fmt::format("{} is {:g} at {}; it must be finite", key, values[p], place(p)));
      }
      return values;
    };
    f.bed = fill("physics.bed", bed_text_);
    f.surface = fill(surface_key_, depth_text_.empty() ? surface_text_ : depth_text_);
    f.u = fill(velocity_key_, velocity_text_[0]);
    f.v = fill(velocity_key_, velocity_text_[1]);
    if (!depth_text_.empty()) {
      for (std::size_t p = 0; p < cells; ++p) f.surface[p] += f.bed[p];
    }
  }
  const std::int64_t n = sphere.n();
  for (std::size_t p = 0; p < cells; ++p) {
    const auto at = static_cast<std::int64_t>(p);
    const auto u = sphere.components(first_panel + static_cast<int>(at / (n * n)), at % n,
                                     at / n % n, f.u[p], f.v[p]);
    f.u[p] = u[0];
    f.v[p] = u[1];
  }
  settle_fields(f, place);
  return f;
}

std::vector<double> ShallowWaterSystem::sphere_bed() const {
  return sphere_fields(*sphere_, sphere_->call().first_panel, sphere_->call().panels_here).bed;
}

// From a coarse sphere: its waves are as fast as those of the fine one.
double ShallowWaterSystem::estimate_sphere_step() const {
  const std::int64_t n = std::min<std::int64_t>(sphere_->n(), 24);
  Sphere coarse(n, sphere_->planet());
  const Fields f = sphere_fields(coarse, 0, mesh::panels);
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
