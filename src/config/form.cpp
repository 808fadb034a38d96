#include "config/form.hpp"

#include <map>
#include <regex>

namespace watersmeet::config {

std::optional<std::vector<std::string>> parts_of_form(const std::string& text,
                                                      const std::string& form) {
  constexpr std::size_t most = 200;
  if (text.size() > most) return std::nullopt;
  thread_local std::map<std::string, std::regex> known;  // to make one takes longer than to use it
  const std::regex& expression = known.try_emplace(form, form).first->second;
  std::smatch found;
  if (!std::regex_match(text, found, expression)) return std::nullopt;
  return std::vector<std::string>(found.begin(), found.end());
}

bool has_form(const std::string& text, const std::string& form) {
  return parts_of_form(text, form).has_value();
}

}  // namespace watersmeet::config
