#include "config/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "config/expression_lexer.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

double minimum(const double* values, int n) { return *std::min_element(values, values + n); }
double maximum(const double* values, int n) { return *std::max_element(values, values + n); }
// The remainder with the sign of the divisor, so that mod(x, 1) is periodic through x = 0. Rounded once, as in core/operations.hpp.
double modulo(double a, double b) { return std::fma(-b, std::floor(a / b), a); }
double sign_of(double a) { return a > 0 ? 1.0 : (a < 0 ? -1.0 : 0.0); }

using Unary = double (*)(double);
using Binary = double (*)(double, double);
using Several = double (*)(const double*, int);

const std::map<std::string, Unary> unary_functions = {
    {"abs", [](double a) { return std::fabs(a); }},
    {"acos", [](double a) { return std::acos(a); }},
    {"acosh", [](double a) { return std::acosh(a); }},
    {"asin", [](double a) { return std::asin(a); }},
    {"asinh", [](double a) { return std::asinh(a); }},
    {"atan", [](double a) { return std::atan(a); }},
    {"atanh", [](double a) { return std::atanh(a); }},
    {"ceil", [](double a) { return std::ceil(a); }},
    {"cos", [](double a) { return std::cos(a); }},
    {"cosh", [](double a) { return std::cosh(a); }},
    {"erf", [](double a) { return std::erf(a); }},
    {"exp", [](double a) { return std::exp(a); }},
    {"floor", [](double a) { return std::floor(a); }},
    {"ln", [](double a) { return std::log(a); }},
    {"log", [](double a) { return std::log(a); }},
    {"log10", [](double a) { return std::log10(a); }},
    {"log2", [](double a) { return std::log2(a); }},
    {"sign", sign_of},
    {"sin", [](double a) { return std::sin(a); }},
    {"sinh", [](double a) { return std::sinh(a); }},
    {"sqrt", [](double a) { return std::sqrt(a); }},
    {"tan", [](double a) { return std::tan(a); }},
    {"tanh", [](double a) { return std::tanh(a); }},
};
const std::map<std::string, Binary> binary_functions = {
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
    {"mod", modulo},
};
const std::map<std::string, Several> several_functions = {{"max", maximum}, {"min", minimum}};

// Tables as muParser calls them: what they were defined with, then the arguments.
double table1(void* table, double a) { return static_cast<const Table*>(table)->at(&a); }
double table2(void* table, double a, double b) {
  const double place[] = {a, b};
  return static_cast<const Table*>(table)->at(place);
}
double table3(void* table, double a, double b, double c) {
  const double place[] = {a, b, c};
  return static_cast<const Table*>(table)->at(place);
}

double no_table(const double*, int) { return 0; }

void define(mu::Parser& parser, const std::string& name, const Table* table) {
  if (table == nullptr) return parser.DefineFun(name, no_table);
  void* const data = const_cast<Table*>(table);  // given back to the functions above as it was
  if (table->arguments() == 1) return parser.DefineFunUserData(name, table1, data);
  if (table->arguments() == 2) return parser.DefineFunUserData(name, table2, data);
  parser.DefineFunUserData(name, table3, data);
}

// A parser with our names. `values` holds one number per variable and must outlive the
// parser's use.
void prepare(mu::Parser& parser, const std::string& text, const std::vector<std::string>& variables,
             const Constants& constants, std::vector<double>& values) {
  parser.ClearFun();
  parser.ClearConst();
  for (const auto& [name, function] : unary_functions) parser.DefineFun(name, function);
  for (const auto& [name, function] : binary_functions) parser.DefineFun(name, function);
  for (const auto& [name, function] : several_functions) parser.DefineFun(name, function);
  parser.DefineConst("pi", std::numbers::pi);
  parser.DefineConst("e", std::numbers::e);
  for (const auto& [name, table] : constants.tables) define(parser, name, table.get());
  for (const auto& [name, value] : constants.numbers) parser.DefineConst(name, value);
  for (std::size_t i = 0; i < variables.size(); ++i) parser.DefineVar(variables[i], &values[i]);
  parser.SetExpr(text);
}

std::size_t last_before(const std::string& text, const std::string& word, std::size_t position) {
  const std::size_t found = text.rfind(word, position);
  return found == std::string::npos ? std::min(position, text.size()) : found;
}

// muParser's own words are kept only where none of the common cases fits.
ExpressionFault translate(const std::string& text, const mu::ParserError& error) {
  std::string token = error.GetToken();
  while (!token.empty() && token.back() == ' ') token.pop_back();
  std::size_t position =
      error.GetPos() < 0 ? 0 : std::min(text.size(), static_cast<std::size_t>(error.GetPos()));
  // Some of its positions are those of the end of the token.
  const bool at_end = text.compare(position, token.size(), token) != 0 &&
                      position >= token.size() &&
                      text.compare(position - token.size(), token.size(), token) == 0;
  if (at_end) position -= token.size();
  ExpressionFault fault{position, std::max<std::size_t>(1, token.size()), "", ""};
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_OPERATOR:
      fault.message = "unexpected operator `" + token + "`";
      break;
    case mu::ecUNEXPECTED_EOF:
      fault = {text.size(), 1, "the expression ends too early", ""};
      break;
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
      fault.message = "an operator is missing before `" + token + "`";
      break;
    case mu::ecTOO_MANY_PARAMS:
    case mu::ecTOO_FEW_PARAMS:
      fault.position = last_before(text, token, position);
      fault.message =
          std::string(error.GetCode() == mu::ecTOO_FEW_PARAMS ? "too few" : "too many") +
          " arguments for function `" + token + "`";
      break;
    case mu::ecMISSING_ELSE_CLAUSE:
      fault = {last_before(text, "?", text.size()), 1, "`?` without `:`", ""};
      break;
    case mu::ecMISPLACED_COLON:
      fault = {last_before(text, ":", position), 1, "`:` without `?`", ""};
      break;
    default:
      fault.message =
          token.empty() ? "not an expression: " + error.GetMsg() : "unexpected `" + token + "`";
  }
  return fault;
}

}  // namespace

struct Expression::Impl {
  std::string text;
  std::vector<std::string> variables;
  Constants constants;
  std::vector<std::size_t> used;  // indices of the variables that occur
  std::vector<double> values;     // where the parser reads the variables
  mu::Parser parser;

  Impl(std::string text_in, std::vector<std::string> variables_in, Constants constants_in)
      : text(std::move(text_in)),
        variables(std::move(variables_in)),
        constants(std::move(constants_in)),
        values(variables.size(), 0.0) {
    prepare(parser, text, variables, constants, values);
    const std::vector<std::string> names = names_in(text);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (std::find(names.begin(), names.end(), variables[i]) != names.end()) used.push_back(i);
    }
  }
};

Expression::Expression(std::string text, std::vector<std::string> variables, Constants constants) {
  const std::vector<ExpressionFault> faults = check(text, variables, constants);
  if (!faults.empty()) {
    throw Error(ErrorKind::user_input, "\"" + text + "\": " + faults.front().message);
  }
  impl_ = std::make_unique<Impl>(std::move(text), std::move(variables), std::move(constants));
}

Expression::Expression(const Expression& other)
    : impl_(std::make_unique<Impl>(other.impl_->text, other.impl_->variables,
                                   other.impl_->constants)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression other) noexcept {
  impl_ = std::move(other.impl_);
  return *this;
}
Expression::~Expression() = default;

// muParser's own bulk call compiles the text again each time and opens a parallel region of its own;
// its scalar call keeps the compiled form, so a loop over the row is the quicker of the two and
// safe inside our threads.
void Expression::evaluate_row(std::size_t n, const double* const* columns, double* out) {
  if (impl_->used.empty()) {
    std::fill(out, out + n, impl_->parser.Eval());
    return;
  }
  // Along a row most expressions see some variables change and others not; one that sees none change
  // has the value before.
  for (std::size_t i = 0; i < n; ++i) {
    bool changed = i == 0;
    for (const std::size_t v : impl_->used) {
      changed = changed || columns[v][i] != columns[v][i - 1];
      impl_->values[v] = columns[v][i];
    }
    out[i] = changed ? impl_->parser.Eval() : out[i - 1];
  }
}

double Expression::constant() const {
  require(is_constant(), "Expression::constant: the expression depends on a variable");
  return impl_->parser.Eval();
}

bool Expression::depends_on(const std::string& variable) const {
  return std::any_of(impl_->used.begin(), impl_->used.end(),
                     [&](std::size_t v) { return impl_->variables[v] == variable; });
}

bool Expression::is_constant() const { return impl_->used.empty(); }

std::vector<ExpressionFault> Expression::check(const std::string& text,
                                               const std::vector<std::string>& variables,
                                               const Constants& constants) {
  std::vector<ExpressionFault> faults = check_names(text, variables, constants);
  if (!faults.empty()) return faults;
  try {
    std::vector<double> values(variables.size(), 1.0);
    mu::Parser parser;
    prepare(parser, text, variables, constants, values);
    parser.Eval();
  } catch (const mu::ParserError& error) {
    faults.push_back(translate(text, error));
  }
  return faults;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& entry : unary_functions) all.push_back(entry.first);
    for (const auto& entry : binary_functions) all.push_back(entry.first);
    for (const auto& entry : several_functions) all.push_back(entry.first);
    std::sort(all.begin(), all.end());
    return all;
  }();
  return names;
}

bool has_meaning(const std::string& name) {
  static const std::set<std::string> coordinates = {"x", "y", "z", "r", "t", "pi", "e"};
  const std::vector<std::string>& functions = function_names();
  return coordinates.count(name) > 0 ||
         std::find(functions.begin(), functions.end(), name) != functions.end();
}

}  // namespace watersmeet::config
