#pragma once
// Included by CUDA instantiation files only.
#include "solve/multigrid/fused_cuda.hpp"

namespace watersmeet::solve {

inline std::vector<LevelPart> whole_levels(const std::vector<Level>& levels) {
  std::vector<LevelPart> parts;
  for (const Level& level : levels) parts.push_back(whole_level(level));
  return parts;
}
// Passes go from u to v; lines need w as well.
inline std::vector<int> device_scratch(const std::vector<Level>& levels) {
  std::vector<int> scratch;
  for (const Level& level : levels) {
    const bool lines =
        level.smoother == Smoother::zebra_z || level.smoother == Smoother::jacobi_lines_z;
    scratch.push_back(lines ? 2 : 1);
  }
  return scratch;
}

template <class R>
DeviceCycle<R>::DeviceCycle(const std::vector<Level>& levels, const DeviceCycleOptions& options,
                            const Queue& queue)
    : levels_(levels),
      options_(options),
      store_(levels_, whole_levels(levels_), device_scratch(levels_), true, queue),
      queue_(queue),
      loops_(level_loops<R>(queue.backend)) {
  if (options_.shared_bytes == 0)
    options_.shared_bytes =
        std::min(most_small_bytes, static_cast<int>(exec::most_shared_memory()));
  first_small_ =
      first_small_level(levels_, static_cast<std::size_t>(options_.shared_bytes), sizeof(R));
  const int count = static_cast<int>(levels_.size()) - first_small_;
  if (count <= 0) return;
  small_.count = count;
  small_.before = options_.sweeps.before;
  small_.after = options_.sweeps.after;
  small_.bottom = store_.bottom();
  for (int l = 0; l < count; ++l) {
    SmallLevel<R>& s = small_.level[l];
    s = make_small_level(store_.level(first_small_ + l), store_.transfer(first_small_ + l),
                         relaxation(first_small_ + l));
    const int cells = static_cast<int>(levels_[static_cast<std::size_t>(first_small_ + l)].cells());
    s.u = small_.elements;
    s.f = small_.elements + cells;
    small_.elements += 2 * cells;
  }
  small_.bottom_work = small_.elements;
  small_.elements += 2 * static_cast<int>(levels_.back().cells());
}

// The parts of this rank with their halos.
inline std::vector<LevelPart> slab_parts(const std::vector<Level>& levels,
                                         const std::vector<LevelCut>& cuts, int halo, int rank) {
  std::vector<LevelPart> parts;
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    parts.push_back(
        SlabLevel::with_halo(levels[l], cuts[l].parts[static_cast<std::size_t>(rank)], halo));
  }
  return parts;
}

template <class R>
DeviceCycle<R>::DeviceCycle(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
                            const DeviceCycleOptions& options, comm::Team& team, const Queue& queue)
    : levels_(levels),
      options_(options),
      store_(levels_, slab_parts(levels, cuts, halo_of(options.sweeps, sizeof(R)), team.rank()),
             std::vector<int>(cuts.size(), 1), false, queue),
      first_small_(static_cast<int>(cuts.size()) - 1),
      queue_(queue),
      loops_(level_loops<R>(queue.backend)),
      team_(&team) {
  options_.half_sweeps = sizeof(R) == 4 ? 4 : 2;
  for (std::size_t l = 0; l < cuts.size(); ++l) {
    slabs_.push_back(std::make_unique<SlabLevel>(levels_[l], cuts[l],
                                                 halo_of(options.sweeps, sizeof(R)),
                                                 store_.state(static_cast<int>(l)), team, queue));
  }
  stores_halos_ = true;
  for (std::size_t l = 0; l < cuts.size(); ++l)
    stores_halos_ = slabs_[l]->open(store_.state(static_cast<int>(l)), team) && stores_halos_;
  const std::vector<Level> rest(levels.begin() + static_cast<std::ptrdiff_t>(cuts.size()) - 1,
                                levels.end());
  words_ = memory::Buffer(MemorySpace::device,
                          static_cast<std::size_t>(rest.front().cells()) * sizeof(std::int64_t));
  whole_ = std::make_unique<DeviceCycle<R>>(rest, options, queue);
}

template <class R>
void DeviceCycle<R>::renew_u(int level) {
  if (slabs_.empty() || stores_halos_) return;
  slabs_[static_cast<std::size_t>(level)]->fill(store_.state(level).start(0), queue_);
}
// The right-hand side of the finest level is the caller's.
template <class R>
void DeviceCycle<R>::renew_f(int level) {
  if (slabs_.empty() || (stores_halos_ && (level > 0 || options_.halos_of_caller))) return;
  slabs_[static_cast<std::size_t>(level)]->fill(store_.state(level).start(1), queue_);
}
template <class R>
void DeviceCycle<R>::meet(int level) {
  if (stores_halos_) slabs_[static_cast<std::size_t>(level)]->meet(queue_);
}

// The coarse cells of a slab with its halo; the coarse slab has a halo as wide in its own planes.
template <class R>
LevelArrays<R> DeviceCycle<R>::coarse_of(int level) const {
  const LevelArrays<R>& coarse = store_.level(level + 1);
  if (slabs_.empty()) return coarse;
  const std::size_t l = static_cast<std::size_t>(level);
  const int ratio = levels_[l].transfer[2].coarsened ? 2 : 1;
  return slabs_[l + 1]->planes(coarse, slabs_[l + 1]->below() - slabs_[l]->below() / ratio,
                               store_.level(level).n[2] / ratio);
}

// Every rank gathers the coarsest level from own planes alone.
template <class R>
void DeviceCycle<R>::point_far(int level, MarchArrays<R>& m) const {
  const std::size_t l = static_cast<std::size_t>(level);
  m.far_out = slabs_[l]->far_planes(m.out);
  if (level + 1 == coarsest()) return;
  // Planes of m.coarse begin `shift` planes after those of the coarse slab.
  const LevelArrays<R>& coarse = store_.level(level + 1);
  const int shift = static_cast<int>((m.coarse.f - coarse.f) / coarse.stride[2]);
  m.far_coarse = slabs_[l + 1]->far_planes(coarse.f);
  for (FarPlanes<R>& far : m.far_coarse.side) far = far.from_plane(shift, coarse.stride[2]);
}

// Every rank does the rest of the cycle by itself, on the same numbers.
template <class R>
void DeviceCycle<R>::solve_gathered() {
  const int level = coarsest();
  const SlabLevel& slab = *slabs_.back();
  gather_right_side(loops_, slab.own(store_.level(level)), slab.place(), words_, whole_->finest(),
                    *team_, queue_);
  whole_->queue_cycle(Start::zero, when_, queue_);
  loops_.take_part(store_.level(level), slab.place_with_halo(), whole_->finest(), queue_);
}

template <class R>
std::size_t DeviceCycle<R>::bytes(const std::vector<Level>& levels) {
  return LevelStore<R>::bytes(levels, whole_levels(levels), device_scratch(levels), true);
}

// The small levels are the bottom of the levels above them.
template <class R>
int DeviceCycle<R>::coarsest() const {
  return std::min(first_small_, static_cast<int>(levels_.size()) - 1);
}

template <class R>
bool DeviceCycle<R>::marches(int level) const {
  return levels_[static_cast<std::size_t>(level)].smoother == Smoother::red_black &&
         options_.sweeps.before > 0 && options_.sweeps.after > 0;
}

template <class R>
void DeviceCycle<R>::end_cycles(const Queue& queue) {
  queue_ = queue;
  renew_u(0);
  meet(0);
}

template <class R>
FarSides<R> DeviceCycle<R>::far_right_side() const {
  if (!stores_halos_) return {};
  const SlabLevel& slab = *slabs_.front();
  const LevelArrays<R>& finest = store_.level(0);
  FarSides<R> far = slab.far_planes(finest.f);
  for (FarPlanes<R>& side : far.side) side = side.from_plane(slab.below(), finest.stride[2]);
  return far;
}

// Whether a level has what march_quad.hpp needs.
template <class R>
bool DeviceCycle<R>::quads(int level) const {
  const Level& l = levels_[static_cast<std::size_t>(level)];
  return l.n()[0] % 4 == 0 && !l.problem.stretched(0) && l.transfer[0].coarsened;
}

template <class R>
R* DeviceCycle<R>::queue_cycle(Start start, const When& when, const Queue& queue) {
  queue_ = queue;
  when_ = when;
  if (first_small_ == 0) {
    detail::queue_small(small_, start, when, queue);
  } else {
    v_cycle(*this, 0, start);
  }
  return finest().u;
}

template <class R>
void DeviceCycle<R>::solve_coarsest() {
  if (whole_) {
    solve_gathered();
  } else if (small_.count > 0) {
    detail::queue_small(small_, Start::zero, when_, queue_);
  } else {
    loops_.solve_bottom(store_.level(coarsest()), store_.bottom(), when_, queue_);
  }
}

template <class R>
void DeviceCycle<R>::smooth(int level, int sweeps, const std::array<double, 4>& omega) {
  smooth_level(loops_, store_, level, levels_[static_cast<std::size_t>(level)].smoother, sweeps,
               omega, when_, queue_, [] {});
}

template <class R>
void DeviceCycle<R>::descend(int level, Start start) {
  if (marches(level)) return march_down(level, start);
  if (start == Start::zero) loops_.clear(store_.level(level), when_, queue_);
  smooth(level, options_.sweeps.before, relaxation(level).before);
  loops_.restrict_residual(store_.level(level), store_.transfer(level), store_.level(level + 1),
                           when_, queue_);
}

template <class R>
void DeviceCycle<R>::ascend(int level) {
  if (marches(level)) return march_up(level);
  loops_.add_interpolated(store_.level(level), store_.transfer(level), store_.level(level + 1),
                          when_, queue_);
  smooth(level, options_.sweeps.after, relaxation(level).after);
}

template <class R>
MarchArrays<R> DeviceCycle<R>::pass(int level, const std::array<double, 4>& omega,
                                    int first) const {
  MarchArrays<R> m;
  m.level = store_.level(level);
  m.in = m.level.u;
  m.out = m.level.v;
  m.transfer = store_.transfer(level);
  m.coarse = coarse_of(level);
  m.end = m.level.n[2];
  if (!slabs_.empty()) {
    const SlabLevel& slab = *slabs_[static_cast<std::size_t>(level)];
    m.begin = slab.below();
    m.end -= slab.above();
  }
  if (stores_halos_) point_far(level, m);
  for (int h = 0; h < 4; ++h) m.omega[h] = R(of_half_sweep(omega, first + h));
  return m;
}

template <class R>
void DeviceCycle<R>::march_down(int level, Start start) {
  bool zero = start == Start::zero, met = zero && level == 0;
  const int all = 2 * options_.sweeps.before;
  if (zero) renew_f(level);
  for (int left = all; left > 0;) {
    if (!zero) renew_u(level);
    if (!std::exchange(met, false)) meet(level);  // f and its halo came with a meeting
    MarchArrays<R> m = pass(level, relaxation(level).before, all - left);
    if (zero) m.in = nullptr;
    const int now = left % 4 == 0 && options_.half_sweeps >= 4 ? 4 : 2;
    left -= now;
    if (left > 0) {
      // A pass of four half sweeps without a transfer is two of two: V cycles have few of them.
      if (now == 4) left += 2;
      detail::queue_march<R, 2, false, false>(m, quads(level), stores_halos_, when_, queue_);
    } else if (now == 4) {
      detail::queue_march<R, 4, false, true>(m, quads(level), stores_halos_, when_, queue_);
    } else {
      detail::queue_march<R, 2, false, true>(m, quads(level), stores_halos_, when_, queue_);
    }
    zero = false;
    store_.swap_scratch(level);
  }
}

template <class R>
void DeviceCycle<R>::march_up(int level) {
  bool interpolates = true;
  const int all = 2 * options_.sweeps.after;
  // The gathered level has its halo from the whole.
  if (!(whole_ && level + 1 == coarsest())) renew_u(level + 1);
  for (int left = all; left > 0;) {
    renew_u(level);
    meet(level);
    const MarchArrays<R> m = pass(level, relaxation(level).after, all - left);
    const int now = left % 4 == 0 && options_.half_sweeps >= 4 && interpolates ? 4 : 2;
    left -= now;
    if (!interpolates) {
      detail::queue_march<R, 2, false, false>(m, quads(level), stores_halos_, when_, queue_);
    } else if (now == 4) {
      detail::queue_march<R, 4, true, false>(m, quads(level), stores_halos_, when_, queue_);
    } else {
      detail::queue_march<R, 2, true, false>(m, quads(level), stores_halos_, when_, queue_);
    }
    interpolates = false;
    store_.swap_scratch(level);
  }
}

template <class R>
std::string DeviceCycle<R>::describe() const {
  const int count = static_cast<int>(levels_.size());
  if (small_.count == 0) return "";
  return ", levels " + std::to_string(first_small_ + 1) + " to " + std::to_string(count) +
         " in one kernel";
}

template <class R>
class SlabCycle final : public SharedCycle<R> {
 public:
  SlabCycle(const std::vector<Level>& levels, const std::vector<LevelCut>& cuts,
            const Sweeps& sweeps, comm::Team& team, const Queue& queue)
      : SharedCycle<R>(&team, queue),
        passes_(slab_passes(2 * sweeps.before, false, sizeof(R)) +
                slab_passes(2 * sweeps.after, true, sizeof(R))),
        gathered_(static_cast<int>(cuts.size()) - 1),
        cycle_(levels, cuts, {.sweeps = sweeps}, team, queue) {}
  LevelArrays<R> finest() const override { return cycle_.finest(); }
  int gathered() const override { return gathered_; }

 private:
  void queue_cycle(Start start) override { cycle_.queue_cycle(start, {}, this->queue_); }
  bool same_each_time() const override { return passes_ % 2 == 0; }

  int passes_, gathered_;
  DeviceCycle<R> cycle_;
};

template <class R>
std::unique_ptr<SharedCycle<R>> make_slab_cycle(const std::vector<Level>& levels,
                                                const std::vector<LevelCut>& cuts,
                                                const Sweeps& sweeps, comm::Team* team,
                                                const Queue& queue) {
  const std::vector<LevelCut> shared = slab_cuts(levels, cuts, sweeps, sizeof(R));
  if (shared.empty()) return nullptr;
  return std::make_unique<SlabCycle<R>>(levels, shared, sweeps, *team, queue);
}

}  // namespace watersmeet::solve
