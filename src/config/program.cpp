#include "config/program.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "config/expression_lexer.hpp"
#include "core/error.hpp"

namespace watersmeet::config {
namespace {

const std::map<std::string, Operation> unary_operations = {
    {"abs", Operation::abs},     {"acos", Operation::acos},   {"acosh", Operation::acosh},
    {"asin", Operation::asin},   {"asinh", Operation::asinh}, {"atan", Operation::atan},
    {"atanh", Operation::atanh}, {"ceil", Operation::ceil},   {"cos", Operation::cos},
    {"cosh", Operation::cosh},   {"erf", Operation::erf},     {"exp", Operation::exp},
    {"floor", Operation::floor}, {"ln", Operation::log},      {"log", Operation::log},
    {"log10", Operation::log10}, {"log2", Operation::log2},   {"sign", Operation::sign},
    {"sin", Operation::sin},     {"sinh", Operation::sinh},   {"sqrt", Operation::sqrt},
    {"tan", Operation::tan},     {"tanh", Operation::tanh}};
const std::map<std::string, Operation> binary_operations = {{"atan2", Operation::atan2},
                                                            {"mod", Operation::mod},
                                                            {"max", Operation::max},
                                                            {"min", Operation::min}};

// Operators of two operands from the loosest to the tightest; a power binds tighter than these and than a sign.
const std::array<std::map<std::string, Operation>, 5> levels = {
    {{{"||", Operation::either}},
     {{"&&", Operation::both}},
     {{"<", Operation::less},
      {"<=", Operation::less_equal},
      {">", Operation::greater},
      {">=", Operation::greater_equal},
      {"==", Operation::equal},
      {"!=", Operation::not_equal}},
     {{"+", Operation::add}, {"-", Operation::subtract}},
     {{"*", Operation::multiply}, {"/", Operation::divide}}}};

std::string component_name(const std::string& field, int component) {
  return field + "." + "xyz"[component];
}
std::string plain(std::string dotted) {
  std::replace(dotted.begin(), dotted.end(), '.', '_');
  return dotted;
}

// The names that stand for numbers, as they are written, and what they are.
std::vector<std::pair<std::string, FieldInput>> names_of(const std::vector<FieldName>& fields) {
  std::vector<std::pair<std::string, FieldInput>> names;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].components == 1) names.emplace_back(fields[f].name, FieldInput{f, 0});
    for (int c = 0; c < 3 && fields[f].components == 3; ++c)
      names.emplace_back(component_name(fields[f].name, c), FieldInput{f, c});
  }
  return names;
}

// Names with a point become one token each: in the text the point is replaced, so that every place in it stays what it was. `dotted`: these
// names, as they are written.
std::string with_plain_names(std::string text, std::vector<std::string>* dotted = nullptr) {
  const std::vector<Token> tokens = tokens_of(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool joined = tokens[i].kind == Token::Kind::name && tokens[i + 1].text == "." &&
                        tokens[i + 2].kind == Token::Kind::name &&
                        tokens[i].position + tokens[i].text.size() == tokens[i + 1].position &&
                        tokens[i + 1].position + 1 == tokens[i + 2].position;
    if (!joined) continue;
    text[tokens[i + 1].position] = '_';
    if (dotted != nullptr) dotted->push_back(tokens[i].text + "." + tokens[i + 2].text);
  }
  return text;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to), at += to.size();
}

class Compiler {
 public:
  Compiler(const std::string& text, const std::vector<FieldName>& fields,
           const Constants& constants, std::vector<FieldInput>& inputs)
      : tokens_(tokens_of(with_plain_names(text))), constants_(constants), inputs_(inputs) {
    for (const auto& [name, input] : names_of(fields)) names_[plain(name)] = input;
  }

  std::vector<Instruction> compile() {
    choice();
    require(at_ == tokens_.size() && depth_ == 1, "an expression that was checked");
    return code_;
  }
  int deepest() const { return deepest_; }

 private:
  bool sees(const std::string& symbol) const {
    return at_ < tokens_.size() && tokens_[at_].text == symbol;
  }
  void expect(const std::string& symbol) {
    require(sees(symbol), "an expression that was checked");
    ++at_;
  }
  void add(Instruction instruction, int numbers_more) {
    code_.push_back(instruction);
    depth_ += numbers_more;
    deepest_ = std::max(deepest_, depth_);
  }
  void push(double value) { add({Operation::constant, 0, value}, 1); }

  // condition ? a : b, which muParser groups from the right.
  void choice() {
    operators(0);
    if (!sees("?")) return;
    ++at_;
    choice();
    expect(":");
    choice();
    add({.operation = Operation::choose}, -2);
  }
  void operators(std::size_t level) {
    if (level == levels.size()) return sign();
    operators(level + 1);
    while (at_ < tokens_.size()) {
      const auto found = levels[level].find(tokens_[at_].text);
      if (found == levels[level].end()) return;
      ++at_;
      operators(level + 1);
      add({.operation = found->second}, -1);
    }
  }
  void sign() {
    if (sees("+")) {
      ++at_;
      return sign();
    }
    if (!sees("-")) return power();
    ++at_;
    sign();
    add({.operation = Operation::negative}, 0);
  }
  void power() {
    operand();
    if (!sees("^")) return;
    ++at_;
    if (at_ < tokens_.size() && tokens_[at_].text == "2" &&
        !(at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "^")) {
      ++at_;
      return add({.operation = Operation::square}, 0);
    }
    sign();  // a power of a power groups from the right, and an exponent may have a sign
    add({.operation = Operation::power}, -1);
  }
  void operand() {
    require(at_ < tokens_.size(), "an expression that was checked");
    const Token token = tokens_[at_++];
    if (token.kind == Token::Kind::number) return push(std::stod(token.text));
    if (token.text == "(") {
      choice();
      return expect(")");
    }
    if (sees("(")) return call(token.text);
    if (const auto field = names_.find(token.text); field != names_.end()) {
      const auto known = std::find(inputs_.begin(), inputs_.end(), field->second);
      const auto place = known - inputs_.begin();
      if (known == inputs_.end()) inputs_.push_back(field->second);
      return add({Operation::input, static_cast<int>(place), 0}, 1);
    }
    if (const auto constant = constants_.numbers.find(token.text);
        constant != constants_.numbers.end())
      return push(constant->second);
    require(token.text == "pi" || token.text == "e", "an expression that was checked");
    push(token.text == "pi" ? 3.14159265358979323846 : 2.71828182845904523536);
  }
  void call(const std::string& function) {
    expect("(");
    choice();
    if (const auto unary = unary_operations.find(function); unary != unary_operations.end()) {
      add({.operation = unary->second}, 0);
    } else {
      const Operation operation = binary_operations.at(function);
      while (sees(",")) {  // max and min of more than two go two by two
        ++at_;
        choice();
        add({.operation = operation}, -1);
      }
    }
    expect(")");
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::map<std::string, FieldInput> names_;
  const Constants& constants_;
  std::vector<FieldInput>& inputs_;
  std::vector<Instruction> code_;
  int depth_ = 0, deepest_ = 0;
};

}  // namespace

std::vector<ExpressionFault> check_program(const std::string& text,
                                           const std::vector<FieldName>& fields,
                                           const Constants& constants) {
  std::vector<std::string> dotted;
  const std::string with_names = with_plain_names(text, &dotted);
  const std::vector<std::string> used = names_in(with_names);
  std::vector<std::string> variables;
  Constants numbers;  // no tables
  numbers.numbers = constants.numbers;
  for (const auto& [name, input] : names_of(fields)) {
    variables.push_back(plain(name));
    if (numbers.numbers.erase(plain(name)) == 0 ||
        std::find(used.begin(), used.end(), plain(name)) == used.end())
      continue;
    return {{0, text.size(), "`" + name + "` is a field and a constant of [constants]",
             "give the constant another name"}};
  }
  const std::vector<std::string> written = names_in(text);
  for (const auto& [name, input] : names_of(fields)) {
    const std::string without = plain(name);
    if (without == name || std::find(written.begin(), written.end(), without) == written.end())
      continue;
    return {{with_names.find(without), without.size(), "unknown name `" + without + "`",
             "did you mean `" + name + "`?"}};
  }
  for (const FieldName& field : fields) {
    if (field.components != 3 || std::find(used.begin(), used.end(), field.name) == used.end())
      continue;
    const std::size_t position = with_names.find(field.name);
    return {{position, field.name.size(),
             "`" + field.name + "` is a vector, and an expression needs one of its components",
             "write " + component_name(field.name, 0) + ", " + component_name(field.name, 1) +
                 " or " + component_name(field.name, 2)}};
  }
  std::vector<ExpressionFault> faults = Expression::check(with_names, variables, numbers);
  for (const auto& [name, input] : names_of(fields)) dotted.push_back(name);
  for (ExpressionFault& fault : faults) {
    for (const std::string& name : dotted) {
      if (name == plain(name)) continue;
      replace_all(fault.message, plain(name), name);
      replace_all(fault.suggestion, plain(name), name);
    }
  }
  if (!faults.empty()) return faults;
  std::vector<FieldInput> inputs;
  Compiler compiler(text, fields, constants, inputs);
  compiler.compile();
  if (compiler.deepest() > program_depth) {
    return {{0, text.size(),
             "the expression holds more than " + std::to_string(program_depth) +
                 " numbers at a time while it is evaluated",
             "write it with fewer parentheses within parentheses"}};
  }
  return {};
}

std::vector<Instruction> compile_program(const std::string& text,
                                         const std::vector<FieldName>& fields,
                                         const Constants& constants,
                                         std::vector<FieldInput>& inputs) {
  return Compiler(text, fields, constants, inputs).compile();
}

}  // namespace watersmeet::config
