// Reading a case on a cubed sphere.
#include <fmt/format.h>

#include "mesh/box.hpp"
#include "systems/idle_key.hpp"
#include "systems/named_state.hpp"
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

using config::FaultKind;

namespace {

// Edges of panels are interpolated along lines of four cells; a panel is of at least two of these.
constexpr std::int64_t fewest_cells = 8;

// Keys of a plane that a sphere does not use, where they differ from their defaults.
void refuse_plane(config::Input& input) {
  for (const char* const side : {"x", "y", "x_lower", "x_upper", "y_lower", "y_upper"}) {
    const std::string path = std::string("boundary.") + side;
    if (!input.is_set(path)) continue;
    input.fault(FaultKind::conflict, path + ".kind", "a sphere has no boundary", "remove it");
  }
  const auto refuse = [&](const char* key, bool given, const char* instead) {
    if (given)
      input.fault(FaultKind::conflict, key,
                  fmt::format("{} is a key of a plane, and this grid is a sphere", key), instead);
  };
  refuse("grid.lower", input.reals3("grid.lower") != Real3{0, 0, 0}, "remove it");
  refuse("grid.upper", input.reals3("grid.upper") != Real3{1, 1, 1}, "use grid.radius");
  for (const char* const key :
       {"physics.coriolis.f", "physics.coriolis.beta", "physics.coriolis.y0"}) {
    refuse(key, input.real(key) != 0, "use physics.rotation.rate");
  }
  if (input.boolean("numerics.wet_dry")) {
    input.fault(FaultKind::conflict, "numerics.wet_dry",
                "dry cells are not possible on a sphere: the surface is interpolated between "
                "panels, and dry cells have the bed in its place",
                "set wet_dry = false");
  }
}

}  // namespace

// False when there is no usable grid.
bool ShallowWaterSystem::configure_sphere(config::Input& input) {
  refuse_plane(input);
  const Planet earth;
  Planet planet;
  planet.radius = input.real_or_settled("grid.radius", earth.radius);
  planet.rate = input.real_or_settled("physics.rotation.rate", earth.rate);
  planet.tilt = input.real_or_settled("physics.rotation.tilt", 0);
  planet.gravity = input.real_or_settled("physics.gravity", earth.gravity);
  if (!input.is_good("grid.cells")) return false;
  cells_ = input.integers3("grid.cells");
  const std::int64_t n = cells_[0];
  if (cells_[1] != n || cells_[2] != mesh::panels) {
    input.fault(FaultKind::range, "grid.cells",
                fmt::format("{} x {} x {}: a cubed sphere has {} panels with the same number of "
                            "cells along every edge",
                            cells_[0], cells_[1], cells_[2], mesh::panels),
                fmt::format("write one number: cells = {}", n));
    return false;
  }
  if (n < fewest_cells) {
    input.fault(
        FaultKind::range, "grid.cells",
        fmt::format("{} cells along an edge are too few for the interpolation between panels", n),
        fmt::format("use {} or more", fewest_cells));
    return false;
  }
  if (!input.is_good("grid.radius") || !(planet.radius > 0)) return false;
  sphere_ = std::make_unique<Sphere>(n, planet, case_);
  traits_.sphere = true;
  // The panels' angles along x and y, the panels along z.
  const mesh::Uniform angles = mesh::make_cubed_sphere(1).geometry();
  geometry_.lower = angles.lower;
  Real3 upper{};
  for (std::size_t a = 0; a < 3; ++a) {
    upper[a] = a < 2 ? angles.lower[a] + angles.spacing[a] : double(mesh::panels);
    geometry_.spacing[a] = (upper[a] - angles.lower[a]) / static_cast<double>(cells_[a]);
  }
  grid_.cells =
      mesh::make_box(cells_, geometry_.lower, upper, {false, false, false}, geometry_.offset);
  describe_sphere();
  return true;
}

void ShallowWaterSystem::describe_sphere() {
  grid_.kind = mesh::GridKind::cubed_sphere;
  grid_.levels = 1;
  grid_.sphere_radius = sphere_->planet().radius;
  grid_.corners = [n = sphere_->n(), radius = grid_.sphere_radius] {
    return mesh::cubed_sphere_nodes(n, radius);
  };
  grid_.cutting.loose_axis = 2;  // panels
  grid_.text =
      fmt::format("cubed sphere of radius {:g}, cells of {:.4g} to {:.4g}", grid_.sphere_radius,
                  sphere_->spacing() / 1.4142135623730951, sphere_->spacing());
}

void ShallowWaterSystem::configure_sphere_state(config::Input& input) {
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n), key = entry + ".state";
    if (!input.is_set(key) || !input.is_good(key)) continue;
    const std::string name = input.text(key);
    systems::check_named_state(input, n, {".surface", ".depth", ".velocity"});
    if (name != "barotropic-jet")
      systems::note_idle(input, entry + ".perturbed", "the state " + name + " has no perturbation");
    sphere_state_.emplace(name, sphere_->planet(), input.boolean(entry + ".perturbed"));
    if (sphere_->planet().tilt != 0 && !sphere_state_->tilts()) {
      input.fault(
          FaultKind::conflict, "physics.rotation.tilt",
          fmt::format("the state {} rotates about the poles of the grid and cannot be tilted",
                      name),
          "set tilt = 0");
    }
    if (!flat()) {
      input.fault(FaultKind::conflict, "physics.bed",
                  fmt::format("the state {} has a bed of its own ({})", name, input.origin(key)),
                  "remove one of them");
    }
    if (sphere_state_->has_bed()) bed_text_ = name;
    if (sphere_state_->advection()) {
      sphere_->prescribe_wind(sphere_state_->wind_rate());
      traits_.general = true;
    }
    return;
  }
}

}  // namespace watersmeet::shallow_water
