#pragma once
// Included by CUDA instantiation files only.
#include "solve/multigrid/fused_cuda.hpp"

namespace watersmeet::solve {

template <class R>
int shared_bytes_of_device() {
  int index = 0, bytes = 0;
  exec::check_cuda(cudaGetDevice(&index), "cannot ask for the device");
  exec::check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, index),
                   "cannot ask for the device's shared memory");
  return bytes;
}

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
  if (options_.half_sweeps == 0) options_.half_sweeps = sizeof(R) == 4 ? 4 : 2;
  if (options_.shared_bytes == 0)
    options_.shared_bytes = std::min(most_small_bytes, shared_bytes_of_device<R>());
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
  return store_.level(0).u;
}

template <class R>
void DeviceCycle<R>::solve_coarsest() {
  if (small_.count > 0) {
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
  m.coarse = store_.level(level + 1);
  for (int h = 0; h < 4; ++h) m.omega[h] = R(of_half_sweep(omega, first + h));
  return m;
}

template <class R>
void DeviceCycle<R>::march_down(int level, Start start) {
  bool zero = start == Start::zero;
  const int all = 2 * options_.sweeps.before;
  for (int left = all; left > 0;) {
    MarchArrays<R> m = pass(level, relaxation(level).before, all - left);
    if (zero) m.in = nullptr;
    const int now = left % 4 == 0 && options_.half_sweeps >= 4 ? 4 : 2;
    left -= now;
    if (left > 0) {
      // A pass of four half sweeps without a transfer is two of two: V cycles have few of them.
      if (now == 4) left += 2;
      detail::queue_march<R, 2, false, false>(m, quads(level), when_, queue_);
    } else if (now == 4) {
      detail::queue_march<R, 4, false, true>(m, quads(level), when_, queue_);
    } else {
      detail::queue_march<R, 2, false, true>(m, quads(level), when_, queue_);
    }
    zero = false;
    store_.swap_scratch(level);
  }
}

template <class R>
void DeviceCycle<R>::march_up(int level) {
  bool interpolates = true;
  const int all = 2 * options_.sweeps.after;
  for (int left = all; left > 0;) {
    const MarchArrays<R> m = pass(level, relaxation(level).after, all - left);
    const int now = left % 4 == 0 && options_.half_sweeps >= 4 && interpolates ? 4 : 2;
    left -= now;
    if (!interpolates) {
      detail::queue_march<R, 2, false, false>(m, quads(level), when_, queue_);
    } else if (now == 4) {
      detail::queue_march<R, 4, true, false>(m, quads(level), when_, queue_);
    } else {
      detail::queue_march<R, 2, true, false>(m, quads(level), when_, queue_);
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

}  // namespace watersmeet::solve
