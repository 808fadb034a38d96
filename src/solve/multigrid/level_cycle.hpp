#pragma once
// The operations of a cycle (cycle.hpp) on the levels of one rank, CPU or GPU, one kernel a step:
// the reference for every faster schedule. Parts of a level on several ranks exchange ghosts before
// each half sweep, so that no value depends on how the box is cut. Where the parts can no longer be
// halved, or are small, the level is gathered on all ranks and each does the rest of the cycle by
// itself, on the same numbers.
//
//   rank 0   level 0  \                                   / level 0
//                      level 1  \  gather               / level 1
//                                level 2 ... bottom ... level 2, all of it on every rank

#include <array>
#include <memory>
#include <vector>

#include "comm/exchange.hpp"
#include "comm/traffic.hpp"
#include "solve/multigrid/cycle.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/shared_cycle.hpp"
#include "solve/multigrid/store.hpp"

namespace watersmeet::solve {

// Levels of fewer cells are gathered: their ghosts cost more time than their cells.
inline constexpr std::int64_t largest_gathered_level = 32 * 32 * 32;

// How a level is cut, on all ranks.
struct LevelCut {
  std::vector<LevelPart> parts;  // one a rank
};

// The cuts of the levels that are worth sharing, finest first; the last one is where the level is
// gathered. One entry, and no gathering, when there is one part.
std::vector<LevelCut> cut_levels(const Hierarchy& hierarchy, const std::vector<Box>& finest);

// A level cut like that, as `rank` sees it.
comm::Domain domain_of(const Level& level, const LevelCut& cut, int rank);

// The right-hand side of a level on all ranks: that of the cells `own`, which are at `place`, becomes
// part of `whole`. `words`: one a cell of the whole, on the device.
template <class R>
void gather_right_side(const LevelLoops<R>& loops, const LevelArrays<R>& own,
                       const PartPlace& place, const memory::Buffer& words,
                       const LevelArrays<R>& whole, comm::Team& team, const Queue& queue);

template <class R>
class LevelCycle final : public SharedCycle<R> {
 public:
  // `levels` from the finest on; `cuts` from cut_levels(). team: null for one rank.
  LevelCycle(std::vector<Level> levels, const std::vector<LevelCut>& cuts, Sweeps sweeps,
             comm::Team* team, const Queue& queue);
  ~LevelCycle() override;

  // What the ranks send each other in a cycle.
  static comm::Traffic traffic(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                               Sweeps sweeps);

  LevelArrays<R> finest() const override { return store_.level(0); }
  int gathered() const override { return shared_.empty() ? -1 : coarsest(); }

  int coarsest() const { return store_.levels() - 1; }
  void descend(int level, Start start);
  void solve_coarsest();
  void ascend(int level);

  static std::size_t bytes(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                           int rank);

 private:
  struct Shared;  // of a level on several ranks
  using SharedCycle<R>::queue_, SharedCycle<R>::team_;
  void queue_cycle(Start start) override;
  bool same_each_time() const override;
  void smooth(int level, int sweeps, const std::array<double, 4>& omega);
  void fill_ghosts(int level);

  std::vector<Level> levels_;
  Sweeps sweeps_;
  const LevelLoops<R>& loops_;
  LevelStore<R> store_;
  std::vector<std::unique_ptr<Shared>> shared_;
  std::unique_ptr<LevelCycle<R>> whole_;  // of the gathered levels
  memory::Buffer words_;                  // of a gathered right-hand side
  Start gathered_start_ = Start::zero;    // of its cycle
};

// Sweeps of a level's smoother; fill_ghosts() comes before every half sweep and damped sweep.
template <class R, class FillGhosts>
void smooth_level(const LevelLoops<R>& loops, LevelStore<R>& store, int level, Smoother smoother,
                  int sweeps, const std::array<double, 4>& omega, const When& when,
                  const Queue& queue, const FillGhosts& fill_ghosts) {
  const bool lines = smoother == Smoother::zebra_z || smoother == Smoother::jacobi_lines_z;
  for (int s = 0; s < sweeps; ++s) {
    if (smoother == Smoother::jacobi || smoother == Smoother::jacobi_lines_z) {
      fill_ghosts();
      if (lines) {
        loops.lines_z(store.level(level), -1, when, queue);
      } else {
        loops.jacobi(store.level(level), when, queue);
      }
      store.swap_scratch(level);
      continue;
    }
    for (int colour = 0; colour < 2; ++colour) {
      fill_ghosts();
      LevelArrays<R> a = store.level(level);
      if (lines) {
        loops.lines_z(a, colour, when, queue);
      } else {
        a.omega = R(of_half_sweep(omega, 2 * s + colour));
        loops.red_black(a, colour, when, queue);
      }
    }
  }
}

}  // namespace watersmeet::solve
