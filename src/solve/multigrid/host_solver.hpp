#pragma once
// Multigrid cycles counted by the host: the CPU, and several ranks on any device. On one GPU
// device_solver_cuda.cu decides on the device instead.

#include <memory>

#include "solve/multigrid/control.hpp"
#include "solve/multigrid/field_access.hpp"
#include "solve/multigrid/multigrid.hpp"

namespace watersmeet::solve {

// The parts of the finest level on all ranks.
std::vector<Box> boxes_of(const PoissonPlace& place);
// max |L|: twice the largest diagonal.
double operator_norm(const Level& level);
PoissonEnd end_of(const SolveControl& control);
// Whether a step happens; waits on a GPU.
bool is_active(const exec::Clock* clock, const Queue& queue);

// R: number type of the problem, C: that of the cycles.
template <class R, class C>
class HostMultigrid final : public PoissonSolver {
 public:
  HostMultigrid(Hierarchy hierarchy, const PoissonPlace& place, const MultigridOptions& options);
  PoissonMethod method() const override { return PoissonMethod::mg; }
  std::string describe() const override;
  void solve(const PoissonFields& fields, const PoissonStop& stop) override;
  PoissonRecord record() const override;

 private:
  Residual residual(const LevelArrays<R>& a);
  void correct(const LevelArrays<R>& a, const PoissonFields& fields);

  Hierarchy hierarchy_;
  std::vector<LevelCut> cuts_;
  PoissonPlace place_;
  MultigridOptions options_;
  LevelCycle<C> cycle_;
  FieldAccess<R> access_;
  SolveControl control_;
  memory::Buffer result_;  // of a reduction on a GPU
  bool solved_ = false;
};

}  // namespace watersmeet::solve
