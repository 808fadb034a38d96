#pragma once
// Texts of a certain form.

#include <optional>
#include <string>
#include <vector>

namespace watersmeet::config {

// The groups of a regular expression (ECMAScript) that the whole text matches, the text itself first; "" for those that took no part. Nothing
// where it does not match, and where the text has more than 200 characters: std::regex calls itself for every character, so that a long
// text would end the program for lack of stack, and more digits are no finite number.
std::optional<std::vector<std::string>> parts_of_form(const std::string& text,
                                                      const std::string& form);
bool has_form(const std::string& text, const std::string& form);

}  // namespace watersmeet::config
