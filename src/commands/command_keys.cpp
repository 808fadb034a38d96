// watersmeet keys [SECTION or KEY]: the table of input keys as text, Markdown or a JSON schema.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "config/nearest.hpp"
#include "config/schema.hpp"
#include "core/enum_name.hpp"
#include "core/error.hpp"
#include "io/message.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

using config::Key;
using config::Schema;

Schema part_of(const Schema& schema, const std::string& prefix) {
  Schema part;
  for (const Key& key : schema.keys()) {
    if (config::is_part(key.path, prefix)) part.add(key);
  }
  return part;
}

// "[initial]" and "[[initial]]" are "initial"; config::is_part() takes "initial.density" and
// "initial[0].density" alike.
std::string normal_prefix(std::string word) {
  while (!word.empty() && word.front() == '[' && word.back() == ']') {
    word = word.substr(1, word.size() - 2);
  }
  return word;
}

// The keys of all systems are candidates, those of the first system first.
[[noreturn]] void refuse_prefix(const std::string& word) {
  std::vector<std::string> sections;
  std::vector<std::string> tables;  // nested in sections
  std::vector<std::string> paths;
  const auto add = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const systems::SystemEntry& system : systems::all_systems()) {
    const Schema& schema = systems::schema_for(system.name);
    for (const std::string& section : schema.sections()) add(sections, section);
    for (const Key& key : schema.keys()) {
      const std::string section = config::section_of(key.path);
      if (section.find('.') != std::string::npos) add(tables, section);
      add(paths, key.path);
    }
  }
  std::vector<std::string> candidates = sections;
  candidates.insert(candidates.end(), tables.begin(), tables.end());
  candidates.insert(candidates.end(), paths.begin(), paths.end());
  std::vector<std::string> leaves;
  for (const std::string& path : paths) leaves.push_back(config::leaf_of(path));
  std::string suggestion = did_you_mean(word, candidates);
  const auto leaf = nearest_word(word, leaves);
  if (suggestion.empty() || (leaf && *leaf == word)) {
    for (const std::string& path : paths) {
      if (!leaf || config::leaf_of(path) != *leaf) continue;
      suggestion = "did you mean `" + path + "`?";
      break;
    }
  }
  refuse({.kind = "unknown-key",
          .found = word,
          .message = "no section and no key `" + word + "`",
          .suggestion = suggestion,
          .allowed = "sections: " + config::join(sections) + "        (watersmeet keys)"});
}

std::string type_name(config::KeyType type) {
  return enum_name<config::KeyType::list_reals3>(
      {"boolean", "integer", "real", "duration", "text", "choice", "integers3", "reals3", "reals",
       "expression", "expressions3", "texts", "list_reals3"},
      type);
}

// The rows of the table for programs (--json).
nlohmann::ordered_json rows_of(const Schema& schema, const std::string& system) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Key& key : schema.keys()) {
    nlohmann::ordered_json row = {{"key", key.path},
                                  {"type", type_name(key.type)},
                                  {"unit", key.unit},
                                  {"required", key.required}};
    row["default"] = key.default_text.empty() ? nullptr : nlohmann::ordered_json(key.default_text);
    row["choices"] = key.choices;
    row["allowed"] = config::allowed_text(key);
    row["system"] = system;
    row["help"] = key.help;
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

int command_keys(const std::string& section, const std::string& format,
                 const CommonOptions& options) {
  const std::string prefix = normal_prefix(section);
  nlohmann::ordered_json schemas = nlohmann::ordered_json::array();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::string text;
  const auto& all = systems::all_systems();
  for (const systems::SystemEntry& system : all) {
    const Schema part = part_of(systems::schema_for(system.name), prefix);
    if (part.keys().empty()) continue;
    if (options.json) {
      for (auto& row : rows_of(part, system.name)) rows.push_back(row);
    } else if (format == "json-schema") {
      schemas.push_back(nlohmann::ordered_json::parse(part.json_schema()));
    } else {
      // Several systems: one table each, because defaults and choices of common keys may differ.
      const bool several = all.size() > 1;
      if (!text.empty()) text += "\n";
      if (format == "markdown") {
        text += several ? part.manual("Input keys of system " + system.name) : part.manual();
      } else {
        text += (several ? "# system " + system.name + "\n\n" : "") + part.text("");
      }
    }
  }
  if (text.empty() && rows.empty() && schemas.empty()) {
    refuse_prefix(section);
  }
  if (options.json) {
    text = rows.dump(2) + "\n";
  } else if (format == "json-schema") {
    text = (schemas.size() == 1 ? schemas[0] : nlohmann::ordered_json{{"anyOf", schemas}}).dump(2);
    text += "\n";
  }
  fmt::print("{}", text);
  return 0;
}

}  // namespace watersmeet
