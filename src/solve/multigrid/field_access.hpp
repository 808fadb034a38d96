#pragma once
// The caller's arrays as the loops of outer.hpp see them, on any back end and any number of ranks:
// weights and widths in the problem's precision, ghosts between ranks, sums and maxima over them.

#include <memory>

#include "comm/exchange.hpp"
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

  // Of phi or of the right-hand side, over all ranks; waits on a GPU. The mean over the volume has
  // the same bits however the box is cut.
  double largest(const LevelArrays<R>& a, bool right_side) const;
  struct MeanAndLargest {
    double mean = 0, largest = 0;
  };
  MeanAndLargest mean_and_largest(const LevelArrays<R>& a, bool right_side) const;

  double largest_of_all(double mine) const;
  double sum_of_all(double mine) const;  // in the order of the ranks

 private:
  Measured measure(const LevelArrays<R>& a, bool right_side) const;

  Level finest_;
  LevelPart part_;
  comm::Team* team_;
  Queue queue_;
  Table<R> table_;
  OperatorTable<R> operator_;
  Table<double> width_table_;
  CellWidths widths_;
  double volume_ = 1;
  memory::Buffer result_;                     // of a reduction on a GPU
  std::unique_ptr<comm::Exchange> exchange_;  // null on one rank
};

}  // namespace watersmeet::solve
