#pragma once
// Keys of the usual kinds, as tables of keys list them. Without a default they are unset unless given.

#include <cstdint>
#include <string>
#include <vector>

#include "config/schema.hpp"

namespace watersmeet::config {

// A number that is not negative.
inline Key amount_key(const std::string& path, const std::string& unit,
                      const std::string& default_text, const std::string& help) {
  return {.path = path, .unit = unit, .default_text = default_text, .lowest = 0.0, .help = help};
}

inline Key positive_key(const std::string& path, const std::string& unit,
                        const std::string& default_text, const std::string& help) {
  Key key = amount_key(path, unit, default_text, help);
  key.lowest_open = true;
  return key;
}

// Bounds that are allowed themselves.
inline Key bounded_key(const std::string& path, const std::string& unit,
                       const std::string& default_text, double lowest, double highest,
                       const std::string& help) {
  Key key = amount_key(path, unit, default_text, help);
  key.lowest = lowest;
  key.highest = highest;
  return key;
}

inline Key vector_key(const std::string& path, const std::string& unit,
                      const std::string& default_text, const std::string& help) {
  return {.path = path,
          .type = KeyType::reals3,
          .unit = unit,
          .default_text = default_text,
          .help = help};
}

// A whole number from `lowest` on.
inline Key count_key(const std::string& path, std::int64_t lowest, const std::string& default_text,
                     const std::string& help) {
  return {.path = path,
          .type = KeyType::integer,
          .default_text = default_text,
          .lowest = static_cast<double>(lowest),
          .help = help};
}

// The default is one of the words.
inline Key choice_key(const std::string& path, const std::string& default_word,
                      const std::vector<std::string>& words, const std::string& help) {
  return {.path = path,
          .type = KeyType::choice,
          .default_text = default_word.empty() ? "" : '"' + default_word + '"',
          .choices = words,
          .help = help};
}

inline Key flag_key(const std::string& path, const std::string& default_text,
                    const std::string& help) {
  return {.path = path, .type = KeyType::boolean, .default_text = default_text, .help = help};
}

inline Key text_key(const std::string& path, const std::string& help) {
  return {.path = path, .type = KeyType::text, .help = help};
}

inline Key texts_key(const std::string& path, const std::string& help) {
  return {.path = path, .type = KeyType::texts, .help = help};
}

inline Key reals_key(const std::string& path, const std::string& unit, const std::string& help) {
  return {.path = path, .type = KeyType::reals, .unit = unit, .help = help};
}

// Above zero.
inline Key duration_key(const std::string& path, const std::string& unit, const std::string& help) {
  Key key = positive_key(path, unit, "", help);
  key.type = KeyType::duration;
  return key;
}

// A number or an expression of these variables.
inline Key expression_key(const std::string& path, const std::string& unit,
                          const std::string& default_text, const std::string& variables,
                          const std::string& help) {
  return {.path = path,
          .type = KeyType::expression,
          .unit = unit,
          .default_text = default_text,
          .variables = variables,
          .help = help};
}

// Three of them.
inline Key expressions_key(const std::string& path, const std::string& unit,
                           const std::string& default_text, const std::string& variables,
                           const std::string& help) {
  Key key = expression_key(path, unit, default_text, variables, help);
  key.type = KeyType::expressions3;
  return key;
}

// All keys of these lists.
inline std::vector<Key> joined(const std::vector<std::vector<Key>>& lists) {
  std::vector<Key> all;
  for (const std::vector<Key>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// A key that a case must give.
inline Key required(Key key) {
  key.required = true;
  return key;
}

}  // namespace watersmeet::config
