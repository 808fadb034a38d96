#include "systems/registry.hpp"

#include <map>
#include <mutex>

#include "core/error.hpp"
#include "systems/aerodynamics/system.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/boussinesq/system.hpp"
#include "systems/isothermal/system.hpp"
#include "systems/mhd/system.hpp"
#include "systems/multicomponent/system.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::systems {

namespace {
std::vector<SystemEntry>& list() {
  static std::vector<SystemEntry> systems = {
      {"isothermal",
       "compressible Navier-Stokes with a constant sound speed, 6th-order finite differences",
       isothermal::keys,
       isothermal::adjust_schema,
       isothermal::make_system,
       isothermal::outputs,
       isothermal::bench,
       {{"initial[].density", ""}, {"initial[].velocity", ""}}},
      {"mhd",
       "compressible magnetohydrodynamics, isothermal or with an energy equation, 6th-order finite "
       "differences",
       mhd::keys,
       mhd::adjust_schema,
       mhd::make_system,
       mhd::outputs,
       mhd::bench,
       {{"initial[].density", ""}, {"initial[].velocity", ""}, {"initial[].potential", ""}}},
      {"multicomponent",
       "compressible flow of two stiffened gases with shocks and interfaces, WENO5 and HLLC",
       multicomponent::keys,
       multicomponent::adjust_schema,
       multicomponent::make_system,
       multicomponent::outputs,
       multicomponent::bench,
       {{"physics.fluids.*.gamma", "1.4"},
        {"physics.fluids.*.density", "1.0"},
        {"initial[].fluid", "\"NAME\""},
        {"initial[].pressure", "\"1\""},
        {"initial[].velocity", ""}}},
      {"boussinesq",
       "incompressible, buoyant flow on a staggered grid: convection, cavities, turbulence",
       boussinesq::keys,
       boussinesq::adjust_schema,
       boussinesq::make_system,
       boussinesq::outputs,
       boussinesq::bench,
       {{"physics.rayleigh", "1e5"}, {"initial[].temperature", ""}, {"initial[].velocity", ""}}},
      {"shallow_water",
       "shallow water on a plane or a sphere: bed, friction, rotation, wetting and drying",
       shallow_water::keys,
       shallow_water::adjust_schema,
       shallow_water::make_system,
       shallow_water::outputs,
       shallow_water::bench,
       {{"grid.cells", "[64, 64, 1]"},
        {"physics.bed", "\"-1\""},
        {"initial[].surface", ""},
        {"initial[].velocity", ""}}},
      {"aerodynamics",
       "steady and unsteady compressible flow on curvilinear blocks, orders 1 to 6, multigrid",
       aerodynamics::keys,
       aerodynamics::adjust_schema,
       aerodynamics::make_system,
       aerodynamics::outputs,
       aerodynamics::bench,
       {{"grid.mesh.kind", "\"naca4\""},
        {"grid.mesh.cells", "[128, 64]"},
        {"physics.freestream.mach", "0.5"}}},
      {"atmosphere",
       "compressible Euler with gravity over terrain, in a box or on a sphere, about a hydrostatic "
       "reference",
       atmosphere::keys,
       atmosphere::adjust_schema,
       atmosphere::make_system,
       atmosphere::outputs,
       atmosphere::bench,
       {{"grid.upper", "[10e3, 10e3, 10e3]"},
        {"physics.reference.kind", ""},
        {"initial[].theta", ""}}},
  };
  return systems;
}

config::Schema make_schema(const std::string& system) {
  const config::Schema common = config::common_schema(system_names());
  config::Schema schema = common;
  const SystemEntry& mine = system_entry(system);
  schema.add(mine.keys());
  mine.adjust(schema);
  for (const SystemEntry& other : all_systems()) {
    if (other.name == system) continue;
    std::vector<std::string> paths;
    for (const config::Key& key : other.keys()) {
      if (!schema.find(key.path)) paths.push_back(key.path);
    }
    // Common keys that this system does not use.
    for (const config::Key& key : common.keys()) {
      if (!schema.find(key.path)) paths.push_back(key.path);
    }
    schema.add_foreign(other.name, paths);
  }
  return schema;
}
}  // namespace

const std::vector<SystemEntry>& all_systems() { return list(); }

bool add_system(const SystemEntry& system) {
  list().push_back(system);
  return true;
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const SystemEntry& s : all_systems()) names.push_back(s.name);
  return names;
}

const SystemEntry& system_entry(const std::string& system) {
  for (const SystemEntry& s : all_systems()) {
    if (s.name == system) return s;
  }
  throw Error(ErrorKind::internal, "no system named " + system);
}

// Made once: a case of a study or a test is read in less time than this takes.
const config::Schema& schema_for(const std::string& system) {
  static std::mutex mutex;
  static std::map<std::string, config::Schema> made;
  const std::lock_guard lock(mutex);
  const auto known = made.find(system);
  return known != made.end() ? known->second : made[system] = make_schema(system);
}

std::vector<ScheduleChoice> schedule_choices(const std::string& system) {
  const config::Schema& schema = schema_for(system);
  const config::Key* const key = schema.find("device.schedule");
  require(key != nullptr, "every system has device.schedule");
  std::vector<ScheduleChoice> choices;
  for (const std::string& name : key->choices) {
    if (name == "auto" || name == "measured") continue;
    if (name != "axes") {
      choices.push_back({name, {"device.schedule=\"" + name + "\""}});
      continue;
    }
    for (const exec::Strategy& strategy : all_strategies()) {
      if (strategy.tuned) choices.push_back({exec::name_of(strategy), device_keys(strategy)});
    }
  }
  return choices;
}

std::unique_ptr<System> make_system(const std::string& system) {
  return system_entry(system).make();
}

}  // namespace watersmeet::systems
