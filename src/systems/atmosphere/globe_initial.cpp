// The initial state on a cubed sphere: point values in the middle of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

namespace {
// Metric of every column of a panel.
std::vector<schemes::PanelPoint<double>> metrics_of(std::int64_t n) {
  const mesh::AngleTable table = mesh::angle_table(n, 0.5, 0, 0);
  std::vector<schemes::PanelPoint<double>> all;
  for (std::size_t j = 0; j < table.tan.size(); ++j) {
    for (std::size_t i = 0; i < table.tan.size(); ++i) {
      all.push_back(schemes::panel_point(table.tan[i], table.cos2[i], table.tan[j], table.cos2[j]));
    }
  }
  return all;
}
}  // namespace

AtmosphereSystem::Fields AtmosphereSystem::globe_fields(const Globe& globe, std::int64_t first,
                                                        std::int64_t end) const {
  const std::int64_t n = globe.n(), levels = globe.levels();
  const std::size_t columns = static_cast<std::size_t>(n * n);
  const ReferenceState& ref = request_.reference;
  Fields f;
  for (std::vector<double>* v :
       {&f.rho, &f.p, &f.velocity[0], &f.velocity[1], &f.velocity[2], &f.z}) {
    v->resize(columns * static_cast<std::size_t>(end - first));
  }
  const auto [matter_text, pressure_text] = initial_texts();
  std::vector<config::Expression> expressions;
  for (const std::string& text : {matter_text, pressure_text, initial_.velocity[0],
                                  initial_.velocity[1], initial_.velocity[2]}) {
    expressions.emplace_back(text.empty() ? "0" : text, std::vector<std::string>{"lon", "lat", "z"},
                             constants_);
  }
  std::vector<double> lon(columns), lat(columns), ground(columns), matter(columns);
  int known = -1;  // panel of lon, lat and ground
  for (std::int64_t k = first; k < end; ++k) {
    const int panel = static_cast<int>(k / levels);
    if (panel != known) {
      const std::vector<double> h = globe.ground_corners(panel, 0, n + 1);
      for (std::size_t c = 0; c < columns; ++c) {
        const std::int64_t i = static_cast<std::int64_t>(c) % n,
                           j = static_cast<std::int64_t>(c) / n;
        const mesh::LonLat at = globe.grid().place(panel, i, j);
        lon[c] = at.lon;
        lat[c] = at.lat;
        const double* const corner = h.data() + j * (n + 1) + i;
        ground[c] = 0.25 * ((corner[0] + corner[n + 1]) + (corner[1] + corner[n + 2]));
      }
      known = panel;
    }
    const std::size_t row = static_cast<std::size_t>(k - first) * columns;
    double* const z = f.z.data() + row;
    for (std::size_t c = 0; c < columns; ++c) z[c] = globe.height(ground[c], k % levels);
    if (globe_state_) {
      for (std::size_t c = 0; c < columns; ++c) {
        const GlobeValues v = globe_state_->at(lon[c], lat[c], z[c]);
        f.p[row + c] = v.p - ref.p(z[c]);
        f.rho[row + c] = v.rho(ref.gas.r_d) - ref.rho(z[c]);
        f.velocity[0][row + c] = v.east;
        f.velocity[1][row + c] = v.north;
      }
    } else {
      const double* const coordinates[3] = {lon.data(), lat.data(), z};
      double* const out[5] = {matter.data(), f.p.data() + row, f.velocity[0].data() + row,
                              f.velocity[1].data() + row, f.velocity[2].data() + row};
      for (std::size_t e = 0; e < 5; ++e) expressions[e].evaluate_row(columns, coordinates, out[e]);
      for (std::size_t c = 0; c < columns; ++c) {
        f.rho[row + c] = density_departure(matter[c], f.p[row + c], z[c]);
      }
    }
    for (std::size_t c = 0; c < columns; ++c) {
      const auto at = static_cast<std::int64_t>(c);
      const auto u = globe.grid().components(panel, at % n, at / n, f.velocity[0][row + c],
                                             f.velocity[1][row + c]);
      f.velocity[0][row + c] = u[0];
      f.velocity[1][row + c] = u[1];
    }
  }
  check_fields(f, [&](std::size_t c) {
    const auto at = static_cast<std::int64_t>(c);
    const std::int64_t k = first + at / (n * n), i = at % n, j = at / n % n;
    const mesh::LonLat place = globe.grid().place(static_cast<int>(k / levels), i, j);
    return fmt::format("cell ({}, {}) of panel {}, level {}, lon = {:g}, lat = {:g}", i, j,
                       k / levels, k % levels, place.lon, place.lat);
  });
  return f;
}

void AtmosphereSystem::initialise_globe() {
  const auto metrics = metrics_of(globe_->n());
  store_fields(globe_fields(*globe_, 0, cells_[2]),
               [&](std::size_t c, const Point<double>& w, const Reference<double>& here) {
                 return stored_on(metrics[c % metrics.size()], w, here, flow_.gamma);
               });
}

// From a coarse sphere: its waves are as fast as those of the fine one.
double AtmosphereSystem::estimate_globe_step() const {
  const std::int64_t n = std::min<std::int64_t>(globe_->n(), 12);
  const std::int64_t levels = std::min<std::int64_t>(globe_->levels(), 12);
  Globe coarse(n, levels, globe_->top(), globe_->planet());
  const Fields f = globe_fields(coarse, 0, mesh::panels * levels);
  const auto metrics = metrics_of(n);
  const ReferenceState& ref = request_.reference;
  // As GlobeFlow::share().
  const double thick = globe_->level_thickness();
  const double share = split() ? std::min(1.0, 0.5 * thick / globe_->spacing()) : 1.0;
  exec::Clock clock;
  for (std::size_t c = 0; c < f.z.size(); ++c) {
    const auto& m = metrics[c % metrics.size()];
    const double a =
        std::sqrt(flow_.gamma * (ref.p(f.z[c]) + f.p[c]) / (ref.rho(f.z[c]) + f.rho[c]));
    const double lateral = std::abs(f.velocity[0][c]) + std::abs(f.velocity[1][c]) +
                           a * (std::sqrt(m.g11()) + std::sqrt(m.g22()));
    clock.signal = std::max(clock.signal, lateral / globe_->spacing() +
                                              (std::abs(f.velocity[2][c]) + share * a) / thick);
  }
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

}  // namespace watersmeet::atmosphere
