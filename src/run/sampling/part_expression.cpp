#include "run/sampling/part_expression.hpp"

#include <algorithm>

#include "core/program.hpp"
#include "run/sampling/packed_fields.hpp"

namespace watersmeet::run {

using config::FaultKind;

PartExpression read_expression(const config::Input& input, const std::string& path,
                               const std::vector<systems::QuantityInfo>& quantities,
                               const Report& report, PartCase& part) {
  PartExpression one{input.text(path), "", {}, {}};
  const std::vector<config::FieldName> names = field_names(quantities);
  const auto faults = config::check_program(one.text, names, input.constants());
  for (const config::ExpressionFault& fault : faults)
    report(FaultKind::bad_expression, path, "in `" + one.text + "`: " + fault.message,
           fault.suggestion);
  if (!faults.empty()) return one;
  one.units = dimension_of(one.text, quantities);
  std::vector<config::FieldInput> inputs;
  one.program = config::compile_program(one.text, names, input.constants(), inputs);
  if (inputs.empty()) {
    report(FaultKind::bad_value, path, "`" + one.text + "` names no field",
           "such as \"" + quantities[0].name + "\"");
  }
  NeededFields needed = needed_fields(quantities, std::move(inputs));
  for (config::FieldInput& field : needed.inputs) {
    const systems::QuantityInfo& quantity = needed.quantities[field.field];
    auto found = std::find_if(
        part.fields.begin(), part.fields.end(),
        [&](const systems::QuantityInfo& other) { return other.name == quantity.name; });
    if (found == part.fields.end()) found = part.fields.insert(found, quantity);
    field.field = static_cast<std::size_t>(found - part.fields.begin());
  }
  one.inputs = std::move(needed.inputs);
  return one;
}

std::vector<double> PartExpression::values(const PartCase& part,
                                           const std::vector<std::vector<char>>& fields,
                                           Precision precision) const {
  constexpr int chunk_cells = 16;
  const auto cells = static_cast<std::size_t>(part.n[0] * part.n[1] * part.n[2]);
  std::vector<double> result(cells);
  for (std::size_t first = 0; first < cells; first += chunk_cells) {
    double chunk[chunk_cells];
    const auto load = [&](int number, double(&to)[chunk_cells]) {
      const config::FieldInput& input = inputs[static_cast<std::size_t>(number)];
      const auto components = static_cast<std::size_t>(part.fields[input.field].components);
      const char* const from = fields[input.field].data();
      for (std::size_t l = 0; l < chunk_cells; ++l) {
        const std::size_t cell = std::min(first + l, cells - 1);
        const std::size_t at = cell * components + static_cast<std::size_t>(input.component);
        to[l] = precision == Precision::double_
                    ? reinterpret_cast<const double*>(from)[at]
                    : static_cast<double>(reinterpret_cast<const float*>(from)[at]);
      }
    };
    run_program<chunk_cells>(program.data(), static_cast<int>(program.size()), load, chunk);
    for (std::size_t l = 0; l < chunk_cells && first + l < cells; ++l) result[first + l] = chunk[l];
  }
  return result;
}

}  // namespace watersmeet::run
