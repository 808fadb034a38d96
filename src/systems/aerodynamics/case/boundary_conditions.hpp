#pragma once
// Settings of [boundary] for the patches of the mesh. A patch that the case does not name
// has the kind that the mesh gives it.

#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "systems/aerodynamics/case/exact_flows.hpp"
#include "systems/aerodynamics/solver/solver.hpp"

namespace watersmeet::aerodynamics {

// state: names of the flow at a node, which values may read.
std::vector<config::Key> boundary_keys(const std::string& state);

// A condition for each name of a patch, in the order of the mesh, with its kind as the
// case names it: walls and symmetry planes are one to the solver.
struct PatchCondition {
  std::string kind;
  Condition condition;
  // Of conditions that read the flow: variables and factors are those of Solver::set_side_values().
  std::vector<systems::SideValue> values = {};
};

// Everything that contradicts the mesh or the free stream is a fault of the input. `exact`: the
// flow that boundaries of kind `exact` follow; `chord`: the length that the lift coefficient refers
// to, for the vortex of the far field.
std::vector<PatchCondition> read_conditions(config::Input& input, const mesh::MultiBlockMesh& mesh,
                                            const FreeStream& stream,
                                            const std::optional<ExactFlow>& exact, double chord);

}  // namespace watersmeet::aerodynamics
