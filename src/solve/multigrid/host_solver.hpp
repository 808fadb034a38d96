#pragma once
// Multigrid cycles counted by the host: the CPU, and several ranks on any device. On one GPU, and on slabs
// between GPUs of a host, device_solver_cuda.cu decides on the device instead.

#include "solve/multigrid/field_access.hpp"
#include "solve/multigrid/host_control.hpp"

namespace watersmeet::solve {

// R: number type of the problem, C: that of the cycles.
template <class R, class C>
class HostMultigrid final : public PoissonSolver {
 public:
  HostMultigrid(Hierarchy hierarchy, const PoissonPlace& place, const MultigridOptions& options);
  PoissonMethod method() const override { return PoissonMethod::mg; }
  std::string describe() const override;
  void solve(const PoissonFields& fields, const PoissonStop& stop) override;
  PoissonRecord record() const override { return record_; }

 private:
  Hierarchy hierarchy_;
  std::vector<LevelCut> cuts_;
  PoissonPlace place_;
  MultigridOptions options_;
  std::unique_ptr<SharedCycle<C>> cycle_;
  FieldAccess<R> access_;
  SolveControl control_;
  PoissonRecord record_;
};

}  // namespace watersmeet::solve
