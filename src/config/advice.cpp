#include "config/advice.hpp"

#include <fmt/format.h>

#include <map>

#include "config/nearest.hpp"

namespace watersmeet::config {
namespace {

// Words of other codes (Pencil Code, Athena, Astaroth, MFC, CaNS, Oceananigans and others), in
// lower case -> our key.
const std::map<std::string, std::string> words_of_other_codes = {
    {"n", "grid.cells"},
    {"nx", "grid.cells"},
    {"ny", "grid.cells"},
    {"nz", "grid.cells"},
    {"nx1", "grid.cells"},
    {"nx2", "grid.cells"},
    {"nx3", "grid.cells"},
    {"nxgrid", "grid.cells"},
    {"ng", "grid.cells"},
    {"itot", "grid.cells"},
    {"resolution", "grid.cells"},
    {"size", "grid.cells"},
    {"shape", "grid.cells"},
    {"dims", "grid.cells"},
    {"lx", "grid.upper"},
    {"ly", "grid.upper"},
    {"lz", "grid.upper"},
    {"lxyz", "grid.upper"},
    {"xmax", "grid.upper"},
    {"x1max", "grid.upper"},
    {"xyz1", "grid.upper"},
    {"length", "grid.upper"},
    {"extent", "grid.upper"},
    {"box", "grid.upper"},
    {"xmin", "grid.lower"},
    {"x1min", "grid.lower"},
    {"xyz0", "grid.lower"},
    {"origin", "grid.lower"},
    {"tlim", "time.end"},
    {"tmax", "time.end"},
    {"t_max", "time.end"},
    {"t_end", "time.end"},
    {"tend", "time.end"},
    {"t_stop", "time.end"},
    {"tstop", "time.end"},
    {"stop_time", "time.end"},
    {"max_time", "time.end"},
    {"nt", "time.steps"},
    {"nlim", "time.steps"},
    {"nsteps", "time.steps"},
    {"n_steps", "time.steps"},
    {"max_steps", "time.steps"},
    {"nstep", "time.steps"},
    {"stop_iteration", "time.steps"},
    {"cfl_number", "time.cfl"},
    {"courant", "time.cfl"},
    {"courant_number", "time.cfl"},
    {"cdt", "time.cfl"},
    {"timestep", "time.dt"},
    {"time_step", "time.dt"},
    {"cs", "physics.sound_speed"},
    {"cs0", "physics.sound_speed"},
    {"c_s", "physics.sound_speed"},
    {"iso_sound_speed", "physics.sound_speed"},
    {"soundspeed", "physics.sound_speed"},
    {"nu", "physics.viscosity"},
    {"visc", "physics.viscosity"},
    {"nu_visc", "physics.viscosity"},
    {"kinematic_viscosity", "physics.viscosity"},
    {"rho", "initial[].density"},
    {"u", "initial[].velocity"},
    {"dsnap", "output.every"},
    {"dt_out", "output.every"},
    {"output_interval", "output.every"},
    {"isave", "output.every_steps"},
    {"it1", "output.series_every_steps"},
    {"variables", "output.fields"},
    {"float_type", "numerics.precision"},
    {"nthreads", "device.threads"},
    {"gpu", "device.kind"},
};

// Paths of keys with this last name, the given section's own excluded.
std::vector<const Key*> keys_named(const Schema& schema, const std::string& leaf,
                                   const std::string& section) {
  std::vector<const Key*> found;
  for (const Key& key : schema.keys()) {
    if (leaf_of(key.path) == leaf && leaf != "*" && !fits(section_of(key.path), section)) {
      found.push_back(&key);
    }
  }
  return found;
}

// How a key is written when seen from a section: `cfl`, or `cells` in [grid].
std::string seen_from(const std::string& path, const std::string& section) {
  const std::string name = fmt::format("`{}`", leaf_of(path));
  return fits(section_of(path), section) ? name : name + " in " + header_of(section_of(path));
}

// "system a", "systems a and b".
std::string systems_text(const std::vector<std::string>& systems) {
  if (systems.size() == 1) return "system " + systems[0];
  const std::vector<std::string> first(systems.begin(), systems.end() - 1);
  return "systems " + join(first) + " and " + systems.back();
}

}  // namespace

void advise_unknown_key(Fault& fault, const Schema& schema, const std::string& system,
                        const std::string& section, const std::string& leaf, bool is_section) {
  const std::string path = path_of(section, leaf);
  std::vector<std::string> siblings = schema.members(section);
  const bool any = !siblings.empty() && siblings[0] == "*";  // it sorts before letters
  if (any) siblings.erase(siblings.begin());
  fault.key = path;
  fault.found = leaf;
  fault.allowed = join(siblings);
  if (any) fault.allowed += fault.allowed.empty() ? "any name" : ", any name";

  const std::vector<std::string> others = schema.foreign_systems(path);
  if (!others.empty()) {
    fault.message =
        fmt::format("`{}` is a key of {}, not of {}", leaf, systems_text(others), system);
  } else if (section.empty() && is_section) {
    fault.message = fmt::format("no section [{}]", leaf);
  } else if (section.empty()) {
    fault.message = fmt::format("key `{}` stands outside the sections", leaf);
  } else {
    fault.message = fmt::format("no key `{}` in {}", leaf, header_of(section));
  }
  if (section.empty()) {
    fault.note = "sections: " + fault.allowed + "        (watersmeet keys)";
  } else {
    const std::string top = section.substr(0, section.find_first_of(".["));
    fault.note = "keys of " + header_of(section) + ": " + fault.allowed +
                 "        (watersmeet keys " + top + ")";
  }

  if (!others.empty()) return;  // it is spelled right; only the system is another

  const std::vector<const Key*> elsewhere = keys_named(schema, leaf, section);
  const auto word = words_of_other_codes.find(lower_case(leaf));
  const std::optional<std::string> near = nearest(leaf, siblings);
  if (is_section && !section.empty() && !schema.members(leaf).empty()) {
    fault.suggestion = fmt::format("{} is a section of its own", header_of(leaf));
  } else if (!is_section && elsewhere.size() == 1) {
    fault.suggestion =
        fmt::format("`{}` belongs in {}", leaf, header_of(section_of(elsewhere[0]->path)));
  } else if (!is_section && word != words_of_other_codes.end() &&
             schema.find(word->second) != nullptr && lower_case(leaf) != near.value_or("")) {
    fault.suggestion = fmt::format("did you mean {}?", seen_from(word->second, section));
  } else if (near) {
    const std::string name = !section.empty()        ? "`" + *near + "`"
                             : schema.is_list(*near) ? "[[" + *near + "]]"
                                                     : header_of(*near);
    fault.suggestion = fmt::format("did you mean {}?", name);
  } else if (!is_section) {
    std::vector<std::string> paths;
    for (const Key& key : schema.keys()) paths.push_back(leaf_of(key.path));
    const std::optional<std::string> far = nearest(leaf, paths);
    const std::vector<const Key*> owners =
        far ? keys_named(schema, *far, section) : std::vector<const Key*>{};
    if (owners.size() == 1) {
      fault.suggestion = fmt::format("did you mean {}?", seen_from(owners[0]->path, section));
    }
  }
}

}  // namespace watersmeet::config
