// Output of shallow water to the rest of the program: quantities, time series, notes, and what a
// checkpoint keeps.
#include <fmt/format.h>

#include <cmath>

#include "memory/rounded.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/reduced_cells.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/stage_times.hpp"

namespace watersmeet::shallow_water {

std::string ShallowWaterSystem::summary() const {
  return fmt::format("shallow water{}, {}, {}, {}{}", sphere_ ? " on a sphere" : "",
                     reconstruction_name_, riemann_name_, scheme_.name,
                     traits_.wet_dry ? ", wetting and drying" : "");
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

// On a sphere states have components along the angles of panels.
std::vector<systems::FromFields> ShallowWaterSystem::from_fields() const {
  const std::string velocity = sphere_ ? mesh::panel_velocity : "velocity";
  std::vector<systems::FromFields> all = {
      systems::same_as_field("eta", "surface"),
      {"eta", {{"depth", 0}, {"bed", 0}}, [](const double* v) { return v[0] + v[1]; }}};
  for (int a = 0; a < 2; ++a) {
    const std::string name = std::string("h") + "uv"[a];
    if (!sphere_) all.push_back(systems::same_as_field(name, "discharge", a));
    all.push_back(
        {name, {{"depth", 0}, {velocity, a}}, [](const double* v) { return v[0] * v[1]; }});
    all.push_back({name, {{"surface", 0}, {"bed", 0}, {velocity, a}}, [](const double* v) {
                     return (v[0] - v[1]) * v[2];
                   }});
  }
  return all;
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
  const auto& all = outputs().fields;
  const std::size_t wanted = place_of(quantity, all);
  if (wanted >= static_cast<std::size_t>(Quantity::vorticity)) fill_ghosts();
  evaluate_boxes(*loops_, launch(0, 1), wanted, all[wanted].components, boxes, packed);
}

std::vector<systems::SeriesColumn> ShallowWaterSystem::series_columns() const {
  return systems::present(outputs().series, conditions());
}

void ShallowWaterSystem::follow_reference() {
  if (!sphere_state_ || !sphere_state_->exact()) return;
  const double t = sphere_state_->moving() ? systems::solution_time(clock(), queue_) : 0;
  if (reference_.registers() > 0 && t == reference_time_) return;
  if (reference_.registers() == 0) {
    reference_ = memory::State(shapes(domain_->block(0).n), n_variables, 1, precision_, queue_);
    const BlockLayout& layout = reference_.layout(0);
    case_.frame.known = {
        {reference_.start(0)}, layout.first, layout.stride_var, sphere_state_->background()};
  }
  reference_time_ = t;
  const Box& box = domain_->box(0);
  std::vector<double> values[3];
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    const int panel = static_cast<int>(k);
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) {
        const auto [lon, lat] = sphere_->grid().place(panel, i, j);
        const SphereValues v = sphere_state_->at(lon, lat, t);
        const auto u = sphere_->grid().components(panel, i, j, v.east, v.north);
        values[0].push_back(v.depth);
        values[1].push_back(u[0]);
        values[2].push_back(u[1]);
      }
    }
  }
  for (int v = 0; v < 3; ++v) memory::store_rounded(reference_, 0, v, values[v], queue_);
}

// In the order of outputs().series.
std::vector<double> ShallowWaterSystem::series() {
  fill_ghosts();
  follow_reference();
  const auto reduced = [&]<bool sphere>() {
    constexpr int sums = sums_of(sphere), maxima = maxima_of(sphere);
    const auto r = systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1] * cells_[2],
                                                        all_cells(*loops_), launch(0, 1));
    return std::vector<double>(r.begin(), r.end());
  };
  const std::vector<double> r = sphere_ ? reduced.operator()<true>() : reduced.operator()<false>();
  const double* const largest = r.data() + sums_of(sphere_ != nullptr);
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
  std::vector<double> row = {volume, drift(volume + left, beginning_->volume), energy,
                             drift(energy, beginning_->energy), kinetic};
  const auto add = [&](std::initializer_list<double> more) {
    row.insert(row.end(), more.begin(), more.end());
  };
  if (!sphere_) add({r[sum_momentum_x] * area, r[sum_momentum_y] * area});
  const bool wet = sphere_ || r[sum_wet] > 0;
  add({enstrophy, drift(enstrophy, beginning_->enstrophy), wet ? largest[max_eta] : 0.0,
       wet ? -largest[max_minus_eta] : 0.0, largest[max_depth], -largest[max_minus_depth],
       largest[max_speed], largest[max_froude]});
  if (!sphere_) add({r[sum_wet] * area});
  if (!sphere_state_ || !sphere_state_->exact()) return row;
  const auto ratio = [](double error, double size) { return size > 0 ? error / size : 0.0; };
  add({ratio(r[sum_error_1], r[sum_reference_1]),
       std::sqrt(ratio(r[sum_error_2], r[sum_reference_2])),
       ratio(largest[max_error], largest[max_reference]),
       std::sqrt(ratio(r[sum_velocity_error], r[sum_velocity_reference]))});
  return row;
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
  if (const std::string& sides = boundaries_.description(); !sides.empty())
    notes["boundary"] = sides;
  if (traits_.wet_dry) notes["dry_depth"] = fmt::format("{:.9g}", flow_.dry_depth);
  return notes;
}

std::vector<std::string> ShallowWaterSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (sides_read_state()) hints.push_back(systems::side_values_hint);
  if (!traits_.wet_dry && !sphere_) {
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
