#pragma once
// Host code that all solvers by multigrid cycles share, whether host or device counts their cycles: the
// parts of their finest level, the control before the first solve, and the texts about both.

#include <string>

#include "solve/multigrid/control.hpp"
#include "solve/multigrid/multigrid.hpp"

namespace watersmeet::solve {

// The parts of the finest level on all ranks, and of its cut that of this rank.
std::vector<Box> boxes_of(const comm::Domain& domain);
const LevelPart& own_part(const std::vector<LevelCut>& cuts, const PoissonPlace& place);

// Whether a step happens; waits on a GPU.
bool is_active(const exec::Clock* clock, const Queue& queue);

SolveControl control_of(const Level& finest, Precision problem, int most_inner);
PoissonRecord record_of(const SolveControl& control);
// "V(1,2) on 7 levels, red-black, cycles in single precision"; `mixed`: in a problem of double. gathered: the level that all ranks have whole, from 0;
// -1: none.
std::string words_of(const Sweeps& sweeps, const Hierarchy& hierarchy, bool mixed,
                     int gathered = -1);

}  // namespace watersmeet::solve
