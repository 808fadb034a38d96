#pragma once
// A level on several ranks that marching passes go over (march.hpp): slabs along z. A rank has its
// planes and some of its neighbours' on either side, which it computes as well; a pass of S half
// sweeps spoils S of them at the outer ends, and the next one finds them renewed:
//
//   neighbour's planes  .  .  .  .  .  |  own planes ...            planes of the halo: slab_halo()
//   spoilt by a pass    x  x           |  the same values as on the neighbour and on one rank

#include <vector>

#include "comm/exchange.hpp"
#include "comm/traffic.hpp"
#include "solve/multigrid/level_cycle.hpp"
#include "solve/multigrid/store.hpp"

namespace watersmeet::solve {

// Planes of the halo for passes of so many half sweeps before a restriction, which reads one plane
// beyond the own ones, and after an interpolation; even, so that coarse cells are not cut.
constexpr int slab_halo(int before, int after) {
  const int least = before + 1 > after ? before + 1 : after;
  return (least + 1) / 2 * 2;
}

// The levels of `cuts` that are worth sharing by slabs with halos of so many planes, as cut_levels();
// none where the parts are no slabs, or too thin on the finest level.
std::vector<LevelCut> slab_cuts(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                                int halo);

// Half sweeps of one pass, by the number of all of them that are left.
int half_sweeps_at_once(int left, std::size_t value_bytes);
// Passes over a level on the way down or up, each of which moves its values to the other array.
int slab_passes(int half_sweeps, bool up, std::size_t value_bytes);
// What the ranks send each other in a cycle over these cuts; value_bytes: of a number of the cycle.
comm::Traffic slab_traffic(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                           const Sweeps& sweeps, std::size_t value_bytes);
// The halo that passes need, of at most four half sweeps in single precision and of two in double.
int halo_of(const Sweeps& sweeps, std::size_t value_bytes);

class SlabLevel {
 public:
  // `state` has the cells of with_halo().
  SlabLevel(const Level& level, const LevelCut& cut, int halo, const memory::State& state,
            comm::Team& team, const Queue& queue);

  static LevelPart with_halo(const Level& level, const LevelPart& part, int halo);

  // Renews the halo of a register that starts there.
  void fill(void* start, const Queue& queue) { exchange_.fill(start, queue); }
  int below() const { return below_; }  // planes of the halo; 0 at a side of the box
  int above() const { return above_; }
  const PartPlace& place() const { return place_; }            // of the own cells
  const PartPlace& place_with_halo() const { return whole_; }  // and of all

  // From the arrays with halo: planes first .. first + n - 1 as a level of their own.
  template <class R>
  LevelArrays<R> planes(const LevelArrays<R>& all, int first, int n) const {
    LevelArrays<R> a = all;
    const std::int64_t shift = first * all.stride[2];
    for (R** array : {&a.u, &a.f, &a.v, &a.w}) {
      if (*array != nullptr) *array += shift;
    }
    a.n[2] = n;
    if (below_ > 0) a.below[2] = -1;
    a.above[2] = above_ > 0 ? n : n - 1;
    for (const R** weights : {&a.lower[2], &a.upper[2], &a.diagonal[2]}) *weights += first;
    a.parity += first;
    return a;
  }
  template <class R>
  LevelArrays<R> own(const LevelArrays<R>& all) const {
    return planes(all, below_, all.n[2] - below_ - above_);
  }

 private:
  int below_ = 0, above_ = 0;
  PartPlace place_, whole_;
  comm::Domain domain_;
  comm::Exchange exchange_;
};

// The cycle of several GPUs. Null where the parts are no slabs, or too thin, or not all levels are
// relaxed by red-black sweeps.
template <class R>
std::unique_ptr<SharedCycle<R>> make_slab_cycle(const std::vector<Level>& levels,
                                                const std::vector<LevelCut>& cuts,
                                                const Sweeps& sweeps, comm::Team* team,
                                                const Queue& queue);

}  // namespace watersmeet::solve
