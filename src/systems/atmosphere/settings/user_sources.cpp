// What sources of a case may read and change in the atmosphere: equations (1) to (3) of equations.hpp, by the state with its reference.
#include <fmt/format.h>

#include "systems/atmosphere/system.hpp"
#include "systems/panel_names.hpp"

namespace watersmeet::atmosphere {

void AtmosphereSystem::configure_user_sources(config::Input& input) {
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const ReferenceState& r = request_.reference;
  const double gamma = r.gas.gamma();
  const std::string r_d = number(r.gas.r_d), p_0 = number(r.gas.p_0), exponent = number(1 / gamma);
  const std::string height = r.inverse_radius > 0
                                 ? fmt::format("z/(1 + z*{})", number(r.inverse_radius))
                                 : "z";  // geopotential
  systems::SourceModel model;
  model.variables = variables();
  if (globe_) model.coordinates = {"lon", "lat", "z"};
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
      {"height", 1, {"z"}}};
  model.targets = {{"density", s_rho}, {"energy", s_energy}, {"momentum", s_mz, 2}};
  if (globe_) {
    // Velocities to the east and north, of the contravariant ones and back.
    systems::add_panel_names(model);
    model.names.push_back({"velocity_east", 1, {"(east.u*stored.mu + east.v*stored.mv)/rho"}});
    model.names.push_back({"velocity_north", 1, {"(north.u*stored.mu + north.v*stored.mv)/rho"}});
    model.names.push_back({"w", 1, {"stored.mw/rho"}});
    model.names.push_back({"speed", 1, {"sqrt(velocity_east^2 + velocity_north^2 + w^2)"}});
    model.targets.insert(model.targets.end(), {{"momentum", s_mx, 0, "u.east"},
                                               {"momentum", s_mx, 1, "u.north"},
                                               {"momentum", s_my, 0, "v.east"},
                                               {"momentum", s_my, 1, "v.north"}});
  } else {
    model.names.push_back({"velocity", 3, {"stored.mx/rho", "stored.my/rho", "stored.mz/rho"}});
    model.names.push_back({"w", 1, {"stored.mz/rho"}});
    model.names.push_back({"speed", 1, {"sqrt(stored.mx^2 + stored.my^2 + stored.mz^2)/rho"}});
    model.targets.push_back({"momentum", s_mx, 0});
    model.targets.push_back({"momentum", s_my, 1});
  }
  if (traits_.terrain)
    model.by_cell.insert(model.by_cell.end(), {"z", "reference.rho", "reference.p"});
  sources_.configure(input, model);
}

// Levels lie at the same heights in all columns, but over terrain.
systems::UserSources::Place AtmosphereSystem::source_place(const std::string& name) const {
  const Box here = domain_->box(0);
  const Index3 n{here.size(0), here.size(1), here.size(2)};
  if (!globe_ && (name == "x" || name == "y")) return StagedSystem::source_place(name);
  const std::int64_t levels = globe_ ? globe_->levels() : cells_[2];
  const bool horizontal = name != "z" && !name.starts_with("reference.");
  const bool by_level = !horizontal && !traits_.terrain;
  systems::UserSources::Place place{{}, by_level ? Index3{0, 0, 1} : Index3{1, n[0], n[0] * n[1]}};
  const mesh::Uniform& g = request_.ground.geometry;
  const Levels heights = request_.levels();
  const auto value_at = [&](double z) {
    return name == "z"               ? z
           : name == "reference.rho" ? request_.reference.rho(z)
                                     : request_.reference.p(z);
  };
  std::vector<double> corners;
  std::int64_t row = 0;  // of corners
  int known = -1;        // panel of the corners
  for (std::int64_t k = here.lower[2]; k < here.upper[2]; ++k) {
    const int panel = globe_ ? static_cast<int>(k / levels) : 0;
    if (by_level) {
      place.values.push_back(value_at(g.lower[2] + heights.middle(k % levels)));
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
        const double zeta = heights.middle(k % levels), depth = flow_.mesh.medium.depth;
        place.values.push_back(value_at(globe_ ? globe_->height(ground, k % levels)
                                               : g.lower[2] + zeta + ground * (1 - zeta / depth)));
      }
    }
  }
  return place;
}

}  // namespace watersmeet::atmosphere
