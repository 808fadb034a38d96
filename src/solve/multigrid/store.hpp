#pragma once
// Memory of the levels on one rank: solution, right-hand side and, where a level's kernels need it,
// scratch; the weights of all levels and the matrices of the bottom in one table.

#include <memory>
#include <vector>

#include "memory/state.hpp"
#include "solve/multigrid/arrays.hpp"
#include "solve/multigrid/bottom.hpp"
#include "solve/multigrid/outer.hpp"

namespace watersmeet::solve {

// Cells of a level that are on this rank. Across a cut axis the neighbours are in ghosts.
struct LevelPart {
  Box box;
  std::array<bool, 3> cut{false, false, false};
};
LevelPart whole_level(const Level& level);
// The same cells on the next coarser level; their bounds must be even where it is coarsened.
LevelPart coarser_part(const LevelPart& part, const Level& fine);

// Ghosts and neighbours of a part, without pointers: for kernels on any array of that shape.
template <class R>
LevelArrays<R> part_shape(const Level& level, const LevelPart& part, const BlockLayout& layout);
memory::BlockShape block_shape(const Level& level, const LevelPart& part);

// Numbers gathered on the host and then brought to where kernels read them.
template <class R>
class Table {
 public:
  // Index of the first of these numbers, which begin anew beyond their ends (a halo on a periodic axis); `padding` stands behind them as often as a pack may read.
  std::size_t add(const std::vector<double>& numbers, std::int64_t first, std::int64_t count,
                  double padding);
  std::size_t add(const std::vector<double>& numbers) {
    return add(numbers, 0, static_cast<std::int64_t>(numbers.size()), 0);
  }
  void upload(const Queue& queue);
  const R* at(std::size_t index) const { return buffer_.template as<R>() + index; }

 private:
  std::vector<R> host_;
  memory::Buffer buffer_;
};

// Operator weights of one level for arrays of type R: the caller's fine arrays need them too.
template <class R>
struct OperatorTable {
  std::size_t lower[3], upper[3], diagonal[3];
  void add(Table<R>& table, const Level& level, const LevelPart& part);
  void point(LevelArrays<R>& arrays, const Table<R>& table) const;
};

template <class R>
class LevelStore {
 public:
  // parts: one a level. scratch: of each level, how many arrays besides solution and right-hand
  // side. with_bottom: whether the last level is solved here; else other ranks may open the levels.
  LevelStore(const std::vector<Level>& levels, const std::vector<LevelPart>& parts,
             const std::vector<int>& scratch, bool with_bottom, const Queue& queue);

  int levels() const { return static_cast<int>(states_.size()); }
  const LevelArrays<R>& level(int l) const { return arrays_[static_cast<std::size_t>(l)]; }
  const TransferArrays<R>& transfer(int l) const { return transfers_[static_cast<std::size_t>(l)]; }
  const BottomArrays<R>& bottom() const { return bottom_; }
  // Registers: 0 solution, 1 right-hand side, 2 and 3 scratch.
  memory::State& state(int l) { return *states_[static_cast<std::size_t>(l)]; }
  // u and v change places.
  void swap_scratch(int l);

  static std::size_t bytes(const std::vector<Level>& levels, const std::vector<LevelPart>& parts,
                           const std::vector<int>& scratch, bool with_bottom);

 private:
  std::vector<std::unique_ptr<memory::State>> states_;
  std::vector<LevelArrays<R>> arrays_;
  std::vector<TransferArrays<R>> transfers_;
  BottomArrays<R> bottom_;
  Table<R> table_;
  memory::Buffer bottom_work_;
};

}  // namespace watersmeet::solve
