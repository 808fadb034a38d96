#pragma once
// The fields that expressions of a case need (config/program.hpp), evaluated and packed where these are computed: averages in time sum them, triggers
// reduce them.

#include <cstddef>
#include <string>
#include <vector>

#include "config/program.hpp"
#include "exec/program_input.hpp"
#include "memory/buffer.hpp"
#include "run/engine.hpp"
#include "systems/observation.hpp"

namespace watersmeet::run {

struct NeededFields {
  std::vector<systems::QuantityInfo> quantities;
  // Of the instructions; `field` is an index of `quantities`.
  std::vector<config::FieldInput> inputs;

  // Bytes for each cell of a part, as its fields are evaluated.
  std::size_t bytes_per_cell(Precision precision) const;
};
// `inputs`: their `field` is an index of `all`. The quantities stand in the order in which inputs name them.
NeededFields needed_fields(const std::vector<systems::QuantityInfo>& all,
                           std::vector<config::FieldInput> inputs);

// The names of quantities for expressions.
std::vector<config::FieldName> field_names(const std::vector<systems::QuantityInfo>& quantities);

// The dimension of an expression that is a field, or a component of one, "velocity.x"; else "unknown".
std::string dimension_of(const std::string& expression,
                         const std::vector<systems::QuantityInfo>& quantities);

class PackedFields {
 public:
  // `queue`: where the expressions are computed, which of a streamed solution is the host. Error{resource} where there is no room.
  PackedFields(Engine& engine, const NeededFields& needed, const Queue& queue);

  // Queues the evaluation of a quantity of the present state.
  void evaluate(std::size_t quantity);
  // Where the expressions are computed.
  const exec::ProgramInput* inputs() const { return inputs_.as<exec::ProgramInput>(); }

 private:
  Engine& engine_;
  Queue queue_;
  std::vector<systems::QuantityInfo> quantities_;
  std::vector<memory::Buffer> packed_;
  memory::Buffer inputs_;
};

}  // namespace watersmeet::run
