#include "run/sampling/packed_fields.hpp"

#include <algorithm>

#include "memory/copy_there.hpp"

namespace watersmeet::run {

std::size_t NeededFields::bytes_per_cell(Precision precision) const {
  std::size_t numbers = 0;
  for (const systems::QuantityInfo& q : quantities)
    numbers += static_cast<std::size_t>(q.components);
  return numbers * size_of(precision);
}

NeededFields needed_fields(const std::vector<systems::QuantityInfo>& all,
                           std::vector<config::FieldInput> inputs) {
  NeededFields needed{{}, std::move(inputs)};
  for (config::FieldInput& input : needed.inputs) {
    const systems::QuantityInfo& wanted = all[input.field];
    auto found = std::find_if(needed.quantities.begin(), needed.quantities.end(),
                              [&](const auto& q) { return q.name == wanted.name; });
    if (found == needed.quantities.end()) found = needed.quantities.insert(found, wanted);
    input.field = static_cast<std::size_t>(found - needed.quantities.begin());
  }
  return needed;
}

std::vector<config::FieldName> field_names(const std::vector<systems::QuantityInfo>& quantities) {
  std::vector<config::FieldName> names;
  for (const systems::QuantityInfo& q : quantities) names.push_back({q.name, q.components});
  return names;
}

std::string dimension_of(const std::string& expression,
                         const std::vector<systems::QuantityInfo>& quantities) {
  for (const systems::QuantityInfo& q : quantities) {
    const bool component = q.components == 3 && expression.size() == q.name.size() + 2 &&
                           expression.starts_with(q.name + ".") && expression.back() >= 'x' &&
                           expression.back() <= 'z';
    if (q.name == expression || component) return q.units;
  }
  return "unknown";
}

PackedFields::PackedFields(Engine& engine, const NeededFields& needed, const Queue& queue)
    : engine_(engine), queue_(queue), quantities_(needed.quantities) {
  for (const systems::QuantityInfo& q : quantities_)
    packed_.emplace_back(memory::working_space(queue.backend), engine.quantity_bytes(q));
  std::vector<exec::ProgramInput> inputs;
  for (const config::FieldInput& input : needed.inputs)
    inputs.push_back(
        {packed_[input.field].start(), quantities_[input.field].components, input.component});
  inputs_ = memory::copy_there(inputs, queue);
}

void PackedFields::evaluate(std::size_t quantity) {
  void* const packed = packed_[quantity].start();
  if (queue_.backend == Backend::cpu)
    return engine_.quantity_to_host(quantities_[quantity], packed);
  engine_.evaluate(quantities_[quantity], packed);
}

}  // namespace watersmeet::run
