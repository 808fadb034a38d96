#pragma once
// A cycle on one GPU in few kernels: on the large levels passes that march through several half
// sweeps (march.hpp), all small levels in one thread block (small.hpp), and one kernel a step where
// neither serves (lines, damped sweeps). Only queues; the kernels look at `when` themselves.

#include <memory>
#include <vector>

#include "solve/multigrid/cycle.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/level_cycle.hpp"
#include "solve/multigrid/march_arrays.hpp"
#include "solve/multigrid/slab_level.hpp"
#include "solve/multigrid/small.hpp"
#include "solve/multigrid/store.hpp"

namespace watersmeet::solve {

struct DeviceCycleOptions {
  Sweeps sweeps;
  // Half sweeps in one pass: 4 or 2. More of them read the level less often and compute a wider
  // halo. Slabs have 4 in single precision whatever is asked for, and 2 in double: they exchange ghosts before each pass.
  int half_sweeps = 2;
  // Levels from the first one that fits are small; 0: most_small_bytes.
  int shared_bytes = 0;
  // Between GPUs of a host the caller stores the right-hand side of level 0 where it is a halo of other slabs, too (far_right_side()), and all ranks
  // have met before the first cycle for it.
  bool halos_of_caller = false;
};

// Shared memory of the small levels, some 8000 cells in single precision: larger levels take a
// single thread block longer than several kernels take all multiprocessors.
inline constexpr int most_small_bytes = 64 * 1024;

// The first level from which all fit into `bytes` of fast memory and can be done by small.hpp;
// the number of levels when none.
int first_small_level(const std::vector<Level>& levels, std::size_t bytes, std::size_t element);

template <class R>
class DeviceCycle {
 public:
  DeviceCycle(const std::vector<Level>& levels, const DeviceCycleOptions& options,
              const Queue& queue);
  // On several ranks, by slabs of cuts from slab_cuts(), the last of which is gathered.
  DeviceCycle(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
              const DeviceCycleOptions& options, comm::Team& team, const Queue& queue);

  // Queues one cycle; the first starts from 0, the others from where the one before left the
  // solution. Returns where the solution of level 0 stands afterwards.
  R* queue_cycle(Start start, const When& when, const Queue& queue);
  // Queues the end of cycles: the halo of their solution may be read by what follows. Nothing to do on one rank.
  void end_cycles(const Queue& queue);
  // Its f is the right-hand side, whose halo a cycle from 0 renews unless the caller stores it.
  LevelArrays<R> finest() const {
    return slabs_.empty() ? store_.level(0) : slabs_.front()->own(store_.level(0));
  }
  // Where planes of finest().f are a halo of other slabs; none where these cannot be reached.
  FarSides<R> far_right_side() const;
  std::string describe() const;
  static std::size_t bytes(const std::vector<Level>& levels);

  // Operations of v_cycle().
  int coarsest() const;
  void descend(int level, Start start);
  void solve_coarsest();
  void ascend(int level);

 private:
  bool marches(int level) const;
  bool quads(int level) const;
  const Relaxation& relaxation(int level) const {
    return levels_[static_cast<std::size_t>(level)].relaxation;
  }
  void smooth(int level, int sweeps, const std::array<double, 4>& omega);
  // A pass from u to v that begins with half sweep `first` of these.
  MarchArrays<R> pass(int level, const std::array<double, 4>& omega, int first) const;
  // `half_sweeps` of them in passes, the first of which interpolates, or the last of which
  // restricts.
  void march_down(int level, Start start);
  void march_up(int level);
  // On several ranks: halos of u or f where passes do not store them, the meeting before a pass where they do, the coarse level below a slab, and
  // the gathered levels.
  void renew_u(int level);
  void renew_f(int level);
  void meet(int level);
  LevelArrays<R> coarse_of(int level) const;
  void point_far(int level, MarchArrays<R>& m) const;
  void solve_gathered();

  std::vector<Level> levels_;
  DeviceCycleOptions options_;
  LevelStore<R> store_;
  int first_small_ = 0;
  SmallLevels<R> small_;
  Queue queue_;
  const LevelLoops<R>& loops_;
  When when_;

  std::vector<std::unique_ptr<SlabLevel>> slabs_;
  bool stores_halos_ = false;
  std::unique_ptr<DeviceCycle<R>> whole_;
  memory::Buffer words_;  // of the gathered right-hand side
  comm::Team* team_ = nullptr;
};

}  // namespace watersmeet::solve
