// The kernels of a step of the multicomponent system, each timed by itself, with what it moves and
// computes at least. Only the clock is changed meanwhile, and put back: the stages read the
// solution and write registers that are dead between two steps.
#include <numeric>

#include "systems/multicomponent/system.hpp"
#include "systems/multicomponent/work.hpp"

namespace watersmeet::multicomponent {

// Faces with conditions of this rank's part.
double MulticomponentSystem::boundary_faces() const {
  return std::accumulate(std::begin(tables_.call().side), std::end(tables_.call().side), 0.0,
                         [](double sum, const BoundarySide& side) {
                           return side.kind ? sum + static_cast<double>(side.cells) : sum;
                         });
}

void MulticomponentSystem::time_ghosts(systems::KernelTimer& timer) {
  const double word = static_cast<double>(size_of(precision_));
  const double stages = static_cast<double>(scheme_.stages.size());
  time_exchange(timer, exchange_, state_);
  if (!has_boundaries()) return;
  const double faces = boundary_faces();
  timer.time({.name = "boundary conditions",
              .bytes = (radius + 1) * n_variables * word * faces,
              .launches = stages},
             [&] { fill_boundaries(0, 1); });
  const CellWork work = work_of_cell(variant_, flow_, finish_, scheme_);
  const OperationCount face = 2.0 * radius * work.state + 2.0 * work.edges + work.flux;
  LedgerCall nothing = ledger_.call(0);  // the same work, and the ledger stays as it is
  nothing.weighted_volume = 0;
  timer.time({.name = "boundary ledger",
              .bytes = 2 * radius * n_variables * word * faces,
              .launches = stages,
              .flops = face.all * faces,
              .slow_flops = face.slow * faces},
             [&] {
               if (tables_.call().any) {
                 loops_->count_boundaries(launch(0, 0), tables_.call(), nothing);
               }
             });
}

// A stage of sweeps is one launch per axis: the last one updates, so that its traffic depends on the
// stage; the others are the same in every stage.
void MulticomponentSystem::time_stages(systems::KernelTimer& timer) {
  const CellWork work = work_of_cell(variant_, flow_, finish_, scheme_);
  const double cells = cells_here();
  const double values = int{n_variables} * cells * static_cast<double>(size_of(precision_));
  const std::size_t stages = scheme_.stages.size();
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if (flow_.inverse_spacing[axis] > 0) axes.push_back(axis);
  }
  const auto add = [&](const std::string& name, double words, double launches,
                       const OperationCount& cell, const std::function<void()>& launch) {
    timer.time({.name = name,
                .bytes = words * values,
                .launches = launches,
                .flops = cell.all * cells,
                .slow_flops = cell.slow * cells},
               launch);
  };
  const bool sweeps = loops_->sweeps();
  const std::string axis_names[3] = {"sweep x", "sweep y", "sweep z"};
  exec::Launch l = launch(0, 1);
  l.update = scheme_.stages[0];
  for (std::size_t n = 0; sweeps && n + 1 < axes.size(); ++n) {
    const int axis = axes[n];
    // Variables read, rates written, and read before that unless they start here.
    add(axis_names[axis], n > 0 ? 3 : 2, static_cast<double>(stages), work.state + work.along(axis),
        [&] { loops_->sweep(l, axis); });
  }
  for (std::size_t s = 0; s < stages; ++s) {
    l.update = scheme_.stages[s];
    OperationCount cell = work.state + work.update[s];
    if (l.update.last) cell = cell + work.finish;
    const std::string stage = ", stage " + std::to_string(s + 1);
    const int words = scheme_.words_of_stage(s);
    if (sweeps) {
      const int axis = axes.back();
      add(axis_names[axis] + stage, words + (axes.size() > 1 ? 1 : 0), 1, cell + work.along(axis),
          [&] { loops_->sweep(l, axis); });
    } else {
      for (const int axis : axes) cell = cell + work.along(axis);
      add("tiles" + stage, words, 1, cell, [&] { loops_->stage(l); });
    }
  }
}

}  // namespace watersmeet::multicomponent
