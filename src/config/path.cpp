#include "config/path.hpp"

#include <algorithm>
#include <string_view>

namespace watersmeet::config {
namespace {

// The name that begins at `begin`, which moves on behind the dot.
std::string_view next_name(std::string_view path, std::size_t& begin) {
  const std::size_t end = std::min(path.find('.', begin), path.size());
  const std::string_view name = path.substr(begin, end - begin);
  begin = end + 1;
  return name;
}

// "initial[]" fits "initial[3]", whatever the number.
bool name_fits(std::string_view pattern, std::string_view name) {
  const std::size_t mark = name.find('[');
  if (mark == std::string_view::npos) return pattern == "*" || pattern == name;
  return pattern.substr(0, mark) == name.substr(0, mark) && pattern.substr(mark) == "[]";
}

// Whether the first names of a pattern fit a path; `rest` is where its other names begin.
bool leads(std::string_view pattern, std::string_view path, std::size_t& rest) {
  rest = 0;
  // Schemas ask this of each of their patterns, most of which begin with another letter.
  if (!pattern.empty() && !path.empty() && pattern[0] != path[0] && pattern[0] != '*') return false;
  for (std::size_t i = 0; i < path.size();) {
    if (rest >= pattern.size()) return false;
    if (!name_fits(next_name(pattern, rest), next_name(path, i))) return false;
  }
  return true;
}

// A pattern as readers may write it: without marks of lists.
std::string without_marks(const std::string& path) {
  std::string plain = pattern_of(path);
  for (std::size_t mark; (mark = plain.find("[]")) != std::string::npos;) plain.erase(mark, 2);
  return plain;
}

}  // namespace

std::string pattern_of(const std::string& path) {
  std::string pattern;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) pattern += c;
    if (c == '[') inside = true;
  }
  return pattern;
}

std::string leaf_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

std::string section_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string path_of(const std::string& section, const std::string& name) {
  return section.empty() ? name : section + "." + name;
}

std::string header_of(const std::string& section) {
  const std::string pattern = pattern_of(section);
  const bool list = pattern.size() > 2 && pattern.compare(pattern.size() - 2, 2, "[]") == 0;
  std::string name;
  const std::string plain = without_marks(pattern);
  for (std::size_t i = 0; i < plain.size();) {
    const std::string_view part = next_name(plain, i);
    name = path_of(name, part == "*" ? "NAME" : std::string(part));
  }
  return list ? "[[" + name + "]]" : "[" + name + "]";
}

bool fits(const std::string& pattern, const std::string& path) {
  std::size_t rest = 0;
  return !path.empty() && leads(pattern, path, rest) && rest > pattern.size();
}

bool is_below(const std::string& pattern, const std::string& path, std::string* next) {
  std::size_t rest = 0;
  if (!leads(pattern, path, rest) || rest >= pattern.size()) return false;
  if (next != nullptr) *next = std::string(next_name(pattern, rest));
  return true;
}

bool is_part(const std::string& pattern, const std::string& prefix) {
  const std::string plain = without_marks(pattern);
  const std::string wanted = without_marks(prefix);
  return fits(plain, wanted) || is_below(plain, wanted);
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace watersmeet::config
