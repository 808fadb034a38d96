#include "run/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/message.hpp"
#include "io/table_file.hpp"
#include "mesh/cubed_sphere.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "mesh/files/file_kind.hpp"
#include "run/other_grid.hpp"
#include "run/sampling/average_case.hpp"
#include "run/sampling/isosurface_case.hpp"
#include "run/sampling/part_case.hpp"
#include "run/sampling/picture_case.hpp"
#include "run/sampling/probes.hpp"
#include "run/sampling/trigger_case.hpp"
#include "solve/spectra.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {

namespace {
std::string place_text(const Real3& x) {
  return fmt::format("({:g}, {:g}, {:g})", x[0], x[1], x[2]);
}

std::vector<std::string> overrides_of(const SimulationOptions& options) {
  std::vector<std::string> overrides;
  if (!options.precision.empty())
    overrides.push_back("numerics.precision=\"" + options.precision + "\"");
  if (!options.device.empty()) overrides.push_back("device.kind=\"" + options.device + "\"");
  if (options.threads > 0) overrides.push_back("device.threads=" + std::to_string(options.threads));
  if (options.cpu_ranks >= 0)
    overrides.push_back("device.cpu_ranks=" + std::to_string(options.cpu_ranks));
  overrides.insert(overrides.end(), options.set.begin(), options.set.end());
  return overrides;
}

[[noreturn]] void refuse_mesh(const std::string& path, const std::string& kind) {
  refuse({.kind = "bad-value",
          .found = path,
          .message = fmt::format("`{}` is {}, not a case", path, kind),
          .suggestion = fmt::format("to look at the mesh:  watersmeet mesh {0}        a case "
                                    "names it with  grid.file = \"{0}\"",
                                    path),
          .allowed = {}});
}

// Files that are no text of a case, by name or by their beginning. What is named .toml is read.
void refuse_other_kinds(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  std::error_code error;
  if (ending == ".toml" || !std::filesystem::is_regular_file(path, error)) return;
  std::string begin(mesh::file_kind_bytes, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  const std::string kind = mesh::kind_of_file(begin);
  if (kind == "a case file") return;
  if (ending == ".xyz" || ending == ".p3d") refuse_mesh(path, "coordinates of a mesh (Plot3D)");
  if (ending == ".cgns") refuse_mesh(path, "a mesh (CGNS)");
  if (kind.empty()) return;
  refuse({.kind = "bad-value",
          .found = path,
          .message = fmt::format("`{}` is {}, not a case", path, kind),
          .suggestion = "what it holds:  watersmeet info " + path,
          .allowed = {}});
}

// Fields by their names of before are those of now, with a word about it.
void rename_fields(config::Input& input, const std::vector<systems::QuantityInfo>& quantities) {
  std::vector<std::string> lists = {"output.fields"};
  for (std::size_t p = 0; p < input.count("output.probe"); ++p)
    lists.push_back(fmt::format("output.probe[{}].fields", p));
  for (std::size_t p = 0; p < input.count("output.part"); ++p)
    lists.push_back(fmt::format("output.part[{}].fields", p));
  for (std::size_t p = 0; p < input.count("output.isosurface"); ++p)
    lists.push_back(fmt::format("output.isosurface[{}].fields", p));
  for (const std::string& path : lists) {
    if (!input.is_good(path)) continue;
    const std::vector<std::string> names = input.texts(path);
    for (std::size_t n = 0; n < names.size(); ++n) {
      for (const systems::QuantityInfo& q : quantities) {
        if (q.former != names[n] || q.former.empty()) continue;
        input.settle(path, n, q.name);
        input.note(config::FaultKind::bad_value, path,
                   fmt::format("the field `{}` is now called `{}`; the old name will be removed in "
                               "a later version",
                               q.former, q.name));
      }
    }
  }
}

// Spectra have a row a shell and are added up in an array of shells times planes.
void check_shells(config::Input& input, const systems::System& system) {
  constexpr double most_shells = 1e5, most_bins = 1e9;
  if (system.spectral_variables().empty()) return;
  const Index3 n = system.grid().n();
  Real3 length{};
  for (std::size_t a = 0; a < 3; ++a)
    length[a] = system.grid().geometry().spacing[a] * static_cast<double>(n[a]);
  const double shells = solve::number_of_shells(n, length);
  if (shells <= most_shells && shells * static_cast<double>(n[2]) <= most_bins) return;
  for (const char* const path : {"output.spectra_every", "output.spectra_every_steps"}) {
    if (!input.is_set(path)) continue;
    input.fault(
        config::FaultKind::conflict, path,
        fmt::format("spectra of this box would have {:.3g} shells, which are as wide as the "
                    "smallest wave number of its longest side; at most {:.0f} are counted",
                    shells, most_shells),
        fmt::format("its sides are {:.4g} x {:.4g} x {:.4g}", length[0], length[1], length[2]));
    return;
  }
}

void give_functions(config::Input& input, const SimulationOptions& options) {
  for (const GridFunction& given : options.functions) {
    const std::string what = "the function `" + given.name + "`";
    std::size_t count = 1;
    std::vector<config::Table::Axis> axes;
    for (std::size_t a = 0; a < given.at.size(); ++a) {
      axes.push_back({given.at[a], given.periods.empty() ? 0.0 : given.periods.at(a)});
      count *= given.at[a].size();
    }
    if (axes.empty() || axes.size() > 3 || count == 0 || count != given.values.size() ||
        (!given.periods.empty() && given.periods.size() != axes.size())) {
      throw Error(ErrorKind::user_input,
                  fmt::format("{} has {} lists of coordinates with {} crossings, {} values and {} "
                              "periods; it must have one to three lists, a value at every crossing "
                              "and a period for each list or none",
                              what, axes.size(), count, given.values.size(), given.periods.size()));
    }
    try {
      input.give_table(given.name,
                       std::make_shared<const config::Table>(std::move(axes), given.values));
    } catch (const Error& error) {
      throw Error(error.kind(), what + ": " + error.what());
    }
  }
}

// Faults of the grid kept a sphere from being made: what it has to write is not known, and outputs
// are no faults of a plane.
bool sphere_unmade(const Case& given) {
  const std::string kind = "grid.kind";
  return given.input.is_set(kind) && given.input.is_good(kind) &&
         given.input.text(kind) == "cubed_sphere" &&
         given.system->grid().kind != mesh::GridKind::cubed_sphere;
}

Case configured(config::Input input, const SimulationOptions& options, Start start) {
  give_functions(input, options);
  const std::string name = input.system(systems::system_names());
  if (name.empty()) input.throw_if_faults();
  Case result{std::move(input), systems::make_system(name)};
  result.input.validate(systems::schema_for(name), io::read_table);
  result.system->configure(result.input);
  if (sphere_unmade(result)) result.input.throw_if_faults();
  rename_fields(result.input, result.system->quantities());
  check_output(result.input, name, result.system->quantities(),
               {.spectra = !result.system->spectral_variables().empty(),
                .profiles = !result.system->profile_columns().empty(),
                .maps = result.system->grid().kind == mesh::GridKind::cubed_sphere});
  check_probes(result.input, result.system->grid(), *result.system);
  check_averages(result.input, *result.system);
  check_triggers(result.input, *result.system);
  check_parts(result.input, *result.system);
  check_pictures(result.input, *result.system);
  check_isosurfaces(result.input, *result.system);
  if (!result.input.has_faults()) check_shells(result.input, *result.system);
  if (!result.input.has_faults() && start == Start::read)
    result.start = find_start(result.input, *result.system);
  result.input.throw_if_faults();
  return result;
}
}  // namespace

// output.latlon: two whole numbers, on a sphere.
static void check_maps(config::Input& input, const std::string& system, bool offered) {
  const std::string key = "output.latlon";
  if (!input.is_set(key) || !input.is_good(key)) return;
  if (!offered) {
    input.fault(config::FaultKind::conflict, key,
                "there is no sphere in this case of " + system + " to write maps of",
                "remove this key");
    return;
  }
  constexpr double most = 20000;
  const std::vector<double> size = input.reals(key);
  const bool good = size.size() == 2 && std::all_of(size.begin(), size.end(), [](double m) {
                      return m >= 1 && m <= most && m == std::floor(m);
                    });
  if (good) return;
  input.fault(config::FaultKind::bad_value, key,
              "latlon must be a number of longitudes and one of latitudes",
              "give two whole numbers from 1 to 20000, for example latlon = [360, 180]");
}

void check_output(config::Input& input, const std::string& system,
                  const std::vector<systems::QuantityInfo>& quantities, const Offers& offers) {
  std::string names;
  for (const systems::QuantityInfo& q : quantities) names += (names.empty() ? "" : ", ") + q.name;
  const std::vector<std::string> wanted =
      input.is_good("output.fields") ? input.texts("output.fields") : std::vector<std::string>{};
  for (const std::string& field : wanted) {
    const bool found = std::any_of(quantities.begin(), quantities.end(),
                                   [&](const auto& q) { return q.name == field; });
    if (found) continue;
    input.fault(config::FaultKind::bad_value, "output.fields", "no field `" + field + "` to write",
                "the fields of " + system + " are " + names);
  }
  for (auto field = wanted.begin(); field != wanted.end(); ++field) {
    // Once for each name, at the second place it has.
    if (std::count(wanted.begin(), field, *field) != 1) continue;
    input.fault(config::FaultKind::bad_value, "output.fields",
                "field `" + *field + "` is listed more than once", "name each field once");
  }
  const auto refuse = [&](const std::string& what) {
    for (const char* const often : {"_every", "_every_steps"}) {
      const std::string path = "output." + what + often;
      if (!input.is_set(path)) continue;
      input.fault(config::FaultKind::conflict, path, "the system " + system + " has no " + what,
                  "remove this key");
    }
  };
  check_maps(input, system, offers.maps);
  if (!offers.spectra) refuse("spectra");
  if (!offers.profiles) refuse("profiles");
}

Case load_case(const std::string& path, const SimulationOptions& options, Start start) {
  refuse_other_kinds(path);
  config::Input input = config::Input::from_file(path, overrides_of(options));
  if (input.is_set("mesh") && !input.is_set("case")) refuse_mesh(path, "a mesh file");
  return configured(std::move(input), options, start);
}

Case load_case_text(const std::string& toml, const std::string& name,
                    const SimulationOptions& options, Start start) {
  return configured(config::Input::from_text(toml, name, overrides_of(options)), options, start);
}

namespace {
void require_same_box(const mesh::GridDescription& before, const mesh::GridDescription& now) {
  if (before.n() != now.n() || before.blocks) return;  // other checks name these
  const mesh::Uniform &was = before.geometry(), &is = now.geometry();
  if (was.lower == is.lower && was.spacing == is.spacing && before.faces == now.faces &&
      before.sphere_radius == now.sphere_radius) {
    return;
  }
  throw Error(
      ErrorKind::user_input,
      fmt::format("the run has the grid {} from {}, and the case now {} from {}: its cells "
                  "lie elsewhere. A run keeps its grid; leave the keys of [grid] as they "
                  "are, or start a new run from its last state: start.from",
                  grid_text(before), place_text(was.lower), grid_text(now), place_text(is.lower)));
}
}  // namespace

std::string difference(const systems::Transfer::Basis& before, const systems::Transfer::Basis& now,
                       const std::string& there, const std::string& here) {
  for (const auto& [name, words] : now) {
    for (const auto& [other, were] : before) {
      if (other == name && were != words)
        return fmt::format("{} differs: {} {}, and {} {}", name, were, there, words, here);
    }
  }
  return "";
}

void require_same_state(const systems::System& before, const systems::System& now) {
  require_same_box(before.grid(), now.grid());
  const systems::Transfer from = before.transfer(), to = now.transfer();
  const auto refuse = [](const std::string& why, const std::string& other_way) {
    if (!why.empty())
      throw Error(ErrorKind::user_input,
                  why + "; a resumed run keeps it. Leave it as it was" + other_way);
  };
  const std::string there = "in the run", here = "in the case now";
  refuse(difference(from.basis, to.basis, there, here), "");
  if (from.radial != to.radial) refuse("grid.geometry differs from that of the run", "");
  refuse(difference(from.made_of, to.made_of, there, here),
         ", or start a new run from its last state: start.from");
}

std::string grid_text(const mesh::GridDescription& grid) {
  if (grid.blocks) return fmt::format("{}, {}", mesh::size_text(*grid.blocks), grid.text);
  const Index3 n = grid.n();
  if (grid.levels > 0) {
    return fmt::format("{} panels of {} x {}{} = {} cells, {}", mesh::panels, n[0], n[1],
                       grid.levels > 1 ? fmt::format(" x {}", grid.levels) : std::string(),
                       io::count_text(double(n[0]) * double(n[1]) * double(n[2])), grid.text);
  }
  const Real3 h = grid.geometry().spacing;
  const double points = double(n[0]) * double(n[1]) * double(n[2]);
  return fmt::format("{} = {} points, box {:.4g} x {:.4g} x {:.4g}", io::size_text(n),
                     io::count_text(points), h[0] * double(n[0]), h[1] * double(n[1]),
                     h[2] * double(n[2]));
}

}  // namespace watersmeet::run
