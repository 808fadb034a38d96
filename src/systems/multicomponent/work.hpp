#pragma once
// The floating-point operations of a cell, part by part, counted by running the formulas themselves
// with a number that counts (counted.hpp). README.md here has the same numbers by hand.

#include <vector>

#include "exec/time_scheme.hpp"
#include "systems/multicomponent/counted.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

struct CellWork {
  OperationCount state;                // stored values to those that are reconstructed
  OperationCount edges;                // of a cell along one axis, with the test of their states
  OperationCount flux;                 // of a face
  OperationCount closing[3];           // what an axis adds to the rate of a cell
  std::vector<OperationCount> update;  // of each stage
  OperationCount finish;               // of the last stage: the signal of the time step

  // Operations of a cell along an axis: its edges, one face, and the closing.
  OperationCount along(int axis) const { return edges + flux + closing[axis]; }
};

CellWork work_of_cell(Variant variant, const FlowParameters<double>& flow,
                      const Finish<double>& finish, const exec::TimeScheme& scheme);

// Operations of a cell and right-hand side when nothing is done twice: the mean of the stages.
OperationCount work_of_stage(const CellWork& work, const FlowParameters<double>& flow);

}  // namespace watersmeet::multicomponent
