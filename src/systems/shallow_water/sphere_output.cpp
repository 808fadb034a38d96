// What shallow water on a sphere tells the rest of the program: time series, and the known flow that it compares with.
#include <algorithm>
#include <cmath>

#include "memory/rounded.hpp"
#include "systems/reduced_cells.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/stage_times.hpp"

namespace watersmeet::shallow_water {

// The known flow at the time of the solution.
void ShallowWaterSystem::follow_reference() {
  if (!sphere_state_ || !sphere_state_->exact()) return;
  const double t = sphere_state_->moving() ? systems::solution_time(clock(), queue_) : 0;
  if (reference_.registers() > 0 && t == reference_time_) return;
  if (reference_.registers() == 0) {
    reference_ = memory::State(shapes(domain_->block(0).n), n_variables, 1, precision_, queue_);
    const BlockLayout& layout = reference_.layout(0);
    case_.known = {
        {reference_.start(0)}, layout.first, layout.stride_var, sphere_state_->background()};
  }
  reference_time_ = t;
  const Box& box = domain_->box(0);
  std::vector<double> values[3];
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    const int panel = static_cast<int>(k);
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) {
        const auto [lon, lat] = sphere_->place(panel, i, j);
        const SphereValues v = sphere_state_->at(lon, lat, t);
        const auto u = sphere_->components(panel, i, j, v.east, v.north);
        values[0].push_back(v.depth);
        values[1].push_back(u[0]);
        values[2].push_back(u[1]);
      }
    }
  }
  for (int v = 0; v < 3; ++v) memory::store_rounded(reference_, 0, v, values[v], queue_);
}

std::vector<double> ShallowWaterSystem::sphere_series() {
  fill_ghosts();
  follow_reference();
  constexpr int sums = sphere_sums_end, maxima = sphere_maxima_end;
  const auto r = systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1] * cells_[2],
                                                      *loops_, launch(0, 1));
  const double* const largest = r.data() + sums;
  const double area = cell_area();
  const double volume = r[sphere_volume] * area, kinetic = r[sphere_kinetic] * area;
  const double energy = kinetic + r[sphere_potential] * area;
  const double enstrophy = r[sphere_enstrophy] * area;
  if (!beginning_) beginning_ = Beginning{volume, energy, enstrophy};
  const auto drift = [](double now, double before) {
    return before != 0 ? (now - before) / std::abs(before) : 0.0;
  };
  std::vector<double> row = {volume,
                             drift(volume, beginning_->volume),
                             energy,
                             drift(energy, beginning_->energy),
                             kinetic,
                             enstrophy,
                             drift(enstrophy, beginning_->enstrophy),
                             largest[sphere_max_eta],
                             -largest[sphere_max_minus_eta],
                             largest[sphere_max_depth],
                             -largest[sphere_max_minus_depth],
                             largest[sphere_max_speed],
                             largest[sphere_max_froude]};
  if (!sphere_state_ || !sphere_state_->exact()) return row;
  const auto ratio = [](double error, double size) { return size > 0 ? error / size : 0.0; };
  row.push_back(ratio(r[sphere_error_1], r[sphere_reference_1]));
  row.push_back(std::sqrt(ratio(r[sphere_error_2], r[sphere_reference_2])));
  row.push_back(ratio(largest[sphere_max_error], largest[sphere_max_reference]));
  row.push_back(std::sqrt(ratio(r[sphere_velocity_error], r[sphere_velocity_reference])));
  return row;
}

}  // namespace watersmeet::shallow_water
