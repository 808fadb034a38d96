#pragma once
// The flow that a run starts from: the free stream, and over it the entries of [[initial]] in their
// order, each an exact solution or expressions.

#include <optional>
#include <vector>

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "systems/aerodynamics/case/exact_flows.hpp"
#include "systems/aerodynamics/case/expression_flow.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> initial_keys();

class InitialFlow {
 public:
  InitialFlow() = default;
  InitialFlow(config::Input& input, const FreeStream& stream);

  // The exact solution of the last entry that has one.
  const std::optional<ExactFlow>& exact() const { return exact_; }
  // W of nodes `first` to `last` - 1 of all nodes, [variable][node]. Error{user_input} naming the
  // node where density or pressure is not above 0, or a number is not finite.
  std::vector<double> evaluate(const mesh::MultiBlockMesh& mesh, std::int64_t first,
                               std::int64_t last) const;

 private:
  struct Entry {
    std::optional<ExactFlow> flow;
    ExpressionFlow expressions;
  };
  // Where density, pressure and velocity come from: the last entry that gives them.
  config::Fault density_place_, pressure_place_, velocity_place_;
  FreeStream stream_;
  std::vector<Entry> entries_;
  std::optional<ExactFlow> exact_;
};

}  // namespace watersmeet::aerodynamics
