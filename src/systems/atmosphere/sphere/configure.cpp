// Reading a case on a cubed sphere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/box.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/named_state.hpp"

namespace watersmeet::atmosphere {

using config::FaultKind;

namespace {

// Edges of panels are interpolated along lines of four cells; a panel is of at least two of these.
constexpr std::int64_t fewest_cells = 8, fewest_levels = 4;

// Keys of a box that a sphere does not use, where they differ from their defaults.
void refuse_box(config::Input& input) {
  const auto refuse = [&](const std::string& key, bool given, const char* instead) {
    if (given)
      input.fault(FaultKind::conflict, key,
                  fmt::format("{} is a key of a box, and this grid is a sphere", key), instead);
  };
  for (const char* const side : {"x", "y", "x_lower", "x_upper", "y_lower", "y_upper"}) {
    const std::string path = std::string("boundary.") + side;
    if (!input.is_set(path)) continue;
    input.fault(FaultKind::conflict, path + ".kind", "a sphere has no sides", "remove it");
  }
  // A resolved case gives the defaults.
  constexpr double usual = 2 * std::numbers::pi;
  refuse("grid.lower", input.reals3("grid.lower") != Real3{0, 0, 0},
         "remove it: the bottom is at z = 0");
  refuse("grid.upper", input.reals3("grid.upper") != Real3{usual, usual, usual}, "use grid.top");
  refuse("physics.coriolis.f", input.real("physics.coriolis.f") != 0, "use physics.rotation.rate");
  refuse("physics.wind", input.reals3("physics.wind") != Real3{0, 0, 0}, "use initial[].velocity");
  refuse("physics.viscosity", input.real("physics.viscosity") > 0, "set viscosity = 0");
  for (const char* const name : {"x", "y"}) {
    const std::string path = std::string("physics.sponge.") + name;
    const char* const instead = "remove it: a sphere has a lid and no sides";
    refuse(path + ".width", input.real(path + ".width") > 0, instead);
    refuse(path + ".rate", input.real(path + ".rate") != usual_sponge_rate, instead);
  }
}

}  // namespace

// False when there is no usable grid; the fault is recorded then.
bool AtmosphereSystem::configure_globe(config::Input& input) {
  refuse_box(input);
  const Planet earth;
  Planet planet;
  planet.radius = input.real_or_settled("grid.radius", earth.radius);
  planet.rate = input.real_or_settled("physics.rotation.rate", earth.rate);
  if (!input.is_set("grid.top")) {
    input.fault(FaultKind::missing_key, "grid.kind", "a sphere needs the height of its lid",
                "add grid.top = 30e3");
    return false;
  }
  if (!input.is_good("grid.top") || !input.is_good("grid.cells") || !input.is_good("grid.radius")) {
    return false;
  }
  const Index3 cells = input.integers3("grid.cells");
  const std::int64_t n = cells[0], levels = cells[2];
  if (cells[1] != n) {
    input.fault(
        FaultKind::range, "grid.cells",
        fmt::format(
            "{} x {}: the panels of a cubed sphere have the same number of cells along every edge",
            n, cells[1]),
        fmt::format("write cells = [{}, {}, {}]", n, n, levels));
    return false;
  }
  if (n < fewest_cells || levels < fewest_levels) {
    input.fault(FaultKind::range, "grid.cells",
                fmt::format("{} x {} cells and {} levels in a panel are too few for the "
                            "interpolation between panels and for the reconstruction",
                            n, n, levels),
                fmt::format("use at least {} cells along an edge, and at least {} levels",
                            fewest_cells, fewest_levels));
    return false;
  }
  const double top = input.real("grid.top");
  request_.z_faces = read_levels(input, levels, 0, top, constants_);
  request_.ground.cells = {n, n, levels};
  request_.ground.geometry.spacing[2] = top / static_cast<double>(levels);
  globe_ = std::make_unique<Globe>(n, request_.levels(), top, planet);
  globe_->set_kappa(request_.kappa);
  traits_.deep = input.text("physics.atmosphere") == "deep";
  traits_.equal = request_.z_faces.empty();
  traits_.stretched = !traits_.equal;
  if (traits_.deep) {
    globe_->set_deep();
    request_.reference.inverse_radius = 1 / planet.radius;
  }
  cells_ = {n, n, mesh::panels * levels};
  request_.ground.geometry.lower = {0, 0, 0};
  request_.ground.geometry.spacing = {globe_->spacing(), globe_->spacing(),
                                      globe_->level_thickness()};
  // The panels' angles along x and y, their levels along z.
  const mesh::Uniform angles = mesh::make_cubed_sphere(1).geometry();
  Real3 upper = angles.lower;
  for (std::size_t a = 0; a < 2; ++a) upper[a] += angles.spacing[a];
  upper[2] = angles.lower[2] + static_cast<double>(cells_[2]);
  grid_.cells = mesh::make_box(cells_, angles.lower, upper, {false, false, false},
                               request_.ground.geometry.offset);
  describe_globe();
  return true;
}

void AtmosphereSystem::describe_globe() {
  const Levels& heights = globe_->heights();
  grid_.kind = mesh::GridKind::cubed_sphere;
  grid_.levels = globe_->levels();
  grid_.sphere_radius = globe_->planet().radius;
  grid_.corners = [this] { return cell_corners(); };
  for (std::int64_t k = 0; k <= heights.count(); ++k) grid_.faces[2].push_back(heights.face(k));
  grid_.cutting.loose_axis = 2;                       // panels
  grid_.cutting.units = {{{1, 1, grid_.levels}, 0}};  // the levels of a panel stay together
  std::string thick;
  if (heights.stretched()) {
    double least = heights.thickness(0), most = least;
    for (std::int64_t k = 1; k < heights.count(); ++k) {
      least = std::min(least, heights.thickness(k));
      most = std::max(most, heights.thickness(k));
    }
    thick = fmt::format(" of {:.4g} to {:.4g}", least, most);
  }
  grid_.text = fmt::format(
      "cubed sphere of radius {:g}, cells of {:.4g} to {:.4g}, {} levels{} below {:g}{}",
      grid_.sphere_radius, globe_->spacing() / std::sqrt(2.0), globe_->spacing(), grid_.levels,
      thick, globe_->top(), traits_.deep ? ", deep" : "");
}

void AtmosphereSystem::configure_globe_state(config::Input& input) {
  check_initial_coordinates(input);
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    const std::string entry = fmt::format("initial[{}]", n), key = entry + ".state";
    if (!input.is_set(key) || !input.is_good(key)) continue;
    const std::string name = input.text(key);
    systems::check_named_state(input, n,
                               {".theta", ".temperature", ".density", ".pressure", ".velocity"});
    GlobeConstants constants;
    constants.radius = globe_->planet().radius;
    constants.rate = globe_->planet().rate;
    constants.gravity = request_.reference.gravity;
    constants.gas = request_.reference.gas;
    constants.deep = traits_.deep;
    globe_state_.emplace(name, constants, input.boolean(entry + ".perturbed"));
    if (traits_.deep && !globe_state_->deepens()) {
      input.fault(FaultKind::conflict, "physics.atmosphere",
                  fmt::format("the state {} is balanced in a shallow atmosphere only", name),
                  "set atmosphere = \"shallow\"");
    }
  }
}

void AtmosphereSystem::check_initial_coordinates(config::Input& input) {
  for (const std::string& text : initial_texts()) {
    if (!text.empty()) check_coordinates(input, initial_.matter_key, text);
  }
  for (const std::string& text : initial_.velocity) {
    if (!text.empty()) check_coordinates(input, initial_.velocity_key, text);
  }
}

}  // namespace watersmeet::atmosphere
