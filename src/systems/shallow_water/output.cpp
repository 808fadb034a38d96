// Output of shallow water to the rest of the program: quantities, time series, notes, and what a
// checkpoint keeps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "systems/reduced_cells.hpp"
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

std::string ShallowWaterSystem::summary() const {
  return fmt::format("shallow water{}, {}, {}, {}{}", sphere_ ? " on a sphere" : "",
                     reconstruction_name_, riemann_name_, scheme_.name,
                     flow_.wet_dry ? ", wetting and drying" : "");
}

std::vector<Variable> ShallowWaterSystem::variables() const {
  const std::string discharge = "length^2/time";
  if (sphere_) {
    return {{"eta", "level of the water", "length", Kind::scalar, Location::cell, 0},
            {"hu", "discharge along the panel's first angle, contravariant, times the radius",
             discharge, Kind::local, Location::cell, 0},
            {"hv", "discharge along the panel's second angle, contravariant, times the radius",
             discharge, Kind::local, Location::cell, 1}};
  }
  return {{"eta", "level of the water", "length", Kind::scalar, Location::cell, 0},
          {"hu", "discharge along x", discharge, Kind::cartesian, Location::cell, 0},
          {"hv", "discharge along y", discharge, Kind::cartesian, Location::cell, 1}};
}

std::vector<std::string> ShallowWaterSystem::conditions() const {
  std::vector<std::string> all = {sphere_ ? on_sphere : on_plane};
  if (sphere_state_ && sphere_state_->exact()) all.push_back(with_exact_flow);
  return all;
}

std::vector<systems::QuantityInfo> ShallowWaterSystem::quantities() const {
  return systems::present(outputs().fields, conditions());
}

void ShallowWaterSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                  void* packed) {
  const auto known = quantities();
  for (std::size_t q = 0; q < known.size(); ++q) {
    if (known[q].name != quantity) continue;
    const int wanted = static_cast<int>(q);
    const int with_ghosts = sphere_ ? static_cast<int>(SphereQuantity::vorticity)
                                    : static_cast<int>(Quantity::vorticity);
    if (wanted >= with_ghosts) fill_ghosts();
    exec::Launch l = launch(0, 1);
    const int components = known[q].components;
    evaluate_boxes(boxes, components, packed, [&](const Box& box, void* to) {
      l.box = box;
      loops_->evaluate(l, wanted, components, to);
    });
    return;
  }
  require(false, "evaluate: no such quantity");
}

std::vector<systems::SeriesColumn> ShallowWaterSystem::series_columns() const {
  return systems::present(outputs().series, conditions());
}

std::vector<double> ShallowWaterSystem::series() {
  if (sphere_) return sphere_series();
  fill_ghosts();
  constexpr int sums = sums_end, maxima = maxima_end;
  const auto r =
      systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1], *loops_, launch(0, 1));
  const double* const largest = r.data() + sums;
  const double area = cell_area();
  const double volume = r[sum_volume] * area, kinetic = r[sum_kinetic] * area;
  const double energy = kinetic + r[sum_potential] * area;
  const double enstrophy = r[sum_enstrophy] * area;
  if (!beginning_) beginning_ = Beginning{volume, energy, enstrophy};
  // What is here, and what has left, is what was here.
  const double left = has_sides() ? outflow_.sums(team_->communicator(), queue_)[0] : 0.0;
  const auto drift = [](double now, double before) {
    return before != 0 ? (now - before) / std::abs(before) : 0.0;
  };
  const bool wet = r[sum_wet] > 0;
  return {volume,
          drift(volume + left, beginning_->volume),
          energy,
          drift(energy, beginning_->energy),
          kinetic,
          r[sum_momentum_x] * area,
          r[sum_momentum_y] * area,
          enstrophy,
          drift(enstrophy, beginning_->enstrophy),
          wet ? largest[max_eta] : 0.0,
          wet ? -largest[max_minus_eta] : 0.0,
          largest[max_depth],
          -largest[max_minus_depth],
          largest[max_speed],
          largest[max_froude],
          r[sum_wet] * area};
}

std::map<std::string, double> ShallowWaterSystem::checkpoint_scalars() const {
  std::map<std::string, double> numbers;
  if (has_sides()) outflow_.save(numbers, team_->communicator(), queue_);
  if (!beginning_) return numbers;
  numbers["initial_volume"] = beginning_->volume;
  numbers["initial_energy"] = beginning_->energy;
  numbers["initial_enstrophy"] = beginning_->enstrophy;
  return numbers;
}

void ShallowWaterSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  if (has_sides()) outflow_.restore_scalars(numbers, queue_);
  if (numbers.count("initial_volume") == 0) return;
  const auto number = [&](const char* name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0.0 : found->second;
  };
  beginning_ =
      Beginning{number("initial_volume"), number("initial_energy"), number("initial_enstrophy")};
}

std::map<std::string, std::string> ShallowWaterSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (flow_.wet_dry) notes["dry_depth"] = fmt::format("{:.9g}", flow_.dry_depth);
  return notes;
}

std::vector<std::string> ShallowWaterSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (!flow_.wet_dry && !sphere_) {
    hints.push_back("numerics.wet_dry = true: eta is not a number where the depth went to 0");
  }
  if (flow_.limiter == schemes::Limiter::none) {
    hints.push_back("numerics.reconstruction.limiter = \"vanleer\", for bores");
  }
  if (flow_.riemann != Riemann::hllc) hints.push_back("numerics.riemann = \"hllc\"");
  if (precision_ == Precision::single_) hints.push_back("numerics.precision = \"double\"");
  return hints;
}

}  // namespace watersmeet::shallow_water
