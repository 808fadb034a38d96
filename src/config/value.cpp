#include "config/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "config/form.hpp"
#include "config/nearest.hpp"
#include "config/program.hpp"
#include "config/si_units.hpp"

namespace watersmeet::config {

struct ValueReader::Place {
  const Key& key;
  const std::string& path;
  std::string part;     // "", " in y", " in entry 2"
  std::string allowed;  // what this part must be
};

namespace {

std::string shown(const Node& node) {
  const std::string text = to_toml(node);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

std::string whole_or_real(double value, bool whole) {
  if (std::isnan(value)) return "nan";  // never -nan
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

// The requirement for one item of a list, as text.
std::string item_allowed(const Key& key) {
  Key one = key;
  switch (key.type) {
    case KeyType::integers3:
      one.type = KeyType::integer;
      break;
    case KeyType::reals3:
    case KeyType::reals:
    case KeyType::list_reals3:
      one.type = KeyType::real;
      break;
    case KeyType::expressions3:
      one.type = KeyType::expression;
      break;
    case KeyType::texts:
      one.type = key.choices.empty() ? KeyType::text : KeyType::choice;
      break;
    default:
      break;
  }
  return allowed_text(one);
}

constexpr std::array<const char*, 3> axis_names = {" in x", " in y", " in z"};

// The unit that was meant by a word of a time; "" where nothing is known of it.
std::string meant_unit_of_time(const std::string& word) {
  static const std::map<std::string, std::string> meant = {
      {"sec", "s"},      {"second", "s"},    {"seconds", "s"}, {"m", "min"},
      {"minute", "min"}, {"minutes", "min"}, {"hr", "h"},      {"hour", "h"},
      {"hours", "h"},    {"day", "d"},       {"days", "d"}};
  const auto found = meant.find(word);
  return found == meant.end() ? "" : found->second;
}

}  // namespace

bool ValueReader::fail(const Place& place, const Node& node, FaultKind kind, std::string message,
                       std::string suggestion) {
  Fault fault = fault_at(document_, node.where, kind, std::move(message));
  fault.key = place.path;
  fault.found = shown(node);
  fault.allowed = place.allowed;
  fault.suggestion = std::move(suggestion);
  report_(std::move(fault));
  return false;
}

bool ValueReader::wrong_type(const Place& place, const Node& node, std::string suggestion) {
  return fail(place, node, FaultKind::bad_type,
              place.path + ": " + shown(node) + place.part + "; must be " + place.allowed,
              std::move(suggestion));
}

bool ValueReader::check_range(const Place& place, const Node& node, double value, bool whole) {
  std::string as_written = shown(node);
  if (node.type == Node::Type::text) as_written += " = " + whole_or_real(value, whole);
  if (!std::isfinite(value)) {
    return fail(place, node, FaultKind::range,
                place.path + ": " + as_written + place.part + "; must be a finite number", "");
  }
  if (in_range(place.key, value)) return true;
  const bool sign_lost = node.is_number() && in_range(place.key, -value);
  return fail(place, node, FaultKind::range,
              place.path + ": " + as_written + place.part + "; must be " + range_text(place.key),
              sign_lost ? "did you mean " + whole_or_real(-value, whole) + "?" : "");
}

bool ValueReader::check_expression(const Place& place, const Node& node,
                                   const std::vector<std::string>& variables) {
  return report(place, node, Expression::check(node.text, variables, constants_));
}

bool ValueReader::report(const Place& place, const Node& node,
                         const std::vector<ExpressionFault>& faults) {
  const std::string units = faults.empty() ? "" : units_behind_number(node.text);
  const std::vector<std::string> words = names_in(units);
  const bool known = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return Expression::check(word, split_names(place.key.variables), constants_).empty();
  });
  if (!units.empty() && !known) {
    const std::string dimension = si_dimension(place.key.unit);
    const std::string message = place.path + ": `" + units + "` is ";
    if (!dimension.empty()) {
      return fail(place, node, FaultKind::bad_value,
                  message + "not a unit of " + dimension + "; must be " + si_units_of(dimension),
                  "");
    }
    const std::string own =
        place.key.unit.empty() || place.key.unit == "1" ? "" : ", in " + place.key.unit;
    const bool of_case = !own.empty() && place.key.unit != "degree";
    return fail(place, node, FaultKind::bad_value,
                message + "a unit, and numbers of this key have none behind them",
                "write the number alone" + own +
                    (!of_case      ? ""
                     : code_units_ ? " of code units"
                                   : " of SI units"));
  }
  for (const ExpressionFault& wrong : faults) {
    Fault fault =
        fault_at(document_,
                 position_inside(document_, node, wrong.position,
                                 length_in_characters(node.text.substr(
                                     std::min(wrong.position, node.text.size()), wrong.width))),
                 FaultKind::bad_expression, wrong.message);
    fault.key = place.path;
    fault.found = node.text;
    fault.allowed = place.allowed;
    fault.suggestion = wrong.suggestion;
    report_(std::move(fault));
  }
  return faults.empty();
}

bool ValueReader::evaluate(const Place& place, const Node& node, double& value) {
  if (!check_expression(place, node, {})) return false;
  value = Expression(node.text, {}, constants_).constant();
  return true;
}

bool ValueReader::number(const Place& place, const Node& node, double& value) {
  if (const std::optional<bool> read = with_unit(place, node, value)) return *read;
  if (node.type == Node::Type::integer) {
    value = static_cast<double>(node.integer);
  } else if (node.type == Node::Type::real) {
    value = node.real;
  } else if (node.type != Node::Type::text) {
    return wrong_type(place, node);
  } else if (!evaluate(place, node, value)) {
    return false;
  }
  return check_range(place, node, value, false);
}

std::optional<bool> ValueReader::with_unit(const Place& place, const Node& node, double& value) {
  const std::string dimension = si_dimension(place.key.unit);
  if (dimension.empty() || node.type != Node::Type::text) return std::nullopt;
  const auto parts = parts_of_form(
      node.text, "\\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\\s*((?:\u00b5|\u03bc)?[A-Za-z]+)\\s*");
  if (!parts) return std::nullopt;
  const std::string &count = (*parts)[1], &word = (*parts)[2];
  const SiUnit* const unit = find_si_unit(word);
  const std::string meant = dimension == "time" ? meant_unit_of_time(word) : "";
  // Where an expression may stand, other words are names in it.
  const std::vector<std::string> names = split_names(place.key.variables);
  const bool is_name = constants_.numbers.count(word) != 0 ||
                       std::find(names.begin(), names.end(), word) != names.end();
  const bool is_unit = place.key.type == KeyType::duration || unit != nullptr || !meant.empty();
  if (is_name || !is_unit) return std::nullopt;
  if (unit == nullptr || unit->dimension != dimension) {
    return fail(place, node, FaultKind::bad_value,
                place.path + ": `" + word + "` is not a unit of " + dimension + "; must be " +
                    si_units_of(dimension),
                meant.empty() ? "" : "did you mean \"" + count + " " + meant + "\"?");
  }
  if (code_units_ && place.key.unit != "s" && place.key.unit != "m") {
    return fail(place, node, FaultKind::bad_value,
                place.path + ": a " + dimension + " in " + word +
                    " needs units = \"SI\"; this case counts " + dimension + " in code units",
                "write a plain number, or units = \"SI\" in [case]");
  }
  if (!Expression::check(count, {}, {}).empty()) return wrong_type(place, node);
  value = unit->of(Expression(count, {}).constant());
  return check_range(place, node, value, false);
}

bool ValueReader::integer(const Place& place, const Node& node, std::int64_t& value) {
  constexpr double exact = 9007199254740992.0;  // 2^53: every whole number up to here is a double
  if (node.type == Node::Type::integer) {
    value = node.integer;
  } else if (node.type == Node::Type::real || node.type == Node::Type::text) {
    double number = node.real;  // 1e6 is the usual way to write a million
    if (node.type == Node::Type::text && !evaluate(place, node, number)) return false;
    if (!std::isfinite(number) || number != std::floor(number) || std::fabs(number) > exact) {
      const std::string result =
          node.type == Node::Type::text ? " = " + whole_or_real(number, false) : "";
      return fail(
          place, node, FaultKind::bad_type,
          place.path + ": " + shown(node) + result + place.part + "; must be " + place.allowed, "");
    }
    value = static_cast<std::int64_t>(number);
  } else {
    return wrong_type(place, node);
  }
  if (!place.key.choices.empty()) {
    const std::string text = std::to_string(value);
    if (std::find(place.key.choices.begin(), place.key.choices.end(), text) ==
        place.key.choices.end()) {
      return fail(place, node, FaultKind::bad_value, place.path + " must be " + place.allowed, "");
    }
  }
  return check_range(place, node, static_cast<double>(value), true);
}

bool ValueReader::word(const Place& place, const Node& node, std::string& value) {
  const bool typed_in_shell = node.where.source > 0 && !node.text.empty() &&
                              (node.is_number() || node.type == Node::Type::boolean);
  if (node.type != Node::Type::text && !typed_in_shell) {
    const bool scalar = node.is_number() || node.type == Node::Type::boolean;
    const bool guess = scalar && place.key.choices.empty();
    return wrong_type(place, node, guess ? "did you mean \"" + to_toml(node) + "\"?" : "");
  }
  value = node.text;
  const std::vector<std::string>& choices = place.key.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) {
    return true;
  }
  const std::optional<std::string> near = nearest(value, choices);
  return fail(place, node, FaultKind::bad_value,
              place.path + place.part + " must be " + place.allowed,
              near ? "did you mean \"" + *near + "\"?" : "");
}

bool ValueReader::expression(const Place& place, const Node& node, std::string& value) {
  if (node.is_number()) {
    double result = 0.0;
    if (!number(place, node, result)) return false;
    value = fmt::format("{}", result);
    return true;
  }
  if (node.type != Node::Type::text) return wrong_type(place, node);
  double amount = 0.0;
  if (const std::optional<bool> read = with_unit(place, node, amount)) {
    value = fmt::format("{}", amount);
    return *read;
  }
  value = node.text;
  const std::vector<std::string> variables = split_names(place.key.variables);
  // A constant may have the name of a value of the state that the text does not read.
  if (!place.key.state.empty() && !Expression::check(node.text, variables, constants_).empty()) {
    if (place.key.state.ends_with('*')) return true;
    return report(place, node,
                  check_program(node.text, fields_of(place.key.variables + " " + place.key.state),
                                constants_, TableCalls::allowed));
  }
  if (!check_expression(place, node, variables)) return false;
  // An expression of no variable is a number and can be checked like one.
  const Expression parsed(value, variables, constants_);
  return !parsed.is_constant() || check_range(place, node, parsed.constant(), false);
}

bool ValueReader::list(const Place& place, const Node& node, std::size_t length,
                       const std::function<bool(const Place&, const Node&)>& item) {
  if (node.type != Node::Type::array) {
    const std::string one = to_toml(node);
    if (!place.part.empty() || (!node.is_number() && node.type != Node::Type::text)) {
      return wrong_type(place, node);
    }
    if (place.key.type == KeyType::list_reals3) {
      return wrong_type(place, node, "a list of one triple is written [[1, 0, 0]]");
    }
    if (length != 3) return wrong_type(place, node, "did you mean [" + one + "]?");
    // Sides of a box are often equal, components of a vector are not.
    const std::string same = "[" + one + ", " + one + ", " + one + "]";
    const bool box = place.path.rfind("grid.", 0) == 0 || place.key.type == KeyType::integers3;
    return wrong_type(
        place, node,
        box ? "did you mean " + same + "?" : "write all three values, as in [" + one + ", 0, 0]");
  }
  if (place.key.type == KeyType::list_reals3 && length == 0 && node.items.size() == 3 &&
      std::all_of(node.items.begin(), node.items.end(),
                  [](const Node& n) { return n.is_number(); })) {
    return wrong_type(place, node, "did you mean [" + to_toml(node) + "]?");
  }
  if (length > 0 && node.items.size() != length) {
    const std::size_t n = node.items.size();
    const bool flat_box = place.key.type == KeyType::integers3 && n == 2;
    return fail(place, node, FaultKind::bad_type,
                fmt::format("{}: {} value{}{}; must be {}", place.path, n, n == 1 ? "" : "s",
                            place.part, place.allowed),
                flat_box ? "did you mean [" + to_toml(node.items[0]) + ", " +
                               to_toml(node.items[1]) + ", 1]?"
                         : "");
  }
  bool good = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string part =
        length == 3 ? std::string(axis_names[i]) + place.part : fmt::format(" in entry {}", i + 1);
    const bool triple = place.key.type == KeyType::list_reals3 && length == 0;
    good = item({place.key, place.path, part, triple ? "3 numbers" : item_allowed(place.key)},
                node.items[i]) &&
           good;
  }
  return good;
}

Value ValueReader::read(const Key& key, const std::string& path, const Node& node,
                        bool stands_for_table) {
  const std::string allowed = allowed_text(key) + (stands_for_table ? ", or a table" : "");
  const Place place{key, path, "", allowed};
  Value value;
  const auto add_integer = [&](const Place& p, const Node& n) {
    return integer(p, n, value.integers.emplace_back());
  };
  const auto add_number = [&](const Place& p, const Node& n) {
    return number(p, n, value.numbers.emplace_back());
  };
  const auto add_word = [&](const Place& p, const Node& n) {
    return word(p, n, value.texts.emplace_back());
  };
  const auto add_expression = [&](const Place& p, const Node& n) {
    return expression(p, n, value.texts.emplace_back());
  };
  switch (key.type) {
    case KeyType::boolean:
      value.good = node.type == Node::Type::boolean;
      value.boolean = node.boolean;
      if (!value.good) {
        const bool yes = (node.type == Node::Type::integer && node.integer == 1) ||
                         node.text == "true" || node.text == "yes" || node.text == "on";
        const bool no = (node.type == Node::Type::integer && node.integer == 0) ||
                        node.text == "false" || node.text == "no" || node.text == "off";
        wrong_type(place, node, yes ? "did you mean true?" : no ? "did you mean false?" : "");
      }
      break;
    case KeyType::integer:
      value.good = add_integer(place, node);
      break;
    case KeyType::real:
    case KeyType::duration:
      value.good = add_number(place, node);
      break;
    case KeyType::text:
    case KeyType::choice:
      value.good = add_word(place, node);
      break;
    case KeyType::expression:
      value.good = add_expression(place, node);
      break;
    case KeyType::integers3:
      if (key.alone > 0 && (node.is_number() || node.type == Node::Type::text)) {
        value.good = add_integer(place, node);
        value.integers = {value.integers[0], value.integers[0], key.alone};
      } else {
        value.good = list(place, node, 3, add_integer);
      }
      break;
    case KeyType::reals3:
      value.good = list(place, node, 3, add_number);
      break;
    case KeyType::reals:
      value.good = list(place, node, 0, add_number);
      break;
    case KeyType::expressions3:
      value.good = list(place, node, 3, add_expression);
      break;
    case KeyType::texts:
      value.good = list(place, node, 0, add_word);
      break;
    case KeyType::list_reals3:
      value.good = list(place, node, 0,
                        [&](const Place& p, const Node& n) { return list(p, n, 3, add_number); });
      break;
  }
  return value;
}

}  // namespace watersmeet::config
