// The resolved case: every key with its value and where it comes from, as TOML that gives the same
// run again.

#include <fmt/format.h>

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

}  // namespace

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
  std::string comment = origin(path);
  if (entry.given && entry.key_where.source == 0) {
    comment = fmt::format("{}:{}", this->name(), entry.key_where.line);
  }
  if (is_numeric(key.type) && has_text(entry.node))
    comment += fmt::format("; = {}", list_of(entry.value.numbers));
  return fmt::format("{:<40} # {}\n", name + " = " + value, comment);
}

std::string Input::resolved_toml() const {
  std::string text;
  for (const std::string& section : schema_.sections()) {
    const bool list = schema_.is_list(section);
    const std::string start = section + (list ? "[]." : ".");
    for (std::size_t i = 0; i < (list ? count(section) : 1); ++i) {
      const std::string prefix = list ? section + "[" + std::to_string(i) + "]." : start;
      std::string lines;
      for (const Key& key : schema_.keys()) {
        if (key.path.compare(0, start.size(), start) != 0) continue;
        const std::string name = key.path.substr(start.size());
        if (name != "*") {
          lines += resolved_line(key, prefix + name, name);
          continue;
        }
        for (const auto& [constant, value] : constants_) {
          lines += resolved_line(key, prefix + constant, constant);
        }
      }
      if (lines.empty()) continue;
      if (!text.empty()) text += "\n";
      text += fmt::format("{}\n{}", header_of(list ? section + "[]" : section), lines);
    }
  }
  return text;
}

}  // namespace watersmeet::config
