#pragma once
// What the stages of a step amount to, from the arithmetic of the stage updates themselves,
// whatever their form (exec/face.hpp): for the ledger of what passes boundaries.

#include <span>
#include <vector>

#include "core/types.hpp"
#include "exec/cell.hpp"

namespace watersmeet::exec {

// The weight c_s of each stage's right-hand side in the new solution, u + dt sum_s c_s R_s, with
// the coefficients as the loops of this precision round them.
std::vector<double> stage_weights(std::span<const StageUpdate<double>> updates,
                                  Precision precision);

}  // namespace watersmeet::exec
