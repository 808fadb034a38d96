// watersmeet new NAME: a commented case to start from, a copy of an example or one made from the
// table of keys, so that it names every key there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands/examples.hpp"
#include "config/document.hpp"
#include "config/input.hpp"
#include "config/schema.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "run/known_system.hpp"
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

// Entry of a case in the list.
struct CaseHeading {
  std::string system = "?", cells = "?";
};

CaseHeading heading_of(const std::string& file) {
  config::Input input = config::Input::from_file(file);
  const std::string system = input.system(systems::system_names());
  if (system.empty()) return {};
  const config::Schema& schema = systems::schema_for(system);
  input.validate(schema);
  if (!schema.find("grid.cells")) return {system, mesh_text(input)};
  return {system, io::size_text(input.integers3("grid.cells"))};
}

std::string with_unit(const std::string& cells) {
  return std::isdigit(static_cast<unsigned char>(cells[0])) ? cells + " cells" : cells;
}

int list_examples(const CommonOptions& options) {
  const std::vector<commands::Example> examples = commands::list_examples();
  if (options.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const commands::Example& e : examples) {
      const CaseHeading heading = heading_of(e.directory + "/case.toml");
      rows.push_back({{"name", e.name},
                      {"title", e.title},
                      {"directory", e.directory},
                      {"quick", e.has("quick")},
                      {"variants", e.variants},
                      {"system", heading.system},
                      {"cells", heading.cells}});
    }
    fmt::print("{}\n", rows.dump(2));
    return 0;
  }
  fmt::print("systems, for  watersmeet new NAME --system SYSTEM\n");
  for (const systems::SystemEntry& system : systems::all_systems()) {
    fmt::print("  {:<20} {}\n", system.name, system.summary);
  }
  fmt::print("\nexamples, for  watersmeet new NAME --from EXAMPLE\n");
  if (examples.empty()) {
    fmt::print("no examples are installed; $WATERSMEET_EXAMPLES names their folder\n");
    return 0;
  }
  for (const commands::Example& e : examples) {
    fmt::print("  {:<20} {}\n", e.name, e.title);
    const CaseHeading heading = heading_of(e.directory + "/case.toml");
    fmt::print("  {:<20} {}: {}", "", heading.system, with_unit(heading.cells));
    for (const std::string& variant : e.variants) {
      fmt::print("; {}/{}: {}", e.name, variant,
                 heading_of(e.directory + "/" + variant + ".toml").cells);
    }
    fmt::print("\n");
  }
  if (!options.quiet) {
    fmt::print("\nrun one:      watersmeet run {}\n", examples.front().name);
    fmt::print("change one:   watersmeet new NAME --from {}\n", examples.front().name);
  }
  return 0;
}

// The value of a key in a new case of the system; null where the case leaves the key out.
const std::string* starting_value(const Key& key, const systems::SystemEntry& system) {
  for (const auto& [path, value] : system.starting_values) {
    if (path == key.path) return &value;
  }
  return nullptr;
}

// The value after the equals sign: what the system begins with, the default, or else a value
// that is allowed.
std::string sample(const Key& key, const std::string& name, const systems::SystemEntry& system) {
  if (key.path == "case.system") return config::to_toml(system.name);
  if (key.path == "case.name") return config::to_toml(name);
  const std::string* const value = starting_value(key, system);
  if (value != nullptr && !value->empty()) return *value;
  if (key.path == "grid.cells") return "[64, 64, 64]";
  if (key.path == "time.end") return "1.0";
  if (key.path == "trigger[].when") return "\"t > 0.5\"";
  if (key.path == "output.picture[].field" || key.path == "output.isosurface[].field" ||
      key.path == "output.isosurface[].color")
    return "\"velocity.x\"";
  if (key.path == "output.picture[].limits" || key.path == "output.isosurface[].limits")
    return "[0.0, 1.0]";
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
      return key.choices.empty() ? "[]" : fmt::format("[{}]", config::to_toml(key.choices.front()));
    case KeyType::list_reals3:
      return "[[1, 0, 0]]";
  }
  return "";
}

// Sections that most cases leave out: [constants], [[trigger]], [[source]] and what is nested in others.
bool is_commented(const std::string& section) {
  return section.find('.') != std::string::npos || section == "constants" ||
         section == "trigger[]" || section == "source[]";
}

// Keys that a case must give, and those that most cases want to change first.
bool is_active(const Key& key, const config::Schema& schema, const systems::SystemEntry& system) {
  const std::string section = config::section_of(key.path);
  // A system with steady flows ends them by itself.
  const bool has_end = schema.find("time.mode") == nullptr;
  const bool usual = key.path == "case.name" || (key.path == "time.end" && has_end) ||
                     key.path == "grid.lower" || key.path == "grid.upper";
  // Keys of a part that a case may leave out are required only where the part is given.
  const bool required = key.required && !is_commented(section);
  return required || usual || starting_value(key, system) != nullptr;
}

// Where to begin with another system than that of the template.
std::string other_systems(const std::string& system) {
  std::vector<std::string> others = systems::system_names();
  std::erase(others, system);
  return fmt::format(
      "# other systems:  watersmeet new NAME --system SYSTEM, of {}\n"
      "# from an example:  watersmeet new --list\n",
      fmt::join(others, ", "));
}

std::vector<Key> keys_of(const config::Schema& schema, const std::string& section) {
  std::vector<Key> keys;
  for (const Key& key : schema.keys()) {
    if (config::section_of(key.path) == section) keys.push_back(key);
  }
  return keys;
}

// Every section with keys, those nested in another behind it: TOML opens a section once.
std::vector<std::string> sections_of(const config::Schema& schema) {
  std::vector<std::string> all;
  for (const std::string& top : schema.sections()) {
    const std::size_t first = all.size();
    for (const Key& key : schema.keys()) {
      const std::string section = config::section_of(key.path);
      if (key.path.substr(0, key.path.find_first_of(".[")) != top) continue;
      if (std::find(all.begin(), all.end(), section) == all.end()) all.push_back(section);
    }
    const auto depth = [](const std::string& section) {
      return std::count(section.begin(), section.end(), '.');
    };
    std::stable_sort(
        all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
        [&](const std::string& a, const std::string& b) { return depth(a) < depth(b); });
  }
  return all;
}

std::string template_text(const std::string& name, const std::string& system) {
  const config::Schema& schema = systems::schema_for(system);
  std::string text = fmt::format(
      "# A case of Watersmeet. Keys in lines that begin with # are left out: each is\n"
      "# shown with its default or, where it has none, with an example of a value (marked).\n"
      "# check it:  watersmeet check {0}.toml        all keys:  watersmeet keys\n"
      "# run it:    watersmeet run {0}.toml\n{1}",
      name, other_systems(system));
  const systems::SystemEntry& entry = systems::system_entry(system);
  const auto active = [&](const Key& key) { return is_active(key, schema, entry); };
  for (const std::string& section : sections_of(schema)) {
    const std::vector<Key> keys = keys_of(schema, section);
    const bool left_out = is_commented(section) && std::none_of(keys.begin(), keys.end(), active);
    text += fmt::format("\n{}{}\n", left_out ? "# " : "", config::header_of(section));
    for (const Key& key : keys) {
      const std::string leaf = config::leaf_of(key.path);
      std::string line = fmt::format("{}{} = {}", active(key) ? "" : "# ",
                                     leaf == "*" ? "NAME" : leaf, sample(key, name, entry));
      std::string remark = key.help;
      if (!key.choices.empty() && key.path != "case.system") {
        std::string allowed = config::allowed_text(key);
        allowed[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(allowed[0])));
        remark += fmt::format(" {}.", allowed);
      }
      if (!key.unit.empty() && key.unit != "1") remark += fmt::format(" Unit: {}.", key.unit);
      // The value of a key that a case leaves out, and that has none by itself.
      if (!active(key) && key.default_text.empty()) remark += " The value is an example.";
      text += fmt::format("{:<40} # {}\n", line, remark);
    }
  }
  return text;
}

// The example's text with the name of the new case: the first line `name = "..."` has it.
std::string example_text(const std::string& file, const std::string& name) {
  std::string text = io::read_text_file(file);
  for (std::size_t line = 0; line < text.size();
       line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    std::size_t at = text.find_first_not_of(" \t", line);
    if (at == std::string::npos || text.compare(at, 4, "name") != 0) continue;
    at = text.find_first_not_of(" \t", at + 4);
    if (at == std::string::npos || text[at] != '=') continue;
    at = text.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || text[at] != '"') continue;
    const std::size_t end = text.find_first_of("\"\n", at + 1);
    if (end == std::string::npos || text[end] != '"') continue;
    return text.replace(at + 1, end - at - 1, name);
  }
  return text;
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

int command_new(const std::string& name, const NewOptions& options) {
  if (options.list) return list_examples(options);
  if (!options.from.empty() && !options.system.empty()) {
    refuse({.kind = "conflict",
            .found = "--system",
            .message = "`--system` and `--from` exclude each other: an example has its own system",
            .suggestion = "leave one of them out",
            .allowed = {}});
  }
  const std::string system = run::known_system(options.system);
  fs::path file(name);
  if (file.extension() != ".toml") file += ".toml";
  const std::string stem = file.stem().string();
  check_name(stem);
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    refuse({.kind = "exists",
            .found = file.string(),
            .message = fmt::format("`{}` exists already; nothing is overwritten", file.string()),
            .suggestion = "choose another name",
            .allowed = {}});
  }
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  if (!fs::is_directory(folder, error)) throw Error(ErrorKind::io, "no folder " + folder);
  io::check_writable(folder);
  const std::string text = options.from.empty()
                               ? template_text(stem, system)
                               : example_text(commands::resolve_case(options.from), stem);
  io::write_text_file(file.string(), text);
  if (options.json) {
    fmt::print("{{\"case\": {}}}\n", io::json_text(file.string()));
  } else if (!options.quiet) {
    fmt::print("wrote {}{}\n", file.string(),
               options.from.empty() ? fmt::format(", a case of {}", system)
                                    : fmt::format(", a copy of {}", options.from));
    if (options.from.empty() && commands::is_example(stem)) {
      fmt::print("note: {0} is also an example; a copy of that:  watersmeet new NAME --from {0}\n",
                 stem);
    }
    fmt::print("check it:  watersmeet check {0}        run it:  watersmeet run {0}\n",
               file.string());
  }
  return 0;
}

}  // namespace watersmeet
