// What sources of a case may read and change in the atmosphere: equations (1) to (3) of equations.hpp, by the state with its reference. Fluxes
// through the ground are sources in the lowest cells: flux over the depth of the cell, of the state there.
#include <fmt/format.h>

#include "systems/atmosphere/settings/boundary_conditions.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/panel_names.hpp"

namespace watersmeet::atmosphere {

namespace {
// Hidden names of a column: the height of its ground, and the area of its ground over the volume of the cell upon it.
constexpr const char *ground_height = "ground.z", *ground_share = "ground.share";
// The height of the middle of the cell upon the ground, where z is that of the ground.
constexpr const char* cell_height = "cell.z";
bool is_height(const std::string& name) { return name == "z" || name == cell_height; }
}  // namespace

// The names of a cell, or of the ground and the cell upon it.
systems::SourceModel AtmosphereSystem::local_state(bool at_ground) const {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const ReferenceState& r = request_.reference;
  const double gamma = r.gas.gamma();
  const std::string r_d = number(r.gas.r_d), p_0 = number(r.gas.p_0), exponent = number(1 / gamma);
  const std::string z = at_ground ? cell_height : "z";
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
  if (!at_ground) model.coordinates.emplace_back("z");
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
  if (at_ground) {
    model.hidden.insert(model.hidden.end(), {{ground_height}, {ground_share}, {cell_height}});
    model.names.push_back({"z", 1, {ground_height}});
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
                         {z, "reference.rho", "reference.p", ground_height, ground_share});
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
  configure_ground_fluxes(input);
}

void AtmosphereSystem::configure_ground_fluxes(config::Input& input) {
  const GroundFluxes fluxes(input);
  if (input.has_faults()) return;
  const systems::SourceModel model = local_state(true);
  const std::string share = ground_share;
  std::vector<systems::SideValue> values;
  if (!fluxes.heat.empty()) values.push_back({fluxes.heat_key, fluxes.heat, s_energy, share});
  for (int c = 0; c < 2; ++c) {
    const std::string& text = fluxes.stress[static_cast<std::size_t>(c)];
    const std::string place = fmt::format("{}[{}]", fluxes.stress_key, c);
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
  if (!input.has_faults()) ground_fluxes_.configure_fluxes(input, model, values);
}

// Of layers of cells: of all of them, or of those upon the ground.
std::size_t AtmosphereSystem::bytes_of_sources(const Index3& cells) const {
  const std::int64_t columns = cells[0] * cells[1];
  const std::int64_t levels = globe_ ? globe_->levels() : cells[2];
  return sources_.bytes_per_cell() * static_cast<std::size_t>(columns * cells[2]) +
         ground_fluxes_.bytes_per_cell() * static_cast<std::size_t>(columns * cells[2] / levels);
}

void AtmosphereSystem::allocate_user_sources() {
  allocate_sources();
  if (domain_->box(0).lower[2] % levels_of_column() != 0) return;  // no ground here
  ground_fluxes_.allocate(
      precision_, [&](const std::string& name) { return place_in(name, levels_of_column()); },
      queue_);
}

// The ground of a box, or of each panel.
void AtmosphereSystem::add_fluxes(const exec::Launch& l, const Index3& first,
                                  double fraction) const {
  if (!ground_fluxes_.any()) return;
  const std::int64_t levels = levels_of_column();
  const Box part = domain_->box(0);
  if (part.lower[2] % levels != 0) return;
  for (std::int64_t k = 0; k < part.size(2); k += levels) {
    if (k < l.box.lower[2] || k >= l.box.upper[2]) continue;
    exec::Launch lowest = l;
    lowest.box.lower[2] = k;
    lowest.box.upper[2] = k + 1;
    ground_fluxes_.add(lowest, {first[0], first[1], k / levels - k}, fraction);
  }
}

systems::UserSources::Place AtmosphereSystem::source_place(const std::string& name) const {
  return place_in(name, 1);
}

// In layers of cells, one of so many: a place has the number of its layer. Levels lie at the same heights in all columns, but over terrain.
systems::UserSources::Place AtmosphereSystem::place_in(const std::string& name,
                                                       std::int64_t step) const {
  const Box here = domain_->box(0);
  const Index3 n{here.size(0), here.size(1), here.size(2)};
  if (!globe_ && (name == "x" || name == "y")) return StagedSystem::source_place(name);
  const std::int64_t levels = levels_of_column();
  const bool horizontal =
      !is_height(name) && !name.starts_with("reference.") && !name.starts_with("ground.");
  const bool by_level = !horizontal && !traits_.terrain;
  systems::UserSources::Place place{{}, by_level ? Index3{0, 0, 1} : Index3{1, n[0], n[0] * n[1]}};
  const mesh::Uniform& g = request_.ground.geometry;
  const Levels heights = request_.levels();
  const double depth = globe_ ? globe_->top() : flow_.mesh.medium.depth;
  const double inverse_radius = request_.reference.inverse_radius;
  // With the height of the ground beneath, above the bottom of the grid.
  const auto value_at = [&](double z, double ground) {
    if (is_height(name)) return z;
    if (name == "reference.rho") return request_.reference.rho(z);
    if (name == "reference.p") return request_.reference.p(z);
    const double z_ground = g.lower[2] + ground;
    if (name == ground_height) return z_ground;
    // A deep atmosphere widens upwards.
    const double wider = (1 + z_ground * inverse_radius) / (1 + z * inverse_radius);
    return wider * wider / (heights.thickness(0) * (1 - ground / depth));
  };
  std::vector<double> corners;
  std::int64_t row = 0;  // of corners
  int known = -1;        // panel of the corners
  for (std::int64_t k = here.lower[2]; k < here.upper[2]; k += step) {
    const int panel = globe_ ? static_cast<int>(k / levels) : 0;
    if (by_level) {
      place.values.push_back(value_at(g.lower[2] + heights.middle(k % levels), 0));
      continue;
    }
    if (!horizontal && panel != known) {
      known = panel;
      row = (globe_ ? globe_->n() : n[0]) + 1;
      corners = globe_ ? globe_->ground_corners(panel, 0, globe_->n() + 1)
                       : request_.ground.corners({here.lower[0], here.lower[1]},
                                                 {here.upper[0] + 1, here.upper[1] + 1});
    }
    for (std::int64_t j = here.lower[1]; j < here.upper[1]; ++j) {
      for (std::int64_t i = here.lower[0]; i < here.upper[0]; ++i) {
        if (horizontal) {
          place.values.push_back(systems::panel_number(globe_->grid(), name, panel, i, j));
          continue;
        }
        const std::int64_t first_i = globe_ ? 0 : here.lower[0],
                           first_j = globe_ ? 0 : here.lower[1];
        const double* const corner = corners.data() + (j - first_j) * row + (i - first_i);
        const double ground = 0.25 * ((corner[0] + corner[row]) + (corner[1] + corner[row + 1]));
        const double zeta = heights.middle(k % levels);
        place.values.push_back(value_at(globe_ ? globe_->height(ground, k % levels)
                                               : g.lower[2] + zeta + ground * (1 - zeta / depth),
                                        ground));
      }
    }
  }
  return place;
}

}  // namespace watersmeet::atmosphere
