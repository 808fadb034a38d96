// Averages over the planes of cells across the heated axis, or across gravity where nothing is
// heated: what the time series sums, plane by plane.
#include <algorithm>
#include <cmath>

#include "comm/exact_reduction.hpp"
#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

std::vector<systems::SeriesColumn> BoussinesqSystem::profile_columns() const {
  const auto columns = systems::with_names(outputs().profiles, "SCALAR", further_scalars());
  return systems::with_names(columns, "AXIS", {std::string(1, "xyz"[profile_axis()])});
}

std::vector<double> BoussinesqSystem::profiles() {
  constexpr int sums = sums_end, maxima = maxima_end;
  tables_.set_now(clock(), queue_);
  fill_ghosts(0);
  const int axis = profile_axis();
  const auto a = static_cast<std::size_t>(axis);
  const Index3& cells = staggered_.cells();
  const Box& mine = domain_->box(0);
  const std::int64_t of_plane = cells[0] * cells[1] * cells[2] / cells[a];
  std::vector<double> rows;
  for (std::int64_t plane = 0; plane < cells[a]; ++plane) {
    exec::Launch l = launch(0, 1);
    const bool here = plane >= mine.lower[a] && plane < mine.upper[a];
    l.box.lower[a] += plane - mine.lower[a];
    l.box.upper[a] = l.box.lower[a] + 1;
    const std::vector<double> r = over_scalars([&] {
      std::vector<double> of_pass(sums + maxima);
      comm::reduce_exactly(
          team_->communicator(), sums, maxima, of_plane,
          [&](double* largest) {
            if (here) loops_->measure(l, largest);
          },
          [&](const exec::SumScale* scales, std::int64_t* high_low) {
            if (here) loops_->count(l, scales, high_low);
          },
          of_pass.data());
      return of_pass;
    });
    // The sums are weighted with the widths of cells over their means, of which that across the plane
    // is the same all over it, and the others have the mean 1.
    const double weight = staggered_.stretched(axis)
                              ? staggered_.width(axis, plane) * static_cast<double>(cells[a]) /
                                    staggered_.length(axis)
                              : 1.0;
    const auto mean = [&](std::size_t s) {
      return r[s] / (static_cast<double>(of_plane) * weight);
    };
    const double temperature = mean(sum_temperature);
    const double variance = mean(sum_temperature2) - temperature * temperature;
    rows.insert(
        rows.end(),
        {staggered_.centre(axis, plane), temperature, std::sqrt(std::max(0.0, variance)),
         std::sqrt(mean(sum_u2)), std::sqrt(mean(sum_v2)), std::sqrt(mean(sum_w2)), mean(sum_flux),
         parameters_.viscosity * mean(sum_velocity_gradient2), mean(sum_temperature_gradient2)});
    for (std::size_t n = sums + maxima; n < r.size(); ++n) rows.push_back(mean(n));
  }
  return rows;
}

}  // namespace watersmeet::boussinesq
