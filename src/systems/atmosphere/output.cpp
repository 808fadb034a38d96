// Output of the atmosphere to the rest of the program: quantities, time series, notes, and what a
// checkpoint keeps.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/reduced_cells.hpp"

namespace watersmeet::atmosphere {

std::string AtmosphereSystem::summary() const {
  const ReferenceKind kind = request_.reference.kind;
  return fmt::format(
      "compressible Euler with gravity{} about {} reference{}{}{}, {}, {}, {}",
      globe_ ? " on a sphere" : "",
      kind == ReferenceKind::neutral      ? "a neutral"
      : kind == ReferenceKind::stratified ? "a stratified"
      : kind == ReferenceKind::isothermal ? "an isothermal"
                                          : "a tabulated",
      traits_.terrain ? " over terrain" : "", request_.z_faces.empty() ? "" : ", stretched levels",
      flow_.viscosity > 0 ? ", viscous" : "", reconstruction_name_, riemann_name_, scheme_.name);
}

std::vector<Variable> AtmosphereSystem::variables() const {
  const std::string momentum = "mass/(length^2 time)";
  const bool box = globe_ == nullptr;
  const Kind kind = box ? Kind::cartesian : Kind::local;
  const std::string first =
                        "momentum along the panel's first angle, contravariant, times the radius",
                    second =
                        "momentum along the panel's second angle, contravariant, times the radius";
  return {{"rho", "departure of the density", "mass/length^3", Kind::scalar, Location::cell, 0},
          {box ? "mx" : "mu", box ? "momentum along x" : first, momentum, kind, Location::cell, 0},
          {box ? "my" : "mv", box ? "momentum along y" : second, momentum, kind, Location::cell, 1},
          {box ? "mz" : "mw", box ? "momentum along z" : "momentum upwards", momentum,
           box ? kind : Kind::scalar, Location::cell, box ? 2 : 0},
          {"energy", "departure of the energy, potential energy included", "pressure", Kind::scalar,
           Location::cell, 0}};
}

std::vector<systems::QuantityInfo> AtmosphereSystem::quantities() const {
  return systems::present(outputs().fields, {globe_ ? on_sphere : in_box});
}

std::vector<std::string> AtmosphereSystem::default_fields() const {
  std::vector<std::string> fields = {"theta_perturbation", "velocity"};
  if (traits_.terrain) fields.push_back("height");
  return fields;
}

mesh::MultiBlockMesh AtmosphereSystem::cell_corners() const {
  const mesh::Uniform& g = request_.ground.geometry;
  const Levels levels = request_.levels();
  const Index3 cells = request_.ground.cells;
  const Index3 n = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
  const double depth = globe_ ? globe_->top() : flow_.mesh.medium.depth;
  mesh::MultiBlockMesh mesh;
  // A block of corners over ground at heights h, whose places follow from their heights above
  // `bottom` (medium.hpp).
  const auto add_block = [&](const std::vector<double>& h, double bottom, const auto& place) {
    mesh::CurvilinearBlock block(n);
    for (std::int64_t k = 0; k < n[2]; ++k) {
      const double zeta = levels.face(k);
      for (std::int64_t j = 0; j < n[1]; ++j) {
        for (std::int64_t i = 0; i < n[0]; ++i) {
          const double ground = h[static_cast<std::size_t>(j * n[0] + i)];
          block.set({i, j, k}, place(i, j, bottom + zeta + ground * (1 - zeta / depth)));
        }
      }
    }
    mesh.blocks.push_back(std::move(block));
  };
  if (!globe_) {
    add_block(request_.ground.corners({0, 0}, {n[0], n[1]}), g.lower[2],
              [&](std::int64_t i, std::int64_t j, double z) {
                return Real3{g.lower[0] + static_cast<double>(i) * g.spacing[0],
                             g.lower[1] + static_cast<double>(j) * g.spacing[1], z};
              });
    return mesh;
  }
  const mesh::MultiBlockMesh surface = mesh::cubed_sphere_nodes(globe_->n(), 1);
  for (int panel = 0; panel < mesh::panels; ++panel) {
    add_block(globe_->ground_corners(panel, 0, n[0]), globe_->planet().radius,
              [&](std::int64_t i, std::int64_t j, double r) {
                Real3 at = surface.block(panel).at({i, j, 0});
                for (double& c : at) c *= r;
                return at;
              });
  }
  return mesh;
}

void AtmosphereSystem::evaluate(const std::string& quantity, std::span<const Box> boxes,
                                void* packed) {
  const auto& all = outputs().fields;  // in the order of enum Quantity
  const auto known = std::find_if(all.begin(), all.end(), [&](const systems::QuantityInfo& info) {
    return info.name == quantity &&
           (info.when.empty() || info.when == (globe_ ? on_sphere : in_box));
  });
  require(known != all.end(), "evaluate: no such quantity");
  evaluate_boxes(loops(), launch(0, 1), static_cast<std::size_t>(known - all.begin()),
                 known->components, boxes, packed);
}

std::vector<systems::SeriesColumn> AtmosphereSystem::series_columns() const {
  return systems::present(outputs().series, {globe_ ? on_sphere : in_box});
}

// In the order of outputs().series.
std::vector<double> AtmosphereSystem::series() {
  std::vector<double> sum, largest;
  const auto reduce = [&]<int sums, int maxima>() {
    const auto r = systems::reduced_cells<sums, maxima>(*team_, cells_[0] * cells_[1] * cells_[2],
                                                        all_cells(loops()), launch(0, 1));
    sum.assign(r.data(), r.data() + sums);
    largest.assign(r.data() + sums, r.data() + sums + maxima);
  };
  if (globe_) {
    reduce.template operator()<sphere_sums, sphere_maxima>();
  } else {
    fill_ghosts();
    reduce.template operator()<box_sums, box_maxima>();
  }
  const double volume = cell_volume();
  const Beginning now{sum[sum_mass] * volume, sum[sum_energy] * volume};
  if (!beginning_) beginning_ = now;
  const double mass = sum[sum_reference_mass] * volume + now.mass;
  const double energy = sum[sum_reference_energy] * volume + now.energy;
  std::vector<double> row = {mass, (now.mass - beginning_->mass) / mass, energy,
                             (now.energy - beginning_->energy) / energy, sum[sum_kinetic] * volume};
  const auto add_range = [&](std::size_t place) {
    row.insert(row.end(), {largest[place], -largest[place + 1]});
  };
  if (!globe_) {
    for (std::size_t a = 0; a < 3; ++a) row.push_back(sum[sum_momentum_x + a] * volume);
  }
  add_range(max_theta);
  add_range(max_pressure);
  if (!globe_) add_range(max_u);
  add_range(max_w);
  row.push_back(largest[max_speed]);
  if (!globe_) {
    const double front = largest[max_front];
    row.push_back(front > -1e37 ? front : request_.ground.geometry.lower[0]);
  }
  return row;
}

std::map<std::string, double> AtmosphereSystem::checkpoint_scalars() const {
  if (!beginning_) return {};
  return {{"initial_mass", beginning_->mass}, {"initial_energy", beginning_->energy}};
}

void AtmosphereSystem::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto mass = numbers.find("initial_mass"), energy = numbers.find("initial_energy");
  if (mass == numbers.end() || energy == numbers.end()) return;
  beginning_ = Beginning{mass->second, energy->second};
}

std::map<std::string, std::string> AtmosphereSystem::notes() const {
  std::map<std::string, std::string> notes;
  if (const std::string& sides = boundaries_.description(); !sides.empty())
    notes["boundary"] = sides;
  const bool sponge = request_.top.on() || request_.sides[0].on() || request_.sides[1].on();
  if (!sponge) return notes;
  // Whether a component of [[initial]] is the number that the wind has, on a sphere 0.
  std::array<double, 3> wind = {flow_.wind[0], flow_.wind[1], 0};
  if (globe_) wind = {};
  const auto same = [&](std::size_t a) {
    const std::string& text = initial_.velocity[a];
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || (*end == '\0' && value == wind[a]);
  };
  if (!globe_state_ && same(0) && same(1) && same(2)) return notes;
  notes["sponge"] =
      globe_
          ? "draws the flow to rest, not to the velocity of [[initial]]: the wind of the initial "
            "state decays inside the sponge"
          : fmt::format(
                "draws the flow to physics.wind = ({:g}, {:g}, {:g}), not to the velocity of "
                "[[initial]]: where the two differ the wind changes inside the sponge",
                wind[0], wind[1], wind[2]);
  return notes;
}

std::vector<std::string> AtmosphereSystem::failure_hints() const {
  std::vector<std::string> hints;
  if (flow_.limiter == schemes::Limiter::none) {
    hints.push_back("numerics.reconstruction.limiter = \"vanleer\", for shocks");
  }
  if (flow_.riemann == Riemann::ausm) hints.push_back("numerics.riemann = \"lmars\"");
  if (gives_beyond_sides() || has_fluxes()) hints.push_back(systems::side_values_hint);
  if (precision_ == Precision::single_) hints.push_back("numerics.precision = \"double\"");
  return hints;
}

}  // namespace watersmeet::atmosphere
