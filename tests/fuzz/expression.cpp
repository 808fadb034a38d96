// Expressions of a case: faults with their places, and values.
#include "config/expression.hpp"

#include <array>

#include "targets.hpp"

namespace watersmeet::fuzz {

void expression(std::string_view bytes) {
  static const auto bed = std::make_shared<const config::Table>(
      std::vector<config::Table::Axis>{{{0, 1, 3}, 0}, {{0, 2}, 4}},
      std::vector<double>{1, 2, 3, 4, 5, 6});
  config::Constants constants = {{"U0", 0.5}, {"n", 3}};
  constants.tables["bed"] = bed;
  constants.tables["missing"] = nullptr;
  const std::vector<std::string> variables = {"x", "y", "z", "t"};
  const std::string text(bytes);
  config::names_in(text);
  const std::vector<config::ExpressionFault> faults =
      config::Expression::check(text, variables, constants);
  for (const config::ExpressionFault& fault : faults) {
    if (fault.position > text.size() || fault.width == 0)
      throw std::logic_error("a fault outside the text");
  }
  if (!faults.empty()) return;
  config::Expression made(text, variables, constants);
  const std::array<double, 4> column = {0, 1e-300, -1, 1e300};
  const std::array<const double*, 4> columns = {column.data(), column.data(), column.data(),
                                                column.data()};
  std::array<double, 4> out{};
  made.evaluate_row(out.size(), columns.data(), out.data());
}

}  // namespace watersmeet::fuzz
