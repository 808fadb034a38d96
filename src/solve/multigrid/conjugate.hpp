#pragma once
// Conjugate gradients with one multigrid cycle as the preconditioner: for problems on which cycles
// alone are slow (two directions of strong coupling, long odd axes). The cycle is not symmetric
// (interpolation is not the transpose of the average), hence the flexible form of Notay (2000),
// SIAM J. Sci. Comput. 22, with the Polak-Ribiere numerator:
//
//   z = cycle(r);  beta = (z, r - r_old) / (z_old, r_old);  p <- z + beta p
//   alpha = (z, r) / (p, L p);  phi <- phi + alpha p
//
// Products are weighted with the volumes of the cells, in which L is symmetric on stretched axes.
// r is computed from phi in every iteration, never by recursion: the residual itself decides.
// The host counts.

#include "solve/multigrid/field_access.hpp"
#include "solve/multigrid/host_control.hpp"

namespace watersmeet::solve {

template <class R, class C>
class ConjugateGradients final : public PoissonSolver {
 public:
  ConjugateGradients(Hierarchy hierarchy, const PoissonPlace& place,
                     const MultigridOptions& options);
  PoissonMethod method() const override { return PoissonMethod::mgcg; }
  std::string describe() const override;
  void solve(const PoissonFields& fields, const PoissonStop& stop) override;
  PoissonRecord record() const override { return record_; }

 private:
  enum : int { direction, image, residual_register, registers };
  LevelArrays<R> vector(int u, int f, int v);
  void precondition(double norm);

  Hierarchy hierarchy_;
  std::vector<LevelCut> cuts_;
  PoissonPlace place_;
  const OuterLoops<R, C>& loops_;
  MultigridOptions options_;
  LevelCycle<C> cycle_;
  FieldAccess<R> access_;
  memory::State work_;
  SolveControl control_;
  PoissonRecord record_;
};

}  // namespace watersmeet::solve
