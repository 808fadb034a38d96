#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "config/document.hpp"
#include "config/nearest.hpp"
#include "config/program.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::string names_text(const Key& key) { return join(words_of(key.variables + " " + key.state)); }

std::string type_text(const Key& key) {
  switch (key.type) {
    case KeyType::boolean:
      return "true or false";
    case KeyType::integer:
      return key.choices.empty() ? "a whole number" : "one of " + join(key.choices);
    case KeyType::real:
      return "a number";
    case KeyType::duration:
      return "a time (a number, or text such as \"15 min\")";
    case KeyType::text:
      return "text";
    case KeyType::choice:
      return "one of " + join(key.choices, ", ", "\"");
    case KeyType::integers3:
      return key.alone > 0 ? "3 whole numbers, or one" : "3 whole numbers";
    case KeyType::reals3:
      return "3 numbers";
    case KeyType::reals:
      return "a list of numbers";
    case KeyType::expression:
      return "a number or an expression in " + names_text(key);
    case KeyType::expressions3:
      return "3 numbers or expressions in " + names_text(key);
    case KeyType::texts:
      return key.choices.empty() ? "a list of texts"
                                 : "a list from " + join(key.choices, ", ", "\"");
    case KeyType::list_reals3:
      return "a list of triples of numbers";
  }
  return "";
}

}  // namespace

void Schema::add(Key key) {
  for (const Key& other : keys_) {
    require(other.path != key.path, ("key given twice: " + key.path).c_str());
    require(!starts_with(other.path, key.path + ".") && !starts_with(key.path, other.path + "."),
            ("key and section: " + key.path).c_str());
  }
  if (!key.default_text.empty()) parse_value(key.default_text);
  keys_.push_back(std::move(key));
}

void Schema::add(std::vector<Key> keys) {
  for (Key& key : keys) add(std::move(key));
}

void Schema::set_default(const std::string& path, const std::string& default_text) {
  if (!default_text.empty()) parse_value(default_text);
  for (Key& key : keys_) {
    if (key.path == path) {
      key.default_text = default_text;
      key.required = false;
      return;
    }
  }
  throw Error(ErrorKind::internal, "set_default: no key " + path);
}

void Schema::allow_alone(const std::string& path, std::int64_t third) {
  for (Key& key : keys_) {
    if (key.path == path) {
      key.alone = third;
      return;
    }
  }
  throw Error(ErrorKind::internal, "allow_alone: no key " + path);
}

void Schema::set_help(const std::string& path, const std::string& help) {
  for (Key& key : keys_) {
    if (key.path == path) {
      key.help = help;
      return;
    }
  }
  throw Error(ErrorKind::internal, "set_help: no key " + path);
}

void Schema::set_choices(const std::string& path, std::vector<std::string> choices) {
  for (Key& key : keys_) {
    if (key.path == path) {
      key.choices = std::move(choices);
      return;
    }
  }
  throw Error(ErrorKind::internal, "set_choices: no key " + path);
}

void Schema::remove(const std::string& path) {
  const std::size_t removed =
      std::erase_if(keys_, [&](const Key& key) { return key.path == path; });
  require(removed == 1, ("remove: no key " + path).c_str());
}

void Schema::add_foreign(const std::string& system, std::vector<std::string> paths) {
  std::vector<std::string>& list = foreign_[system];
  list.insert(list.end(), paths.begin(), paths.end());
}

const Key* Schema::find(const std::string& path) const {
  const std::string pattern = pattern_of(path);
  const Key* any = nullptr;
  for (const Key& key : keys_) {
    if (key.path == pattern) return &key;
    if (any == nullptr && fits(key.path, pattern)) any = &key;
  }
  return any;
}

std::vector<std::string> Schema::foreign_systems(const std::string& path) const {
  std::vector<std::string> systems;
  if (find(path) != nullptr || is_list(path) || !members(path).empty()) return systems;
  for (const auto& [system, paths] : foreign_) {
    const bool has = std::any_of(paths.begin(), paths.end(), [&](const std::string& other) {
      return fits(other, path) || is_below(other, path) || is_below(other, path + "[]");
    });
    if (has) systems.push_back(system);
  }
  return systems;
}

std::vector<std::string> Schema::sections() const {
  std::vector<std::string> names;
  for (const Key& key : keys_) {
    std::string name = key.path.substr(0, key.path.find_first_of(".["));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<std::string> Schema::members(const std::string& section) const {
  std::set<std::string> names;
  std::string next;
  for (const Key& key : keys_) {
    if (is_below(key.path, section, &next)) names.insert(next.substr(0, next.find('[')));
  }
  return {names.begin(), names.end()};
}

bool Schema::is_list(const std::string& path) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const Key& key) { return is_below(key.path, path + "[]"); });
}

bool Schema::is_chosen_name(const std::string& path) const {
  const std::vector<std::string> names = members(section_of(path));
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has("*") && !has(leaf_of(pattern_of(path)));
}

const Key* Schema::word_key(const std::string& path) const {
  if (path.empty() || path.back() == ']') return nullptr;  // an entry of a list is always a table
  const Key* key = find(path + ".kind");
  const bool is_word =
      key != nullptr && key->type == KeyType::choice && leaf_of(key->path) == "kind";
  return is_word ? key : nullptr;
}

std::string range_text(const Key& key) {
  const bool low = std::isfinite(key.lowest);
  const bool high = std::isfinite(key.highest);
  const std::string a = fmt::format("{}", key.lowest);
  const std::string b = fmt::format("{}", key.highest);
  if (low && high) {
    if (!key.lowest_open && !key.highest_open) return "between " + a + " and " + b;
    return (key.lowest_open ? "greater than " + a : a + " or more") + " and " +
           (key.highest_open ? "less than " + b : b + " or less");
  }
  if (low) return key.lowest_open ? "greater than " + a : a + " or more";
  if (high) return key.highest_open ? "less than " + b : b + " or less";
  return "";
}

bool in_range(const Key& key, double value) {
  const bool above = key.lowest_open ? value > key.lowest : value >= key.lowest;
  const bool below = key.highest_open ? value < key.highest : value <= key.highest;
  return above && below;
}

std::string allowed_text(const Key& key) {
  const std::string range = range_text(key);
  if (range.empty()) return type_text(key);
  const bool several = key.type == KeyType::integers3 || key.type == KeyType::reals3 ||
                       key.type == KeyType::reals || key.type == KeyType::list_reals3 ||
                       key.type == KeyType::expressions3;
  return type_text(key) + (several ? ", each " : ", ") + range;
}

}  // namespace watersmeet::config
