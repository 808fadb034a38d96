#include "systems/aerodynamics/case/expression_flow.hpp"

#include <cmath>

#include "config/usual_keys.hpp"

namespace watersmeet::aerodynamics {

using config::expression_key;
using config::expressions_key;
using config::Key;

namespace {
std::vector<std::string> variables(bool with_time) {
  std::vector<std::string> names{"x", "y", "z", "r"};
  if (with_time) names.push_back("t");
  return names;
}
}  // namespace

// Which value of the flow an expression gives: 0 density, 1 pressure, 2 to 4 velocity.
struct ExpressionFlow::Part {
  int value;
  config::Expression expression;
};

std::vector<Key> expression_flow_keys(const std::string& prefix, bool with_time,
                                      const std::string& about) {
  const std::string names = with_time ? "x y z r t" : "x y z r";
  return {
      expression_key(prefix + "density", "mass/length^3", "", names,
                     about + "density; when unset, of the entries before or the free stream."),
      expression_key(prefix + "pressure", "mass/(length time^2)", "", names, about + "pressure."),
      expressions_key(prefix + "velocity", "length/time", "", names, about + "velocity.")};
}

ExpressionFlow::ExpressionFlow(const config::Input& input, const std::string& prefix,
                               const Primitive<double>& beneath, bool with_time)
    : beneath_(beneath) {
  const auto add = [&](int value, const std::string& text) {
    parts_.push_back(std::make_shared<Part>(
        Part{value, config::Expression(text, variables(with_time), input.constants())}));
  };
  const auto given = [&](const char* key) {
    return input.is_set(prefix + key) && input.is_good(prefix + key);
  };
  if (given("density")) add(0, input.expression(prefix + "density"));
  if (given("pressure")) add(1, input.expression(prefix + "pressure"));
  if (!given("velocity")) return;
  const auto components = input.expressions3(prefix + "velocity");
  for (int m = 0; m < 3; ++m) add(2 + m, components[static_cast<std::size_t>(m)]);
}

Primitive<double> ExpressionFlow::at(const Real3& x, double t,
                                     const Primitive<double>& beneath) const {
  Primitive<double> flow = beneath;
  const double r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double* const columns[5] = {&x[0], &x[1], &x[2], &r, &t};
  for (const auto& part : parts_) {
    double value = 0;
    part->expression.evaluate_row(1, columns, &value);
    if (part->value == 0) flow.rho = value;
    if (part->value == 1) flow.p = value;
    if (part->value >= 2) flow.u[part->value - 2] = value;
  }
  return flow;
}

bool ExpressionFlow::varies_in_time() const {
  for (const auto& part : parts_) {
    if (part->expression.depends_on("t")) return true;
  }
  return false;
}

}  // namespace watersmeet::aerodynamics
