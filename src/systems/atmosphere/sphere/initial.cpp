// The initial state on a cubed sphere: point values in the middle of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

namespace {
// Metric of the columns of a box of a panel.
std::vector<schemes::PanelPoint<double>> metrics_of(std::int64_t n, const Box& box) {
  const mesh::AngleTable table = mesh::angle_table(n, 0.5, 0, 0);
  std::vector<schemes::PanelPoint<double>> all;
  const auto number = [](std::int64_t m) { return static_cast<std::size_t>(m); };
  for (std::size_t j = number(box.lower[1]); j < number(box.upper[1]); ++j) {
    for (std::size_t i = number(box.lower[0]); i < number(box.upper[0]); ++i) {
      all.push_back(schemes::panel_point(table.tan[i], table.cos2[i], table.tan[j], table.cos2[j]));
    }
  }
  return all;
}
}  // namespace

AtmosphereSystem::Fields AtmosphereSystem::globe_fields(const Globe& globe, const Box& box) const {
  const std::int64_t n = globe.n(), levels = globe.levels(), nx = box.size(0);
  const std::size_t columns = static_cast<std::size_t>(nx * box.size(1));
  // The indices of a column of this rank in its panel.
  const auto place_of = [&](std::size_t c) {
    const auto at = static_cast<std::int64_t>(c);
    return std::array<std::int64_t, 2>{box.lower[0] + at % nx, box.lower[1] + at / nx};
  };
  const ReferenceState& ref = request_.reference;
  Fields f(columns * static_cast<std::size_t>(box.size(2)));
  const auto [matter_text, pressure_text] = initial_texts();
  std::vector<config::Expression> expressions;
  for (const std::string& text : {matter_text, pressure_text, initial_.velocity[0],
                                  initial_.velocity[1], initial_.velocity[2]}) {
    expressions.emplace_back(text.empty() ? "0" : text, std::vector<std::string>{"lon", "lat", "z"},
                             constants_);
  }
  std::vector<double> lon(columns), lat(columns), ground(columns), matter(columns);
  int known = -1;  // panel of lon, lat and ground
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    const int panel = static_cast<int>(k / levels);
    if (panel != known) {
      const std::vector<double> h = globe.ground_corners(panel, 0, n + 1);
      for (std::size_t c = 0; c < columns; ++c) {
        const auto [i, j] = place_of(c);
        const mesh::LonLat at = globe.grid().place(panel, i, j);
        lon[c] = at.lon;
        lat[c] = at.lat;
        const double* const corner = h.data() + j * (n + 1) + i;
        ground[c] = 0.25 * ((corner[0] + corner[n + 1]) + (corner[1] + corner[n + 2]));
      }
      known = panel;
    }
    const std::size_t row = static_cast<std::size_t>(k - box.lower[2]) * columns;
    double* const z = f.z.data() + row;
    for (std::size_t c = 0; c < columns; ++c) z[c] = globe.height(ground[c], k % levels);
    if (globe_state_) {
      ReferenceAt here(ref);
#pragma omp parallel for num_threads(queue_.threads) schedule(static) firstprivate(here)
      for (std::size_t c = 0; c < columns; ++c) {
        const GlobeValues v = globe_state_->at(lon[c], lat[c], z[c]);
        here.move_to(z[c]);
        f.p[row + c] = v.p - here.p();
        f.rho[row + c] = v.rho(ref.gas.r_d) - here.rho();
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
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
    for (std::size_t c = 0; c < columns; ++c) {
      const auto [i, j] = place_of(c);
      const auto u =
          globe.grid().components(panel, i, j, f.velocity[0][row + c], f.velocity[1][row + c]);
      f.velocity[0][row + c] = u[0];
      f.velocity[1][row + c] = u[1];
    }
  }
  check_fields(f, [&](std::size_t c) {
    const auto [i, j] = place_of(c % columns);
    const std::int64_t k = box.lower[2] + static_cast<std::int64_t>(c / columns);
    const mesh::LonLat place = globe.grid().place(static_cast<int>(k / levels), i, j);
    return CellPlace{
        fmt::format("cell ({}, {}) of panel {}, level {}, lon = {:g}, lat = {:g}, z = {:g}", i, j,
                    k / levels, k % levels, place.lon, place.lat, f.z[c]),
        {place.lon, place.lat, f.z[c]}};
  });
  return f;
}

void AtmosphereSystem::initialise_globe() {
  const Box& box = domain_->box(0);
  const auto metrics = metrics_of(globe_->n(), box);
  memory::Buffer staging;
  store_fields(
      globe_fields(*globe_, box), domain_->block(0).interior(),
      [&](std::size_t c, const Primitive<double>& w, const Reference<double>& here) {
        return conserved_of(metrics[c % metrics.size()], w, here, flow_.gamma);
      },
      staging);
}

// From a coarse sphere: its waves are as fast as those of the fine one.
double AtmosphereSystem::estimate_globe_step() const {
  const std::int64_t n = std::min<std::int64_t>(globe_->n(), 12);
  const bool stretched = globe_->stretched();
  const std::int64_t levels =
      stretched ? globe_->levels() : std::min<std::int64_t>(globe_->levels(), 12);
  const double top = globe_->top();
  Globe coarse(n, stretched ? globe_->heights() : Levels(levels, top / static_cast<double>(levels)),
               top, globe_->planet());
  const Box all{{0, 0, 0}, {n, n, mesh::panels * levels}};
  const Fields f = globe_fields(coarse, all);
  const auto metrics = metrics_of(n, all);
  const ReferenceState& ref = request_.reference;
  double largest = 0;
  for (std::size_t c = 0; c < f.z.size(); ++c) {
    const auto& m = metrics[c % metrics.size()];
    const auto layer = static_cast<std::int64_t>(c / metrics.size());
    const double thick =
        stretched ? globe_->heights().thickness(layer % levels) : globe_->level_thickness();
    // As Flow::share().
    const double share = split() ? std::min(1.0, 0.5 * thick / globe_->spacing()) : 1.0;
    const double a =
        std::sqrt(flow_.gamma * (ref.p(f.z[c]) + f.p[c]) / (ref.rho(f.z[c]) + f.rho[c]));
    const double lateral = std::abs(f.velocity[0][c]) + std::abs(f.velocity[1][c]) +
                           a * (std::sqrt(m.g11()) + std::sqrt(m.g22()));
    largest = std::max(
        largest, lateral / globe_->spacing() + (std::abs(f.velocity[2][c]) + share * a) / thick);
  }
  return step_of(largest);
}

}  // namespace watersmeet::atmosphere
