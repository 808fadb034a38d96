#include "config/program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <numbers>
#include <sstream>
#include <utility>

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

using Tables = std::vector<std::shared_ptr<const Table>>;

class Compiler {
 public:
  Compiler(const std::string& text, const std::vector<FieldName>& fields,
           const Constants& constants, std::vector<FieldInput>& inputs, Tables& tables)
      : tokens_(tokens_of(with_plain_names(text))),
        fields_(fields),
        constants_(constants),
        inputs_(inputs),
        tables_(tables) {
    for (const auto& [name, input] : names_of(fields)) names_[plain(name)] = input;
  }

  std::vector<Instruction> compile() {
    choice();
    require(at_ == tokens_.size(), "an expression that was checked");
    return code_;
  }

 private:
  // The place of a value in a list, where it is added if it is not there.
  template <class T>
  static int place_in(std::vector<T>& all, const T& value) {
    const auto known = std::find(all.begin(), all.end(), value);
    const auto place = known - all.begin();
    if (known == all.end()) all.push_back(value);
    return static_cast<int>(place);
  }
  bool sees(const std::string& symbol) const {
    return at_ < tokens_.size() && tokens_[at_].text == symbol;
  }
  void expect(const std::string& symbol) {
    require(sees(symbol), "an expression that was checked");
    ++at_;
  }
  // Terms of constants only are computed here, not in every cell.
  void add(Instruction instruction) {
    code_.push_back(instruction);
    if (operands_of(instruction, tables_) == 0) return;
    const auto operands = static_cast<std::size_t>(operands_of(instruction, tables_));
    const auto first = code_.end() - 1 - static_cast<std::ptrdiff_t>(operands);
    const bool constant = std::all_of(first, code_.end() - 1, [](const Instruction& i) {
      return i.operation == Operation::constant;
    });
    if (!constant) return;
    std::vector<TableView> views;
    for (const auto& table : tables_) views.push_back(table ? table->view() : TableView{});
    double value[1];
    run_program<1>(
        &*first, static_cast<int>(operands) + 1, [](int, double(&)[1]) {}, value, views.data());
    code_.erase(first, code_.end());
    push(value[0]);
  }
  void push(double value) { add({Operation::constant, 0, value}); }
  // The definition of a name in the place of it.
  void insert(const std::string& definition) {
    std::vector<Token> tokens = tokens_of(with_plain_names(definition));
    std::swap(tokens, tokens_);
    const std::size_t at = std::exchange(at_, 0);
    choice();
    require(at_ == tokens_.size(), "a definition that can be compiled");
    at_ = at;
    std::swap(tokens, tokens_);
  }

  // condition ? a : b, which muParser groups from the right.
  void choice() {
    operators(0);
    if (!sees("?")) return;
    ++at_;
    choice();
    expect(":");
    choice();
    add({.operation = Operation::choose});
  }
  void operators(std::size_t level) {
    if (level == levels.size()) return sign();
    operators(level + 1);
    while (at_ < tokens_.size()) {
      const auto found = levels[level].find(tokens_[at_].text);
      if (found == levels[level].end()) return;
      ++at_;
      operators(level + 1);
      add({.operation = found->second});
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
    add({.operation = Operation::negative});
  }
  void power() {
    operand();
    if (!sees("^")) return;
    ++at_;
    if (at_ < tokens_.size() && tokens_[at_].text == "2" &&
        !(at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "^")) {
      ++at_;
      return add({.operation = Operation::square});
    }
    sign();  // a power of a power groups from the right, and an exponent may have a sign
    add({.operation = Operation::power});
  }
  void operand() {
    require(at_ < tokens_.size(), "an expression that was checked");
    const Token token = tokens_[at_++];
    if (token.kind == Token::Kind::number) {
      // Numbers too large were refused with the text; those too small to be told from 0 are 0.
      double value = 0;
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
      return push(value);
    }
    if (token.text == "(") {
      choice();
      return expect(")");
    }
    if (sees("(")) return call(token.text);
    if (const auto field = names_.find(token.text); field != names_.end()) {
      const FieldName& of = fields_[field->second.field];
      if (!of.definitions.empty())
        return insert(of.definitions[static_cast<std::size_t>(field->second.component)]);
      return add({Operation::input, place_in(inputs_, field->second), 0});
    }
    if (const auto constant = constants_.numbers.find(token.text);
        constant != constants_.numbers.end())
      return push(constant->second);
    require(token.text == "pi" || token.text == "e", "an expression that was checked");
    push(token.text == "pi" ? std::numbers::pi : std::numbers::e);
  }
  void call(const std::string& function) {
    expect("(");
    choice();
    if (const auto table = constants_.tables.find(function); table != constants_.tables.end()) {
      while (sees(",")) {
        ++at_;
        choice();
      }
      add({Operation::table, place_in(tables_, table->second), 0});
    } else if (const auto unary = unary_operations.find(function);
               unary != unary_operations.end()) {
      add({.operation = unary->second});
    } else {
      const Operation operation = binary_operations.at(function);
      while (sees(",")) {  // max and min of more than two go two by two
        ++at_;
        choice();
        add({.operation = operation});
      }
    }
    expect(")");
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::map<std::string, FieldInput> names_;
  const std::vector<FieldName>& fields_;
  const Constants& constants_;
  std::vector<FieldInput>& inputs_;
  Tables& tables_;
  std::vector<Instruction> code_;
};

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream all(text);
  return {std::istream_iterator<std::string>(all), {}};
}

std::vector<FieldName> fields_of(const std::string& names) {
  std::vector<FieldName> fields;
  for (const std::string& name : words_of(names)) {
    if (name.ends_with(".y") || name.ends_with(".z")) continue;
    const bool vector = name.ends_with(".x");
    fields.push_back({vector ? name.substr(0, name.size() - 2) : name, vector ? 3 : 1});
  }
  return fields;
}

int operands_of(const Instruction& i, const Tables& tables) {
  if (i.operation != Operation::table) return watersmeet::operands_of(i.operation);
  return static_cast<int>(tables[static_cast<std::size_t>(i.input)]->arguments());
}

int depth_of(const std::vector<Instruction>& code, const Tables& tables) {
  int depth = 0, deepest = 0;
  for (const Instruction& i : code) {
    depth += 1 - operands_of(i, tables);
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

std::vector<ExpressionFault> check_program(const std::string& text,
                                           const std::vector<FieldName>& fields,
                                           const Constants& constants, TableCalls table_calls) {
  std::vector<std::string> dotted;
  const std::string with_names = with_plain_names(text, &dotted);
  const std::vector<std::string> used = names_in(with_names);
  std::vector<std::string> variables;
  Constants numbers;
  numbers.numbers = constants.numbers;
  if (table_calls == TableCalls::allowed) numbers.tables = constants.tables;
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
  // A table that has a fault of its own: who calls it is not blamed.
  for (const auto& [name, table] : numbers.tables) {
    if (!table && with_names.find(name) != std::string::npos) return {};
  }
  std::vector<FieldInput> inputs;
  Tables tables;
  std::vector<FieldName> undefined = fields;  // definitions may use names that the text may not
  for (FieldName& field : undefined) field.definitions.clear();
  const auto code = Compiler(text, undefined, numbers, inputs, tables).compile();
  if (depth_of(code, tables) > program_depth) {
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
                                         std::vector<FieldInput>& inputs, Tables* tables) {
  Tables none;
  return Compiler(text, fields, constants, inputs, tables ? *tables : none).compile();
}

}  // namespace watersmeet::config
