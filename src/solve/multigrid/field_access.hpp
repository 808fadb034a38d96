#pragma once
// The caller's arrays as the loops of outer.hpp see them, on any back end and any
// number of ranks: weights and widths in the problem's precision, ghosts between ranks, sums and
// maxima over them.

#include <memory>

#include "comm/exchange.hpp"
#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/store.hpp"
#include "solve/poisson/solver.hpp"

namespace watersmeet::solve {

template <class R>
class FieldAccess {
 public:
  FieldAccess(const Level& finest, const LevelPart& part, const PoissonPlace& place);

  // phi and the right-hand side; those of other registers of states of the same shape.
  LevelArrays<R> arrays(memory::State& state, int u, int f) const;
  const CellWidths& widths() const { return widths_; }
  double volume() const { return volume_; }  // of the whole box
  void fill_ghosts(memory::State& state, int reg);

  // What follows is of all ranks, and waits on a GPU where it returns a number. X: the number type
  // of the problem or of the cycles.

  // Mean and largest value of the right-hand side. The mean over the volume, which has the same bits however the box is
  // cut, is taken where the problem has a solution for the rest alone; else it is 0.
  struct MeanAndLargest {
    double mean = 0, largest = 0;
  };
  MeanAndLargest right_side(const LevelArrays<R>& a) const;
  // phi <- phi less its mean, where any constant solves the problem.
  void settle_mean(const LevelArrays<R>& a) const;
  // into.f <- (f - mean - L phi) / scale
  template <class X>
  Residual residual(const LevelArrays<R>& a, double mean, double scale,
                    const LevelArrays<X>& into) const;
  // phi <- phi + scale * correction if `add`, or 0 when `reset`, and its ghosts: a register of
  // `state`, whose arrays are `a`.
  template <class X>
  void correct(const LevelArrays<R>& a, const LevelArrays<X>& correction, double scale, bool add,
               bool reset, memory::State& state, int reg);
  // Weighted with the volumes of the cells.
  template <class X>
  double dot(const LevelArrays<R>& x, const LevelArrays<X>& y) const;

 private:
  bool singular() const { return finest_.problem.singular(); }
  Measured measure(const LevelArrays<R>& a, bool right_side) const;
  MeanAndLargest mean_and_largest(const LevelArrays<R>& a, bool right_side) const;
  double largest_of_all(double mine) const;
  double sum_of_all(double mine) const;  // in the order of the ranks
  template <class X>
  const OuterLoops<R, X>& loops() const {
    return outer_loops<R, X>(queue_.backend);
  }

  Level finest_;
  LevelPart part_;
  comm::Team* team_;
  Queue queue_;
  Table<R> table_;
  OperatorTable<R> operator_;
  Table<double> width_table_;
  CellWidths widths_;
  double volume_ = 1;
  memory::Buffer result_;                     // for reductions on a GPU
  std::unique_ptr<comm::Exchange> exchange_;  // null on one rank
};

}  // namespace watersmeet::solve
