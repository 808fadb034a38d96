#pragma once
// The tokens of an expression and the faults that can be seen from them alone: unknown names with
// the nearest known one, and ways of writing that other languages allow (2x, **, =, a decimal
// comma). muParser, which has the grammar, gets only texts that pass.

#include <string>
#include <vector>

#include "config/expression.hpp"

namespace watersmeet::config {

struct Token {
  enum class Kind { number, name, symbol };
  Kind kind;
  std::size_t position;
  std::string text;
};

std::vector<Token> tokens_of(const std::string& text);

std::vector<ExpressionFault> check_names(const std::string& text,
                                         const std::vector<std::string>& variables,
                                         const Constants& constants);

// Every `from` in a text, such as that of a fault, becomes `to`.
void replace_all(std::string& text, const std::string& from, const std::string& to);

}  // namespace watersmeet::config
