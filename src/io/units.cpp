#include "io/units.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace watersmeet::io {

std::string unit_text(const std::string& dimension, bool si) {
  static const std::map<std::string, std::string> names = {{"mass/(length time^2)", "Pa"},
                                                           {"mass length^2/time^2", "J"},
                                                           {"pressure", "Pa"},
                                                           {"mass", "kg"},
                                                           {"length", "m"},
                                                           {"time", "s"},
                                                           {"temperature", "K"}};
  if (!si) return dimension;
  if (const auto whole = names.find(dimension); whole != names.end()) return whole->second;
  std::string text, word;
  const auto end_word = [&] {
    const auto known = names.find(word);
    text += known == names.end() ? word : known->second;
    word.clear();
  };
  for (const char c : dimension) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    end_word();
    text += c;
  }
  end_word();
  return text;
}

std::string table_in_units(const std::string& table, bool si) {
  static const std::string mark = "\n# units: ";
  const std::size_t names = table.find('\n');
  if (!si || names == std::string::npos || table.compare(names, mark.size(), mark) != 0) {
    return table;
  }
  std::size_t from = names + mark.size();
  const std::size_t end = std::min(table.find('\n', from), table.size());
  std::string text = table.substr(0, from);
  while (from <= end) {
    const std::size_t comma = std::min(table.find(',', from), end);
    text += unit_text(table.substr(from, comma - from), si) + (comma < end ? "," : "");
    from = comma + 1;
  }
  return text + table.substr(end);
}

}  // namespace watersmeet::io
