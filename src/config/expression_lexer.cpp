#include "config/expression_lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "config/nearest.hpp"
#include "config/si_units.hpp"

namespace watersmeet::config {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::size_t end_of_number(const std::string& text, std::size_t i) {
  const auto digits = [&] {
    while (i < text.size() && is_digit(text[i])) ++i;
  };
  digits();
  if (i < text.size() && text[i] == '.') ++i;
  digits();
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t k = i + 1;
    if (k < text.size() && (text[k] == '+' || text[k] == '-')) ++k;
    if (k < text.size() && is_digit(text[k])) {
      i = k;
      digits();
    }
  }
  return i;
}

// Bytes of the UTF-8 character starting with `c`.
std::size_t character_size(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0xC0) return 1;
  if (byte < 0xE0) return 2;
  return byte < 0xF0 ? 3 : 4;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string did_you_mean(const std::optional<std::string>& name) {
  return name ? "did you mean `" + *name + "`?" : "";
}

// What to write for a unit behind a number; "" where the name is not a unit. Expressions have no units of
// their own.
std::string as_constant(const std::string& name) {
  const SiUnit* const unit = find_si_unit(name);
  return unit == nullptr || unit->offset != 0
             ? ""
             : fmt::format("add to [constants]: {} = {:g}", name, unit->of(1));
}

// The names known in a place, and what can be said about an unknown one.
class Names {
 public:
  Names(const std::vector<std::string>& variables, const Constants& constants)
      : values_(variables), functions_(function_names()) {
    for (const auto& [name, value] : constants.numbers) values_.push_back(name);
    values_.insert(values_.end(), {"pi", "e"});
    for (const auto& [name, table] : constants.tables) functions_.push_back(name);
  }

  void check(const Token& token, bool called, bool after_number,
             std::vector<ExpressionFault>& faults) const {
    ExpressionFault fault{token.position, token.text.size(), "", ""};
    if (called && !contains(functions_, token.text)) {
      if (contains(values_, token.text)) {
        fault.message = "`" + token.text + "` is not a function";
        fault.suggestion = "did you mean `" + token.text + "*(`?";
      } else {
        fault.message = "unknown function `" + token.text + "`";
        fault.suggestion = token.text == "pow"  ? "write a^b for a power"
                           : token.text == "if" ? "write condition ? a : b"
                                                : did_you_mean(nearest(token.text, functions_));
      }
    } else if (!called && !contains(values_, token.text)) {
      if (contains(functions_, token.text)) {
        fault.message = "function `" + token.text + "` needs its argument in parentheses";
      } else {
        fault.message = "unknown name `" + token.text + "`; known here: " + join(values_);
        if (after_number) fault.suggestion = as_constant(token.text);
        if (fault.suggestion.empty()) fault.suggestion = did_you_mean(nearest(token.text, values_));
      }
    } else {
      return;
    }
    faults.push_back(std::move(fault));
  }

 private:
  std::vector<std::string> values_, functions_;
};

void check_symbol(const std::vector<Token>& tokens, std::size_t i, int depth,
                  std::vector<ExpressionFault>& faults) {
  static const std::string known = "+-*/^()<>=!&|?:,";
  const Token& token = tokens[i];
  const auto add = [&](std::string message, std::string suggestion) {
    faults.push_back(
        {token.position, token.text.size(), std::move(message), std::move(suggestion)});
  };
  if (token.text == "**") return add("`**` is not an operator", "did you mean `^`?");
  if (token.text == "=") return add("`=` is not a comparison", "did you mean `==`?");
  if (token.text == "&" || token.text == "|") {
    return add("unexpected `" + token.text + "`",
               "did you mean `" + token.text + token.text + "`?");
  }
  if (token.text == "%") return add("`%` is not an operator", "write mod(a, b)");
  if (token.text == "," && depth == 0) {
    const bool decimal = i > 0 && i + 1 < tokens.size() &&
                         tokens[i - 1].kind == Token::Kind::number &&
                         tokens[i + 1].kind == Token::Kind::number;
    return add(
        "a comma outside the arguments of a function",
        decimal ? "did you mean " + tokens[i - 1].text + "." + tokens[i + 1].text + "?" : "");
  }
  if (token.text.find_first_not_of(known) != std::string::npos) {
    add("unexpected character `" + token.text + "`", "");
  }
}

}  // namespace

std::vector<Token> tokens_of(const std::string& text) {
  static const std::vector<std::string> pairs = {"**", "==", "<=", ">=", "!=", "&&", "||"};
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t end = i + 1;
    Token::Kind kind = Token::Kind::symbol;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++i;
      continue;
    }
    if (is_digit(c) || (c == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
      kind = Token::Kind::number;
      end = end_of_number(text, i);
    } else if (is_letter(c)) {
      kind = Token::Kind::name;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    } else if (contains(pairs, text.substr(i, 2))) {
      end = i + 2;
    } else {
      end = std::min(text.size(), i + character_size(c));
    }
    tokens.push_back({kind, i, text.substr(i, end - i)});
    i = end;
  }
  return tokens;
}

std::vector<ExpressionFault> check_names(const std::string& text,
                                         const std::vector<std::string>& variables,
                                         const Constants& constants) {
  std::vector<ExpressionFault> faults;
  const std::vector<Token> tokens = tokens_of(text);
  if (tokens.empty()) return {{0, 1, "the expression is empty", ""}};
  const Names names(variables, constants);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool before_parenthesis = i + 1 < tokens.size() && tokens[i + 1].text == "(";
    const bool after_number = i > 0 && tokens[i - 1].kind == Token::Kind::number;
    if (after_number && (token.kind == Token::Kind::name || token.text == "(")) {
      const Token& number = tokens[i - 1];
      const std::string shown = token.text == "(" ? "(...)" : token.text;
      faults.push_back({number.position, token.position + token.text.size() - number.position,
                        "a `*` is missing", "did you mean `" + number.text + "*" + shown + "`?"});
    }
    if (token.kind == Token::Kind::name)
      names.check(token, before_parenthesis, after_number, faults);
    if (token.kind != Token::Kind::symbol) continue;
    check_symbol(tokens, i, static_cast<int>(open.size()), faults);
    if (token.text == "(") {
      open.push_back(token.position);
    } else if (token.text == ")" && open.empty()) {
      faults.push_back({token.position, 1, "`)` without `(`", ""});
    } else if (token.text == ")") {
      open.pop_back();
    }
  }
  for (const std::size_t position : open) {
    faults.push_back({position, 1, "`(` is never closed", ""});
  }
  std::stable_sort(faults.begin(), faults.end(),
                   [](const auto& a, const auto& b) { return a.position < b.position; });
  return faults;
}

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  const std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool called = i + 1 < tokens.size() && tokens[i + 1].text == "(";
    if (tokens[i].kind == Token::Kind::name && !called && !contains(names, tokens[i].text)) {
      names.push_back(tokens[i].text);
    }
  }
  return names;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (const Token& token : tokens_of(text)) names.push_back(token.text);
  return names;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to), at += to.size();
}

}  // namespace watersmeet::config
