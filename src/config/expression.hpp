#pragma once
// Expressions of the input file, such as "sin(x)*cos(y)": checked with position and nearest name,
// and evaluated on the host over whole rows. The grammar is muParser's with our own list of names:
//   + - * / ^, comparisons, && ||, c ? a : b; constants pi and e and those of [constants];
//   functions as in function_names() and those of [tables].

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/table.hpp"

namespace watersmeet::config {

// What a case names for use in its expressions: numbers of [constants], functions of [tables].
struct Constants {
  Constants() = default;
  Constants(std::initializer_list<std::pair<const std::string, double>> named) : numbers(named) {}

  std::map<std::string, double> numbers;
  // Null for a table that has a fault of its own: who uses it is not blamed.
  std::map<std::string, std::shared_ptr<const Table>> tables;
};

// One fault of an expression; position and width count bytes of its text.
struct ExpressionFault {
  std::size_t position = 0;
  std::size_t width = 1;
  std::string message;
  std::string suggestion;  // may be empty
};

class Expression {
 public:
  // Throws Error{user_input} with the first fault when check() finds any.
  Expression(std::string text, std::vector<std::string> variables, Constants constants = {});
  // A copy has its own parser: one copy per thread is the way to use an expression in parallel.
  Expression(const Expression& other);
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression other) noexcept;
  ~Expression();

  // out[i] = value at (columns[0][i], columns[1][i], ...) for i < n, one column per variable, in
  // the order of the constructor. Columns of variables that the expression does not use may be
  // null. Host memory.
  void evaluate_row(std::size_t n, const double* const* columns, double* out);

  // The value of an expression that uses no variable; internal error otherwise.
  double constant() const;

  bool depends_on(const std::string& variable) const;
  bool is_constant() const;

  // Every fault of the text, in the order of position; empty when it can be evaluated.
  static std::vector<ExpressionFault> check(const std::string& text,
                                            const std::vector<std::string>& variables,
                                            const Constants& constants);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The functions an expression may call, in alphabetical order.
const std::vector<std::string>& function_names();

// Whether expressions give a name a meaning of their own: coordinates, pi, e and functions.
bool has_meaning(const std::string& name);

// Names in the text that are not called as functions, in order, each once.
std::vector<std::string> names_in(const std::string& text);

// "x y z" -> {"x", "y", "z"}
std::vector<std::string> split_names(const std::string& text);

}  // namespace watersmeet::config
