#include "run/units.hpp"

#include <cctype>
#include <map>

namespace watersmeet::run {

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

}  // namespace watersmeet::run
