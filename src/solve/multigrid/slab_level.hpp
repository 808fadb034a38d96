#pragma once
// A level on several ranks that marching passes go over (march.hpp): slabs along z. A rank has its
// planes and a halo of some of its neighbours' on either side, which a pass reads as far as its
// pipeline is deep. Between GPUs of a host a pass stores the planes that are a halo elsewhere there
// as well, and ranks only meet before the next one; else an exchange renews the halo before it is read.
//
//   neighbour's planes  .  .  h  h  h  h  |  own planes ...            planes of the halo: slab_halo()

#include <array>
#include <cstddef>
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

// The levels of `cuts` that are worth sharing by slabs, as cut_levels(); none where the parts are no slabs, or too thin on the finest level, or
// there are no sweeps on either way. value_bytes: of a number of the cycle.
std::vector<LevelCut> slab_cuts(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                                const Sweeps& sweeps, std::size_t value_bytes);

// Half sweeps of one pass, by the number of all of them that are left.
int half_sweeps_at_once(int left, std::size_t value_bytes);
// Passes over a level on the way down or up, each of which moves its values to the other array.
int slab_passes(int half_sweeps, bool up, std::size_t value_bytes);
// What the ranks send each other in a cycle over these cuts; value_bytes: of a number of the cycle.
comm::Traffic slab_traffic(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                           const Sweeps& sweeps, std::size_t value_bytes);
// The halo that passes need, of at most four half sweeps in single precision and of two in double.
int halo_of(const Sweeps& sweeps, std::size_t value_bytes);

// The slab beside a side of another one: planes [begin, end) of that are planes of its halo, plane k is plane k + shift of it; all counted with
// the halos. rank < 0: there is none.
struct SlabNeighbour {
  int rank = -1, begin = 0, end = 0, shift = 0;
  // `there`: cell (0, 0, 0) of the array of that slab.
  template <class R>
  FarPlanes<R> planes(R* there, std::int64_t stride) const {
    if (rank < 0) return {};
    return {there + shift * stride, begin, end};
  }
};
// Those below and above.
std::array<SlabNeighbour, 2> slab_neighbours(const Level& level, const LevelCut& cut, int halo,
                                             int rank);

class SlabLevel {
 public:
  // `state` has the cells of with_halo().
  SlabLevel(const Level& level, const LevelCut& cut, int halo, const memory::State& state,
            comm::Team& team, const Queue& queue);

  static LevelPart with_halo(const Level& level, const LevelPart& part, int halo);

  // Renews the halo of a register that starts there.
  void fill(void* start, const Queue& queue) { exchange_.fill(start, queue); }
  // Opens the registers of `state` to the other ranks, collectively; false where they cannot be reached. Then passes store far_planes(), and
  // meet() comes between one that stores and one that reads.
  bool open(const memory::State& state, comm::Team& team);
  void meet(const Queue& queue) const { exchange_.meet(queue); }
  // Of an array of that state, in the slabs below and above.
  template <class R>
  FarSides<R> far_planes(const R* array) const {
    FarSides<R> far;
    const auto* const start = reinterpret_cast<const std::byte*>(array - first_);
    std::size_t reg = 0;
    while (registers_[reg] != start) ++reg;
    for (std::size_t side = 0; side < 2; ++side) {
      const SlabNeighbour& n = neighbours_[side];
      if (n.rank < 0) continue;
      R* const there = static_cast<R*>((*far_)[reg][static_cast<std::size_t>(n.rank)]);
      far.side[side] = n.planes(there + first_, plane_stride_);
    }
    return far;
  }
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
  std::array<SlabNeighbour, 2> neighbours_;
  std::int64_t first_ = 0, plane_stride_ = 0;  // of the arrays of the state
  std::vector<void*> registers_;               // as they were opened
  const comm::FarBuffers* far_ = nullptr;      // of the transport
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
