// The resolved case: every key with its value and where it comes from, as TOML that gives the same
// run again.

#include <fmt/format.h>

#include <algorithm>

#include "config/input.hpp"
#include "config/nearest.hpp"

namespace watersmeet::config {
namespace {

bool has_text(const Node& node) {
  if (node.type == Node::Type::text) return true;
  for (const Node& item : node.items) {
    if (has_text(item)) return true;
  }
  return false;
}

bool is_numeric(KeyType type) {
  return type == KeyType::real || type == KeyType::reals3 || type == KeyType::reals ||
         type == KeyType::duration || type == KeyType::list_reals3;
}

std::string list_of(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(to_toml(number));
  return numbers.size() == 1 ? texts[0] : fmt::format("[{}]", join(texts));
}

std::string list_of(const std::vector<std::int64_t>& numbers) {
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) texts.push_back(fmt::format("{}", number));
  return numbers.size() == 1 ? texts[0] : fmt::format("[{}]", join(texts));
}

}  // namespace

// Where a value comes from: "rb.toml:7", "--set", "default".
std::string Input::place_of(const std::string& path) const {
  const std::string line = origin(path);
  return line.compare(0, 5, "line ") == 0 ? name() + ":" + line.substr(5) : line;
}

std::string Input::resolved_line(const Key& key, const std::string& path,
                                 const std::string& name) const {
  const auto found = entries_.find(path);
  if (found == entries_.end()) return "# " + name + ": unset\n";
  const Entry& entry = found->second;
  std::string value = to_toml(entry.node);
  if (key.type == KeyType::text || key.type == KeyType::choice) {
    value = to_toml(entry.value.texts[0]);
  } else if (key.type == KeyType::texts) {
    value.clear();
    for (const std::string& item : entry.value.texts) {
      value += (value.empty() ? "" : ", ") + to_toml(item);
    }
    value = "[" + value + "]";
  }
  std::string comment = place_of(path);
  // What reads a resolved case needs no expressions to know its grid.
  if ((key.type == KeyType::integer || key.type == KeyType::integers3) && has_text(entry.node)) {
    comment += "; from " + value;
    value = list_of(entry.value.integers);
  }
  if (is_numeric(key.type) && has_text(entry.node))
    comment += fmt::format("; = {}", list_of(entry.value.numbers));
  return fmt::format("{:<40} # {}\n", name + " = " + value, comment);
}

// The keys of a table, one line each, tables inside it with dotted names: "shape.kind = ...". The
// lists of sections in it are handed out. An `optional` table is part of an entry or of a table
// with a chosen name, and may itself lack its tables.
std::string Input::resolved_lines(const std::string& section, const std::string& prefix,
                                  bool optional, std::vector<std::string>& lists) const {
  std::vector<std::string> members;  // in the order of the schema, chosen names in place of "*"
  std::string next;
  for (const Key& key : schema_.keys()) {
    if (!is_below(key.path, section, &next)) continue;
    for (const std::string& name : next == "*" ? names(section) : std::vector{next}) {
      if (std::find(members.begin(), members.end(), name) == members.end()) members.push_back(name);
    }
  }
  std::string lines;
  bool empty = true;
  for (const std::string& name : members) {
    const std::string path = path_of(section, name);
    if (name.back() == ']') {
      lists.push_back(path.substr(0, path.size() - 2));
      empty = empty && count(lists.back()) == 0;
    } else if (const Key* key = schema_.find(path)) {
      lines += resolved_line(*key, path, prefix + name);
      empty = empty && entries_.count(path) == 0;
    } else if (optional && !has_table(path)) {
      lines += "# " + prefix + name + ": unset\n";
    } else {
      lines += resolved_lines(path, prefix + name + ".", optional || schema_.is_chosen_name(path),
                              lists);
      empty = false;
    }
  }
  // A table that is given but says nothing still counts as given.
  if (empty && !prefix.empty() && has_table(section)) {
    const std::string name = prefix.substr(0, prefix.size() - 1);
    lines += fmt::format("{:<40} # {}\n", name + " = {}", place_of(section));
  }
  return lines;
}

std::string Input::resolved_section(const std::string& section) const {
  std::vector<std::string> lists;
  const bool entry = section.back() == ']';
  std::string text = resolved_lines(section, "", entry, lists);
  if (entry || !text.empty()) text = "\n" + header_of(section) + "\n" + text;
  for (const std::string& list : lists) {
    for (std::size_t i = 0; i < count(list); ++i) {
      text += resolved_section(list + "[" + std::to_string(i) + "]");
    }
  }
  return text;
}

std::string Input::resolved_toml() const {
  std::string text;
  for (const std::string& section : schema_.sections()) {
    if (!schema_.is_list(section)) {
      text += resolved_section(section);
      continue;
    }
    for (std::size_t i = 0; i < count(section); ++i) {
      text += resolved_section(section + "[" + std::to_string(i) + "]");
    }
  }
  return text.empty() ? text : text.substr(1);
}

}  // namespace watersmeet::config
