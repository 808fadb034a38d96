// watersmeet new NAME: a commented case to start from, a copy of an example or one made from the
// table of keys, so that it names every key there is.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "config/document.hpp"
#include "config/input.hpp"
#include "config/schema.hpp"
#include "core/error.hpp"
#include "run/atomic_file.hpp"
#include "run/examples.hpp"
#include "run/message.hpp"
#include "run/run_directory.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

namespace fs = std::filesystem;
using config::Key;
using config::KeyType;

// The mesh of a case on curvilinear blocks by its keys, without making it.
std::string mesh_text(const config::Input& input) {
  if (!input.is_set("grid.mesh.kind")) return "a mesh file";
  std::string text = "mesh " + input.text("grid.mesh.kind");
  if (input.is_set("grid.mesh.cells")) {
    const std::vector<double> cells = input.reals("grid.mesh.cells");
    for (std::size_t a = 0; a < cells.size(); ++a) {
      text += fmt::format("{}{:.0f}", a == 0 ? ", " : " x ", cells[a]);
    }
    text += " cells";
  }
  if (input.is_set("grid.mesh.size")) text += ", " + input.text("grid.mesh.size");
  return text;
}

std::string cells_text(const std::string& file) {
  const config::Input input = config::Input::from_file(file);
  config::Input checked = input;
  const std::string system = checked.system(systems::system_names());
  if (system.empty()) return "?";
  const config::Schema schema = systems::schema_for(system);
  checked.validate(schema);
  if (!schema.find("grid.cells")) return mesh_text(checked);
  const Index3 n = checked.integers3("grid.cells");
  return fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

std::string with_unit(const std::string& cells) {
  return std::isdigit(static_cast<unsigned char>(cells[0])) ? cells + " cells" : cells;
}

int list(const CommonOptions& options) {
  const std::vector<run::Example> examples = run::list_examples();
  if (options.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const run::Example& e : examples) {
      rows.push_back({{"name", e.name},
                      {"title", e.title},
                      {"directory", e.directory},
                      {"quick", e.has_quick},
                      {"cells", cells_text(e.directory + "/case.toml")}});
    }
    fmt::print("{}\n", rows.dump(2));
    return 0;
  }
  if (examples.empty()) {
    fmt::print("no examples are installed; $WATERSMEET_EXAMPLES names their folder\n");
    return 0;
  }
  for (const run::Example& e : examples) {
    fmt::print("  {:<20} {}\n", e.name, e.title);
    fmt::print("  {:<20} {}", "", with_unit(cells_text(e.directory + "/case.toml")));
    if (e.has_quick) fmt::print("; {}/quick: {}", e.name, cells_text(e.directory + "/quick.toml"));
    fmt::print("\n");
  }
  if (!options.quiet) {
    fmt::print("run one:      watersmeet run {}\n", examples.front().name);
    fmt::print("change one:   watersmeet new NAME --from {}\n", examples.front().name);
  }
  return 0;
}

// What stands after the sign of equality where the table has no default: a value that is allowed.
std::string sample(const Key& key, const std::string& name, const std::string& system) {
  if (key.path == "case.system") return config::to_toml(system);
  if (key.path == "case.name") return config::to_toml(name);
  if (key.path == "grid.cells") return "[64, 64, 64]";
  if (key.path == "time.end") return "1.0";
  if (!key.default_text.empty()) return key.default_text;
  switch (key.type) {
    case KeyType::boolean:
      return "true";
    case KeyType::integer:
      return std::isfinite(key.lowest) ? fmt::format("{:.0f}", std::max(key.lowest, 1.0)) : "1";
    case KeyType::real:
    case KeyType::duration:
      return "1.0";
    case KeyType::text:
      return "\"text\"";
    case KeyType::choice:
      return config::to_toml(key.choices.empty() ? std::string() : key.choices.front());
    case KeyType::integers3:
      return "[1, 1, 1]";
    case KeyType::reals3:
      return "[1.0, 1.0, 1.0]";
    case KeyType::reals:
      return "[1.0, 1.0]";
    case KeyType::expression:
      return "\"0\"";
    case KeyType::expressions3:
      return R"(["0", "0", "0"])";
    case KeyType::texts:
      return "[]";
    case KeyType::list_reals3:
      return "[[1, 0, 0]]";
  }
  return "";
}

// Keys that a case must give, and those that most cases want to change first.
bool is_active(const Key& key, const std::vector<std::string>& starting_keys) {
  return key.required || key.path == "case.name" || key.path == "time.end" ||
         key.path == "grid.lower" || key.path == "grid.upper" ||
         std::find(starting_keys.begin(), starting_keys.end(), key.path) != starting_keys.end();
}

// Where to begin with another system than that of the template.
std::string other_systems(const std::string& system) {
  std::string names;
  for (const std::string& name : systems::system_names()) {
    if (name != system) names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return "";
  return fmt::format("# For {} start from an example:  watersmeet new --list\n", names);
}

// Sections that most cases leave out: [constants] and what is nested in others.
bool is_commented(const std::string& section) {
  return section.find('.') != std::string::npos || section == "constants";
}

std::string template_text(const std::string& name, const std::string& system) {
  const config::Schema schema = systems::schema_for(system);
  std::string text = fmt::format(
      "# A case of Watersmeet. Lines that begin with # are keys left at their defaults.\n"
      "# check it:  watersmeet check {0}.toml        all keys:  watersmeet keys\n"
      "# run it:    watersmeet run {0}.toml\n{1}",
      name, other_systems(system));
  const std::vector<std::string>& starting_keys = systems::system_entry(system).starting_keys;
  for (const std::string& top : schema.sections()) {
    std::string section;
    for (const Key& key : schema.keys()) {
      if (key.path.substr(0, key.path.find_first_of(".[")) != top) continue;
      const std::string own = config::section_of(key.path);
      if (own != section) {
        text += "\n";
        if (is_commented(own)) text += "# ";
        text += config::header_of(own) + "\n";
        section = own;
      }
      const std::string leaf = config::leaf_of(key.path);
      std::string line =
          fmt::format("{}{} = {}", is_active(key, starting_keys) && !is_commented(own) ? "" : "# ",
                      leaf == "*" ? "NAME" : leaf, sample(key, name, system));
      std::string remark = key.help;
      if (!key.choices.empty() && key.path != "case.system") {
        std::string allowed = config::allowed_text(key);
        allowed[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(allowed[0])));
        remark += fmt::format(" {}.", allowed);
      }
      if (!key.unit.empty() && key.unit != "1") remark += fmt::format(" Unit: {}.", key.unit);
      text += fmt::format("{:<40} # {}\n", line, remark);
    }
  }
  return text;
}

// The example's text with the name of the new case.
std::string example_text(const std::string& file, const std::string& name) {
  std::string text = run::read_text_file(file);
  const std::regex name_line(R"re((^|\n)(\s*name\s*=\s*)"[^"\n]*")re");
  return std::regex_replace(text, name_line, fmt::format("$1$2\"{}\"", name),
                            std::regex_constants::format_first_only);
}

void check_name(const std::string& name) {
  bool good = !name.empty() && name != "." && name != "..";
  for (const char c : name) {
    good =
        good && (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.');
  }
  if (good) return;
  refuse({.kind = "bad-value",
          .found = name,
          .message = "a case is named with letters, digits, `-`, `_` and `.`; not `" + name + "`",
          .suggestion = {},
          .allowed = {}});
}

}  // namespace

int command_new(const std::string& name, const std::string& from_example, bool list_them,
                const CommonOptions& options) {
  if (list_them) return list(options);
  fs::path file(name);
  if (file.extension() != ".toml") file += ".toml";
  const std::string stem = file.stem().string();
  check_name(stem);
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    refuse({.kind = "exists",
            .found = file.string(),
            .message = fmt::format("`{}` is there already; nothing is overwritten", file.string()),
            .suggestion = "choose another name",
            .allowed = {}});
  }
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (!fs::is_directory(folder, error)) throw Error(ErrorKind::user_input, "no folder " + folder);
  run::check_writable(folder);
  const std::string text = from_example.empty()
                               ? template_text(stem, systems::system_names().front())
                               : example_text(run::resolve_case(from_example), stem);
  run::write_text_file(file.string(), text);
  if (options.json) {
    fmt::print("{{\"case\": {}}}\n", run::json_text(file.string()));
  } else if (!options.quiet) {
    fmt::print("wrote {}\n", file.string());
    fmt::print("check it:  watersmeet check {0}        run it:  watersmeet run {0}\n",
               file.string());
  }
  return 0;
}

}  // namespace watersmeet
