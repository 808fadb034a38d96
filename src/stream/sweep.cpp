#include "stream/sweep.hpp"

#include <algorithm>

#include "comm/exchange.hpp"
#include "core/error.hpp"
#include "mesh/box.hpp"

namespace watersmeet::stream {

namespace {

int streamed_axis(const BlockLayout& layout) { return layout.n[2] > 1 ? 2 : 1; }

memory::State make_window(const memory::State& host, int axis, std::int64_t planes, int registers, const Queue& queue) {
  const BlockLayout& l = host.layout(0);
  memory::BlockShape shape{{l.n[0], l.n[1], l.n[2]}, {l.ghosts[0], l.ghosts[1], l.ghosts[2]}};
  shape.n[static_cast<std::size_t>(axis)] = planes;
  return memory::State({shape}, host.variables(), registers, host.precision(), queue);
}

}  // namespace

exec::Launch Planes::launch() const {
  exec::Launch l;
  l.registers = registers;
  l.registers.layout = &layout;
  l.box = {{0, 0, 0}, {layout.n[0], layout.n[1], layout.n[2]}};
  l.clock = clock;
  l.queue = queue;
  return l;
}

Sweep::Sweep(const Plan& plan, memory::State& host, const std::array<bool, 3>& periodic, mesh::GhostReach reach,
             exec::UpdateForm form, int stages, int registers, const Queue& queue)
    : plan_(plan),
      host_(host),
      axis_(streamed_axis(host.layout(0))),
      stages_(stages),
      planes_(host.layout(0).n[axis_]),
      reach_(host.layout(0).ghosts[axis_]),
      periodic_(periodic[static_cast<std::size_t>(axis_)]),
      periodic_axes_(periodic),
      ghost_reach_(reach),
      form_(form),
      word_(size_of(host.precision())),
      queue_(queue),
      in_(queue),
      out_(queue) {
  require(plan_.first.back() == planes_ && plan_.segments() >= 1, "a plan for another grid");
  window_ = make_window(host_, axis_, plan_.window, registers, queue_);
  require(window_.layout(0).stride[axis_] == host_.layout(0).stride[axis_], "planes of two sizes");
  const std::int64_t most_lag = reach_ * stages_ * plan_.fused_steps;
  if (periodic_) {
    const std::int64_t plane = host_.layout(0).stride[axis_];
    seam_ = memory::Buffer(memory::working_space(queue_.backend),
                           static_cast<std::size_t>(plane * most_lag * host_.variables()) * word_);
  }
  if (queue_.backend == Backend::cuda) {
    in_ = make_cuda_queue();
    out_ = make_cuda_queue();
  }
  for (std::size_t n = 0; n < came_.size(); ++n) {
    came_[n] = Event(in_);
    computed_[n] = Event(queue_);
    left_[n] = Event(out_);
  }
}

Sweep::~Sweep() {
  if (queue_.backend != Backend::cuda) return;
  destroy_queue(in_);
  destroy_queue(out_);
}

// Planes that a segment brings in.
Sweep::Range Sweep::segment(int j) const {
  const auto first = [&](int s) { return plan_.first[static_cast<std::size_t>(s)]; };
  return {j == 0 ? begin() : first(j), j + 1 == plan_.segments() ? end() : first(j + 1)};
}

// Planes that stage m of the sweep, counted from 1, computes with segment j.
Sweep::Range Sweep::of_stage(int j, int m) const {
  const std::int64_t back = reach_ * m;
  const Range s = segment(j);
  const std::int64_t lowest = periodic_ ? begin() + back : 0, highest = periodic_ ? end() - back : planes_;
  Range r{j == 0 ? lowest : std::max(s.lower - back, lowest),
          j + 1 == plan_.segments() ? highest : std::clamp(s.upper - back, lowest, highest)};
  return r;
}

std::byte* Sweep::at(int reg, std::int64_t plane) const {
  return static_cast<std::byte*>(window_.start(reg)) + (plane - base_) * window_.layout(0).stride[axis_] * static_cast<std::int64_t>(word_);
}

Planes Sweep::planes(const Range& range, int in, int out, int increment, const Queue& queue) const {
  Planes p;
  p.layout = window_.layout(0);
  p.layout.n[axis_] = range.upper - range.lower;
  p.registers.in = at(in, range.lower);
  p.registers.out = at(out, range.lower);
  p.registers.increment = increment < window_.registers() ? at(increment, range.lower) : nullptr;
  p.first[static_cast<std::size_t>(axis_)] = range.lower;
  p.queue = queue;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const bool here = axis != axis_ || (side % 2 == 0 ? range.lower == 0 : range.upper == planes_);
    p.side[static_cast<std::size_t>(side)] = !periodic_axes_[static_cast<std::size_t>(axis)] && here;
  }
  return p;
}

const Sweep::Copies& Sweep::copies_of(std::int64_t planes) {
  const auto [found, fresh] = copies_.try_emplace(planes);
  Copies& copies = found->second;
  if (!fresh) return copies;
  BlockLayout layout = window_.layout(0);
  layout.n[axis_] = planes;
  std::array<bool, 3> linked = periodic_axes_;
  linked[static_cast<std::size_t>(axis_)] = false;
  const Index3 n{layout.n[0], layout.n[1], layout.n[2]};
  const mesh::Mesh block = mesh::make_box(n, {0, 0, 0}, {1, 1, 1}, linked);
  const std::array<Index3, 1> widths{Index3{layout.ghosts[0], layout.ghosts[1], layout.ghosts[2]}};
  copies.transfers = comm::copies_within(mesh::plan_ghosts(block, widths, ghost_reach_), layout);
  copies.cells = exec::number_cells(copies.transfers);
  if (queue_.backend == Backend::cuda && !copies.transfers.empty()) {
    copies.device = memory::Buffer(MemorySpace::device, copies.transfers.size() * sizeof(exec::GhostTransfer));
    copy_bytes(copies.device.start(), copies.transfers.data(), copies.device.bytes(), queue_);
    synchronize(queue_);
  }
  return copies;
}

// Whole planes, with the ghosts and the padding between their rows: one stretch a variable.
void Sweep::copy_planes(std::byte* to, std::int64_t to_stride_var, const std::byte* from, std::int64_t from_stride_var,
                        std::int64_t count, const Queue& queue) const {
  const std::size_t bytes = static_cast<std::size_t>(count * window_.layout(0).stride[axis_]) * word_;
  const std::int64_t word = static_cast<std::int64_t>(word_);
  for (int v = 0; v < window_.variables(); ++v)
    copy_bytes(to + v * to_stride_var * word, from + v * from_stride_var * word, bytes, queue);
}

namespace {
// Elements from the start of a register to its first plane.
std::int64_t before_planes(const BlockLayout& layout, int axis) { return layout.ghosts[axis] * layout.stride[axis]; }
}  // namespace

std::byte* Sweep::host_at(std::int64_t plane) const {
  const BlockLayout& l = host_.layout(0);
  return static_cast<std::byte*>(host_.start(0)) +
         (before_planes(l, axis_) + plane * l.stride[axis_]) * static_cast<std::int64_t>(word_);
}

// Into register 0; planes beyond the ends of a periodic grid are those at its other end. Those above the grid come as they were before the
// sweep, which has overwritten them, where asked.
void Sweep::load(const Range& range, bool ends_from_seam, const Queue& queue) {
  const BlockLayout &window = window_.layout(0), &host = host_.layout(0);
  const std::int64_t word = static_cast<std::int64_t>(word_);
  for (std::int64_t z = range.lower; z < range.upper;) {
    const std::int64_t inside = ((z % planes_) + planes_) % planes_;
    const std::int64_t upper = std::min(range.upper, z + planes_ - inside);
    std::byte* const to = at(0, z) + before_planes(window, axis_) * word;
    if (z >= planes_ && ends_from_seam) {
      const std::int64_t saved = host.stride[axis_] * lag_;
      copy_planes(to, window.stride_var, seam_.as<std::byte>() + (z - planes_) * host.stride[axis_] * word, saved, upper - z, queue);
    } else {
      copy_planes(to, window.stride_var, host_at(inside), host.stride_var, upper - z, queue);
    }
    z = upper;
  }
}

void Sweep::save(const Range& range, int reg) {
  if (range.empty()) return;
  copy_planes(host_at(range.lower), host_.layout(0).stride_var,
              at(reg, range.lower) + before_planes(window_.layout(0), axis_) * static_cast<std::int64_t>(word_),
              window_.layout(0).stride_var, range.upper - range.lower, out_);
}

// The planes before `live_end` that later stages read move to the beginning of the window; see plan.cpp for its length.
void Sweep::slide(std::int64_t to_base, std::int64_t live_end) {
  const BlockLayout& l = window_.layout(0);
  const std::int64_t shift = to_base - base_;
  require(live_end - to_base <= shift, "a window that slides over itself");
  for (int reg = 0; reg < window_.registers(); ++reg) {
    std::byte* const from = at(reg, to_base) + before_planes(l, axis_) * static_cast<std::int64_t>(word_);
    copy_planes(from - shift * l.stride[axis_] * static_cast<std::int64_t>(word_), l.stride_var, from, l.stride_var, live_end - to_base, queue_);
  }
}

// Ghosts of new planes of a register, for the stage that reads them next.
void Sweep::fill(int reg, const Range& range, int s, const exec::Clock& clock, PlaneWork& work) {
  const Copies& copies = copies_of(range.upper - range.lower);
  if (copies.cells > 0) {
    const exec::GhostTransfer* const transfers =
        queue_.backend == Backend::cuda ? copies.device.as<exec::GhostTransfer>() : copies.transfers.data();
    exec::fill_ghosts(at(reg, range.lower), nullptr, window_.precision(), transfers, static_cast<int>(copies.transfers.size()),
                      copies.cells, window_.variables(), exec::GhostAction::copy, queue_);
  }
  const auto sides = [&](const Range& r, bool across) {
    Planes p = planes(r, reg, reg, reg, queue_);
    bool any = false;
    for (int side = 0; side < 6; ++side) {
      bool& wanted = p.side[static_cast<std::size_t>(side)];
      wanted = wanted && (side / 2 == axis_) == across;
      any = any || wanted;
    }
    if (any) work.fill_sides(p, s, clock);
  };
  sides(range, false);
  if (periodic_) return;
  if (range.lower == 0) sides({0, reach_}, true);
  if (range.upper == planes_) sides({planes_ - reach_, planes_}, true);
}

void Sweep::compute_segment(int j, std::span<const Step> steps, exec::Clock* spare, PlaneWork& work) {
  const int last = stages_of_sweep();
  const auto step_of = [&](int m) -> const Step& { return steps[static_cast<std::size_t>(m / stages_)]; };
  fill(0, segment(j), 0, steps[0].known, work);
  for (int m = 0; m < last; ++m) {
    const exec::StageRegisters& r = registers_[static_cast<std::size_t>(m)];
    const Range all = of_stage(j, m + 1);
    if (all.empty()) continue;
    // Beyond the ends of a periodic grid cells are computed twice, and count once.
    const Range below{all.lower, std::min<std::int64_t>(all.upper, 0)};
    const Range inside{std::max<std::int64_t>(all.lower, 0), std::min(all.upper, planes_)};
    const Range above{std::max(all.lower, planes_), all.upper};
    for (const Range& range : {below, inside, above}) {
      if (range.empty()) continue;
      Planes p = planes(range, r.in, r.out, r.increment, queue_);
      const bool counts = range.lower >= 0 && range.upper <= planes_;
      p.clock = counts ? step_of(m).clock : spare;
      if (!counts) copy_bytes(spare, step_of(m).clock, sizeof(exec::Clock), queue_);
      work.compute(p, m % stages_);
      if (counts) work.count_sides(p, m % stages_);
    }
    if (m + 1 < last) fill(r.out, all, (m + 1) % stages_, step_of(m + 1).known, work);
  }
}

void Sweep::advance(std::span<const Step> steps, exec::Clock* spare, PlaneWork& work) {
  steps_ = static_cast<int>(steps.size());
  require(steps_ >= 1 && steps_ <= plan_.fused_steps, "a sweep of more steps than planned");
  lag_ = reach_ * stages_of_sweep();
  registers_ = exec::stage_registers(form_, stages_, steps_);
  const int segments = plan_.segments();
  const std::int64_t live = lag_ + reach_;
  const auto slot = [](int j) { return static_cast<std::size_t>(j % 4); };
  if (periodic_) {
    copy_planes(seam_.as<std::byte>(), host_.layout(0).stride[axis_] * lag_, host_at(0), host_.layout(0).stride_var, lag_, in_);
  }
  std::int64_t base = begin();  // of the segment that comes in next
  base_ = base;
  const auto bring = [&](int j) {
    const Range s = segment(j);
    if (s.upper - base > plan_.window) base = s.lower - live;
    if (j >= 2) computed_[slot(j - 2)].queue_waits(in_);
    if (j >= 3) left_[slot(j - 3)].queue_waits(in_);
    const std::int64_t now = base_;
    base_ = base;
    load(s, true, in_);
    came_[slot(j)].record(in_);
    base_ = now;
  };
  bring(0);
  std::int64_t next_base = base;
  for (int j = 0; j < segments; ++j) {
    const std::int64_t of_this = next_base;
    if (of_this != base_) {
      slide(of_this, segment(j).lower);
      base_ = of_this;
    }
    if (j + 1 < segments) bring(j + 1);
    next_base = base;
    came_[slot(j)].queue_waits(queue_);
    compute_segment(j, steps, spare, work);
    computed_[slot(j)].record(queue_);
    computed_[slot(j)].queue_waits(out_);
    save(of_stage(j, stages_of_sweep()), registers_.back().out);
    left_[slot(j)].record(out_);
  }
  synchronize(out_);
  synchronize(queue_);
}

void Sweep::each_slab(const exec::Clock& clock, PlaneWork& work, const std::function<void(const Planes&)>& look) {
  const std::int64_t slab = plan_.window - 2 * reach_;
  for (std::int64_t z = 0; z < planes_; z += slab) {
    const Range range{z, std::min(z + slab, planes_)};
    Range around{range.lower - reach_, range.upper + reach_};
    if (!periodic_) around = {std::max<std::int64_t>(around.lower, 0), std::min(around.upper, planes_)};
    base_ = around.lower;
    load(around, false, queue_);
    fill(0, around, -1, clock, work);
    Planes p = planes(range, 0, 0, 0, queue_);
    look(p);
    synchronize(queue_);
  }
}

}  // namespace watersmeet::stream
