#pragma once
// Expressions of the input file, such as "sin(x)*cos(y)": checked with position and nearest name,
// and evaluated on the host over whole rows. The grammar is muParser's with our own list of names:
//   + - * / ^, comparisons, && ||, c ? a : b; constants pi and e and those of [constants];
//   functions as in function_names().

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace watersmeet::config {

using Constants = std::map<std::string, double>;

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
  const std::string& text() const;

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

// Names in the text that are not called as functions, in order, each once.
std::vector<std::string> names_in(const std::string& text);

// "x y z" -> {"x", "y", "z"}
std::vector<std::string> split_names(const std::string& text);

}  // namespace watersmeet::config
