#include "solve/multigrid/host_control.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::solve {

namespace {
// max |L|: twice the largest diagonal.
double operator_norm(const Level& level) {
  double sum = 0;
  for (const AxisOperator& o : level.axis) {
    sum += *std::max_element(o.diagonal.begin(), o.diagonal.end());
  }
  return 2 * sum;
}

// The ends of an iteration have the same order in both enumerations.
PoissonEnd end_of(SolveEnd end) {
  constexpr int before = static_cast<int>(PoissonEnd::converged);
  static_assert(before + static_cast<int>(SolveEnd::most_cycles) ==
                static_cast<int>(PoissonEnd::most_cycles));
  return static_cast<PoissonEnd>(before + static_cast<int>(end));
}
}  // namespace

std::vector<Box> boxes_of(const comm::Domain& domain) {
  std::vector<Box> boxes;
  for (const mesh::Part& part : domain.parts) {
    require(part.rank == static_cast<int>(boxes.size()), "one part a rank, in their order");
    boxes.push_back(part.box);
  }
  return boxes;
}

const LevelPart& own_part(const std::vector<LevelCut>& cuts, const PoissonPlace& place) {
  const std::vector<LevelPart>& parts = cuts.front().parts;
  return parts[static_cast<std::size_t>(parts.size() == 1 ? 0 : place.team->rank())];
}

bool is_active(const exec::Clock* clock, const Queue& queue) {
  return clock == nullptr || exec::read_clock(clock, queue).active != 0;
}

SolveControl control_of(const Level& finest, Precision problem, int most_inner) {
  SolveControl control;
  control.round_off = problem == Precision::single_
                          ? static_cast<double>(std::numeric_limits<float>::epsilon())
                          : std::numeric_limits<double>::epsilon();
  control.operator_norm = operator_norm(finest);
  control.most_inner = most_inner;
  return control;
}

PoissonRecord record_of(const SolveControl& control) {
  PoissonRecord r;
  r.cycles = control.cycles;
  r.first_residual = control.first;
  r.residual = control.residual;
  r.end = end_of(control.end);
  return r;
}

std::string words_of(const Sweeps& sweeps, const Hierarchy& hierarchy, bool mixed, int gathered) {
  return "V(" + std::to_string(sweeps.before) + "," + std::to_string(sweeps.after) + ") on " +
         hierarchy.describe() + (mixed ? ", cycles in single precision" : "") +
         (gathered >= 0 ? ", gathered from level " + std::to_string(gathered + 1) : "");
}

}  // namespace watersmeet::solve
