// What sources of a case may read and change in shallow water.
#include <fmt/format.h>

#include "systems/panel_names.hpp"
#include "systems/shallow_water/system.hpp"

namespace watersmeet::shallow_water {

namespace {
std::string number(double x) { return fmt::format("{:.17g}", x); }
}  // namespace

// The names of the state, and what they are.
systems::SourceModel ShallowWaterSystem::local_state() const {
  const std::string dry = number(flow_.dry_depth);
  systems::SourceModel model;
  model.variables = variables();
  model.coordinates =
      sphere_ ? std::vector<std::string>{"lon", "lat"} : std::vector<std::string>{"x", "y"};
  model.extra = "cell.bed";
  model.hidden = {{model.extra}};
  model.names = {
      {"surface", 1, {"stored.eta"}},
      {"bed", 1, {flat() ? "0" : "cell.bed"}},
      {"depth", 1, {flat() ? "stored.eta" : "stored.eta - cell.bed"}},
      {"froude",
       1,
       {fmt::format("(depth > {} ? speed/sqrt({}*depth) : 0)", dry, number(flow_.gravity))}}};
  const auto wet = [&](const std::string& discharge) {
    return fmt::format("(depth > {} ? ({})/depth : 0)", dry, discharge);
  };
  if (sphere_) {
    // Discharges to the east and north, of the contravariant ones and back.
    systems::add_panel_names(model);
    model.names.push_back({"velocity_east", 1, {wet("east.u*stored.hu + east.v*stored.hv")}});
    model.names.push_back({"velocity_north", 1, {wet("north.u*stored.hu + north.v*stored.hv")}});
    model.names.push_back({"speed", 1, {"sqrt(velocity_east^2 + velocity_north^2)"}});
  } else {
    model.names.push_back({"velocity", 3, {wet("stored.hu"), wet("stored.hv"), "0"}});
    model.names.push_back({"speed", 1, {"sqrt(velocity.x^2 + velocity.y^2)"}});
  }
  return model;
}

void ShallowWaterSystem::configure_sources(config::Input& input) {
  const std::string dry = number(flow_.dry_depth);
  systems::SourceModel model = local_state();
  model.targets = {{"surface", s_eta}};
  if (sphere_state_ && sphere_state_->advection()) {
    // The prescribed wind moves whatever water there is.
    model.targets.push_back({"surface", s_hu, -1, "stored.hu/depth"});
    model.targets.push_back({"surface", s_hv, -1, "stored.hv/depth"});
    for (std::size_t n = 0; n < input.count("source"); ++n)
      input.refuse_idle(fmt::format("source[{}].discharge", n), "the state prescribes the wind");
  } else {
    // As if the source stood in the rate that implicit friction damps (equations.hpp, ImplicitFriction); dry cells stay at rest.
    std::string share = "1";
    const Friction<double>& f = flow_.friction;
    if (f.any()) {
      model.hidden.push_back({"friction.z",
                              1,
                              {fmt::format("{}*step.dt*(({} + {}*depth^(-1/3))*speed/depth + {})",
                                           number(flow_.euler_step), number(f.drag),
                                           number(f.manning), number(f.linear))}});
      share = "(1 + friction.z + friction.z^2)/(1 + friction.z + friction.z^2 + friction.z^3)";
    }
    if (f.any() || traits_.wet_dry) share = fmt::format("(depth > {} ? {} : 0)", dry, share);
    const std::string times = share == "1" ? "" : "*" + share;
    if (sphere_) {
      model.targets.insert(model.targets.end(), {{"discharge", s_hu, 0, "u.east" + times},
                                                 {"discharge", s_hu, 1, "u.north" + times},
                                                 {"discharge", s_hv, 0, "v.east" + times},
                                                 {"discharge", s_hv, 1, "v.north" + times}});
    } else {
      const std::string factor = share == "1" ? "" : share;
      model.targets.push_back({"discharge", s_hu, 0, factor});
      model.targets.push_back({"discharge", s_hv, 1, factor});
    }
  }
  sources_.configure(input, model);
}

systems::UserSources::Place ShallowWaterSystem::source_place(const std::string& name) const {
  if (!sphere_) return StagedSystem::source_place(name);
  const Box part = domain_->block(0).interior();
  systems::UserSources::Place place{{}, {1, part.size(0), part.size(0) * part.size(1)}};
  const Box here = domain_->box(0);
  for (std::int64_t k = here.lower[2]; k < here.upper[2]; ++k) {
    for (std::int64_t j = here.lower[1]; j < here.upper[1]; ++j) {
      for (std::int64_t i = here.lower[0]; i < here.upper[0]; ++i) {
        place.values.push_back(
            systems::panel_number(sphere_->grid(), name, static_cast<int>(k), i, j));
      }
    }
  }
  return place;
}

}  // namespace watersmeet::shallow_water
