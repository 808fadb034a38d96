// What sources of a case may read and change in the atmosphere: equations (1) to (3) of equations.hpp, by the state with its reference. Fluxes
// through a side are sources in the cells beside it, of the state there: flux times the area of the cell on that side over its volume.
#include <fmt/format.h>

#include "systems/atmosphere/settings/boundary_conditions.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/panel_names.hpp"

namespace watersmeet::atmosphere {

namespace {
// Hidden names of a cell beside a side: the height of its face there, and the area of that face over the volume of the cell.
constexpr const char *side_height = "side.z", *side_share = "side.share";
// The height of the middle of that cell, where z is that of its face.
constexpr const char* cell_height = "cell.z";
bool is_height(const std::string& name) { return name == "z" || name == cell_height; }
}  // namespace

// The names of a cell, or of a side and the cell beside it.
systems::SourceModel AtmosphereSystem::local_state(bool at_side) const {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const ReferenceState& r = request_.reference;
  const double gamma = r.gas.gamma();
  const std::string r_d = number(r.gas.r_d), p_0 = number(r.gas.p_0), exponent = number(1 / gamma);
  const std::string z = at_side ? cell_height : "z";
  const std::string height = r.inverse_radius > 0
                                 ? fmt::format("{0}/(1 + {0}*{1})", z, number(r.inverse_radius))
                                 : z;  // geopotential
  systems::SourceModel model;
  model.variables = variables();
  if (globe_) {
    model.coordinates = {"lon", "lat"};
  } else {
    model.coordinates = {"x", "y"};
  }
  if (!at_side) model.coordinates.emplace_back("z");
  model.hidden = {
      {"reference.rho"},
      {"reference.p"},
      {"reference.theta",
       1,
       {fmt::format("{0}/({1}*reference.rho)*(reference.p/{0})^{2}", p_0, r_d, exponent)}},
      {"cell.geopotential", 1, {number(r.gravity) + "*" + height}}};
  model.names = {
      {"density_perturbation", 1, {"stored.rho"}},
      {"rho", 1, {"(reference.rho + stored.rho)"}},
      {"pressure_perturbation",
       1,
       {fmt::format("{}*(stored.energy - stored.rho*cell.geopotential - 0.5*rho*speed^2)",
                    number(gamma - 1))}},
      {"p", 1, {"reference.p + pressure_perturbation"}},
      {"temperature", 1, {fmt::format("p/({}*rho)", r_d)}},
      {"theta", 1, {fmt::format("{0}/({1}*rho)*(p/{0})^{2}", p_0, r_d, exponent)}},
      {"theta_perturbation", 1, {"theta - reference.theta"}},
      {"height", 1, {z}}};
  if (at_side) {
    model.hidden.insert(model.hidden.end(), {{side_height}, {side_share}, {cell_height}});
    model.names.push_back({"z", 1, {side_height}});
    if (!globe_) model.names.push_back({"r", 1, {"sqrt(x^2 + y^2 + z^2)"}});
  }
  if (globe_) {
    // Velocities to the east and north, of the contravariant ones and back.
    systems::add_panel_names(model);
    model.names.push_back({"velocity_east", 1, {"(east.u*stored.mu + east.v*stored.mv)/rho"}});
    model.names.push_back({"velocity_north", 1, {"(north.u*stored.mu + north.v*stored.mv)/rho"}});
    model.names.push_back({"w", 1, {"stored.mw/rho"}});
    model.names.push_back({"speed", 1, {"sqrt(velocity_east^2 + velocity_north^2 + w^2)"}});
  } else {
    model.names.push_back({"velocity", 3, {"stored.mx/rho", "stored.my/rho", "stored.mz/rho"}});
    model.names.push_back({"w", 1, {"stored.mz/rho"}});
    model.names.push_back({"speed", 1, {"sqrt(stored.mx^2 + stored.my^2 + stored.mz^2)/rho"}});
  }
  if (traits_.terrain) {
    model.by_cell.insert(model.by_cell.end(),
                         {z, "reference.rho", "reference.p", side_height, side_share});
  }
  return model;
}

void AtmosphereSystem::configure_user_sources(config::Input& input) {
  systems::SourceModel model = local_state(false);
  model.targets = {{"density", s_rho}, {"energy", s_energy}, {"momentum", s_mz, 2}};
  if (globe_) {
    model.targets.insert(model.targets.end(), {{"momentum", s_mx, 0, "u.east"},
                                               {"momentum", s_mx, 1, "u.north"},
                                               {"momentum", s_my, 0, "v.east"},
                                               {"momentum", s_my, 1, "v.north"}});
  } else {
    model.targets.push_back({"momentum", s_mx, 0});
    model.targets.push_back({"momentum", s_my, 1});
  }
  sources_.configure(input, model);
  configure_side_fluxes(input);
  if (!globe_) configure_beyond_sides(input);
}

void AtmosphereSystem::configure_side_fluxes(config::Input& input) {
  const std::vector<SideFluxes> all =
      read_side_fluxes(input, globe_ != nullptr, cells_, boundaries_);
  if (input.has_faults()) return;
  const systems::SourceModel model = local_state(true);
  const std::string share = side_share;
  for (const SideFluxes& fluxes : all) {
    std::vector<systems::SideValue> values;
    if (!fluxes.heat.empty())
      values.push_back({fluxes.path + ".heat_flux", fluxes.heat, s_energy, share});
    for (int c = 0; c < 3; ++c) {
      const std::string& text = fluxes.stress[static_cast<std::size_t>(c)];
      const std::string place = fmt::format("{}.stress[{}]", fluxes.path, c);
      if (text.empty()) continue;
      if (globe_) {
        const char* const direction = c == 0 ? "east" : "north";
        values.push_back({place, text, s_mx, fmt::format("{}*u.{}", share, direction)});
        values.push_back({place, text, s_my, fmt::format("{}*v.{}", share, direction)});
      } else {
        values.push_back({place, text, s_mx + c, share});
      }
    }
    // Names that only other cases have.
    for (const systems::SideValue& value : values)
      systems::UserSources::check(input, model, value.place, value.text, value.point);
    if (!input.has_faults())
      side_fluxes_[static_cast<std::size_t>(fluxes.side)].configure_fluxes(input, model, values);
  }
}

// Of layers of cells: of all of them, or of those beside a side.
std::size_t AtmosphereSystem::bytes_of_sources(const Index3& cells) const {
  const std::int64_t levels = globe_ ? globe_->levels() : cells[2];
  const std::int64_t all = cells[0] * cells[1] * cells[2];
  std::size_t bytes = sources_.bytes_per_cell() * static_cast<std::size_t>(all);
  for (std::size_t side = 0; side < 6; ++side) {
    const std::int64_t across = side / 2 == 2 ? levels : cells[side / 2];
    const std::size_t beyond =
        side < 4 && beyond_[side].any()
            ? beyond_[side].bytes_per_cell() + beyond_values * size_of(precision_)
            : 0;
    bytes +=
        (side_fluxes_[side].bytes_per_cell() + beyond) * static_cast<std::size_t>(all / across);
  }
  return bytes;
}

// The layers of cells of this part beside a side, by their indices in the grid: one at most of a box, one for each panel of a sphere.
std::vector<std::int64_t> AtmosphereSystem::layers_beside(int side) const {
  const Box part = domain_->box(0);
  const auto axis = static_cast<std::size_t>(side / 2);
  const std::int64_t count = axis == 2 ? levels_of_column() : cells_[axis];
  std::vector<std::int64_t> layers;
  for (std::int64_t n = part.lower[axis]; n < part.upper[axis]; ++n)
    if (n % count == (side % 2 == 1 ? count - 1 : 0)) layers.push_back(n);
  return layers;
}

void AtmosphereSystem::allocate_user_sources() {
  allocate_sources();
  for (int side = 0; side < 6; ++side) {
    if (layers_beside(side).empty()) continue;
    side_fluxes_[static_cast<std::size_t>(side)].allocate(
        precision_, [&](const std::string& name) { return place_at(name, side); }, queue_);
  }
}

// Places are counted by layers along the axis of the side.
void AtmosphereSystem::add_fluxes(const exec::Launch& l, const Index3& first,
                                  double fraction) const {
  for (int side = 0; side < 6; ++side) {
    const systems::UserSources& fluxes = side_fluxes_[static_cast<std::size_t>(side)];
    if (!fluxes.any()) continue;
    const auto axis = static_cast<std::size_t>(side / 2);
    std::int64_t layer = 0;
    for (const std::int64_t index : layers_beside(side)) {
      const std::int64_t here = index - domain_->box(0).lower[axis] - first[axis];
      const std::int64_t number = layer++;
      if (here < l.box.lower[axis] || here >= l.box.upper[axis]) continue;
      exec::Launch beside = l;
      beside.box.lower[axis] = here;
      beside.box.upper[axis] = here + 1;
      Index3 from = first;
      from[axis] = number - here;
      fluxes.add(beside, from, fraction);
    }
  }
}

systems::UserSources::Place AtmosphereSystem::source_place(const std::string& name) const {
  return place_at(name, -1);
}

// In all cells, or in the layers of those beside a side. Levels lie at the same heights in all columns, but over terrain.
systems::UserSources::Place AtmosphereSystem::place_at(const std::string& name, int side) const {
  const Box here = domain_->box(0);
  const mesh::Uniform& g = request_.ground.geometry;
  const int across = side < 0 ? -1 : side / 2;
  const std::size_t upper = side % 2 == 1 ? 1 : 0;
  if (!globe_ && (name == "x" || name == "y")) {
    const auto axis = static_cast<std::size_t>(name[0] - 'x');
    if (static_cast<int>(axis) != across) return StagedSystem::source_place(name);
    const double length = g.spacing[axis] * static_cast<double>(cells_[axis]);
    return {{g.lower[axis] + (upper == 1 ? length : 0)}, {0, 0, 0}};
  }
  std::array<std::vector<std::int64_t>, 3> cells;  // indices along each axis
  for (std::size_t a = 0; a < 3; ++a) {
    if (static_cast<int>(a) == across) {
      cells[a] = layers_beside(side);
      continue;
    }
    for (std::int64_t n = here.lower[a]; n < here.upper[a]; ++n) cells[a].push_back(n);
  }
  const std::int64_t nx = std::ssize(cells[0]), ny = std::ssize(cells[1]);
  const std::int64_t levels = levels_of_column();
  const bool horizontal =
      !is_height(name) && !name.starts_with("reference.") && !name.starts_with("side.");
  const bool by_level = !horizontal && !traits_.terrain;
  systems::UserSources::Place place{{}, by_level ? Index3{0, 0, 1} : Index3{1, nx, nx * ny}};
  const Levels heights = request_.levels();
  const double depth = globe_ ? globe_->top() : flow_.mesh.medium.depth;
  const double inverse_radius = request_.reference.inverse_radius;
  // In a level of a column, above the bottom of the grid: the ground beneath, and that beneath its face on a lateral side.
  const auto value_at = [&](std::int64_t level, double ground, double beneath) {
    const double zeta = heights.middle(level), left = 1 - zeta / depth;
    const double z = g.lower[2] + zeta + ground * left;
    if (is_height(name)) return z;
    if (name == "reference.rho") return request_.reference.rho(z);
    if (name == "reference.p") return request_.reference.p(z);
    const double z_side = g.lower[2] + (side == 4   ? ground
                                        : side == 5 ? depth
                                                    : zeta + beneath * left);
    if (name == side_height) return z_side;
    const double height = 1 - ground / depth;  // over that of the flat mesh
    if (across < 2)
      return (1 - beneath / depth) / (height * g.spacing[static_cast<std::size_t>(across)]);
    // A deep atmosphere widens upwards.
    const double wider = (1 + z_side * inverse_radius) / (1 + z * inverse_radius);
    return wider * wider / (heights.thickness(level) * height);
  };
  std::vector<double> corners;
  std::int64_t row = 0;  // of corners
  int known = -1;        // panel of the corners
  for (const std::int64_t k : cells[2]) {
    const int panel = globe_ ? static_cast<int>(k / levels) : 0;
    if (by_level) {
      place.values.push_back(value_at(k % levels, 0, 0));
      continue;
    }
    if (!horizontal && panel != known) {
      known = panel;
      row = globe_ ? globe_->n() + 1 : nx + 1;
      corners = globe_ ? globe_->ground_corners(panel, 0, globe_->n() + 1)
                       : request_.ground.corners({cells[0].front(), cells[1].front()},
                                                 {cells[0].back() + 2, cells[1].back() + 2});
    }
    for (const std::int64_t j : cells[1]) {
      for (const std::int64_t i : cells[0]) {
        if (horizontal) {
          place.values.push_back(systems::panel_number(globe_->grid(), name, panel, i, j));
          continue;
        }
        const std::int64_t first_i = globe_ ? 0 : cells[0].front(),
                           first_j = globe_ ? 0 : cells[1].front();
        const double* const corner = corners.data() + (j - first_j) * row + (i - first_i);
        const double ground = 0.25 * ((corner[0] + corner[row]) + (corner[1] + corner[row + 1]));
        const double* const lateral = corner + (across == 0   ? upper
                                                : across == 1 ? upper * row
                                                              : 0);
        place.values.push_back(
            value_at(k % levels, ground, 0.5 * (lateral[0] + lateral[across == 0 ? row : 1])));
      }
    }
  }
  return place;
}

}  // namespace watersmeet::atmosphere
