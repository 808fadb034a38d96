#include "stream/sweep.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "memory/rounded.hpp"
#include "mesh/box.hpp"
#include "mesh/ghosts.hpp"

namespace watersmeet::stream {

namespace {

// The layout of a number of planes of a shape as a block of their own.
memory::BlockShape planes_of(memory::BlockShape shape, int axis, std::int64_t planes) {
  shape.n[static_cast<std::size_t>(axis)] = planes;
  return shape;
}

}  // namespace

Sweep::Sweep(const Plan& plan, memory::State& host, const memory::BlockShape& shape,
             const comm::Domain& domain, const std::array<bool, 3>& periodic, comm::Team& team,
             mesh::GhostReach reach, exec::UpdateForm form, int stages, int registers,
             const Queue& queue, const memory::State* fixed)
    : plan_(plan),
      host_(host),
      fixed_(fixed),
      axis_(plan.demand.axis),
      stages_(stages),
      planes_(shape.n[static_cast<std::size_t>(axis_)]),
      reach_(shape.ghosts[static_cast<std::size_t>(axis_)]),
      periodic_(periodic[static_cast<std::size_t>(axis_)]),
      domain_(domain),
      periodic_axes_(periodic),
      team_(team),
      ghost_reach_(reach),
      form_(form),
      word_(size_of(host.precision())),
      queue_(queue),
      in_(queue),
      out_(queue) {
  require(plan_.first.back() == planes_ && plan_.segments() >= 1, "a plan for another grid");
  for (std::size_t side = 0; side < linked_.size(); ++side) {
    const mesh::Side which = side % 2 == 0 ? mesh::Side::lower : mesh::Side::upper;
    linked_[side] =
        !domain_.mesh.links(domain_.here[0], {static_cast<int>(side / 2), which}).empty();
  }
  const auto state = [&](const memory::BlockShape& of, int variables, int count) {
    return memory::State({of}, variables, count, host.precision(), queue);
  };
  window_ = state(planes_of(shape, axis_, plan_.window),
                  host.variables() + (fixed ? fixed->variables() : 0),
                  plan_.demand.host_updates ? std::max(registers, 3) : registers);
  if (periodic_) {
    kept_ = state(planes_of(shape, axis_, kept_planes(plan_.fused_steps, plan_.demand)),
                  window_.variables(), 1);
  }
  if (plan_.demand.fields() > 0)
    fields_ = state(planes_of(shape, axis_, plan_.window), 1, plan_.demand.fields());
  if (plan_.demand.host_updates) {
    landed_ =
        memory::State({planes_of({shape.n, {0, 0, 0}}, axis_, plan_.returned)}, host.variables(), 2,
                      host.precision(), queue, memory::staging_space(queue.backend));
  }
  if (queue_.backend == Backend::cuda) {
    in_ = make_cuda_queue();
    out_ = make_cuda_queue();
  }
  on_host_ = planes_;
  first_left_ = Event(out_);
  all_left_ = Event(out_);
  for (std::size_t n = 0; n < came_.size(); ++n) {
    came_[n] = Event(in_);
    computed_[n] = Event(queue_);
    left_[n] = Event(out_);
  }
}

Sweep::~Sweep() {
  if (queue_.backend != Backend::cuda) return;
  for (Queue* const queue : {&in_, &out_}) {
    try {
      synchronize(*queue);
    } catch (const Error&) {  // a failed device: reported by the call that waited for it
    }
    destroy_queue(*queue);
  }
}

Sweep::Range Sweep::segment(int j) const {
  return {plan_.first[static_cast<std::size_t>(j)], plan_.first[static_cast<std::size_t>(j) + 1]};
}

// Of a periodic grid of N planes, those that the stages before m have left end at N + R L m, and 2 R L more are kept behind them.
Sweep::Range Sweep::ended_before(int j, int m, std::int64_t back) const {
  const Range s = segment(j);
  const std::int64_t stage = m * reach_of_stage(plan_.demand), all = stage + back;
  const std::int64_t lowest = periodic_ ? all : 0,
                     highest =
                         periodic_ ? planes_ + stage + kept_solution(plan_.demand) - back : planes_;
  return {j == 0 ? lowest : std::max(s.lower - all, lowest),
          j + 1 == plan_.segments() ? highest : std::clamp(s.upper - all, lowest, highest)};
}

Sweep::Range Sweep::whole_of(int m) const {
  const std::int64_t lower = periodic_ ? (m + 1) * reach_of_stage(plan_.demand) : 0;
  return {lower, lower + planes_};
}

// Stage s alone: registers of the window are 0, 1 and 2, and the host has a second array, the increment, the solution before or, once the
// first stage has turned the host's, that at the beginning of the step. That stays there where the host updates the solution.
void Sweep::set_stage(int s) {
  using Form = exec::UpdateForm;
  first_stage_ = s;
  registers_ = {{0, 1, 2}};
  const int old = form_ == Form::two ? 1 : 2;
  const bool turns = form_ == Form::two || (form_ == Form::base && s == 0);
  in_arrays_ = {{0, 0}};
  if (plan_.demand.host_updates) return;
  if (s > 0) in_arrays_.push_back({old, 1});
  out_arrays_ = {{1, turns ? 1 : 0}};
  if (form_ == Form::stored && s + 1 < stages_) out_arrays_.push_back({2, 1});
}

// Of a periodic grid the cells that corrections of others read, and are corrected elsewhere, do not count.
void Sweep::each_part(const Range& range, int m, const Step& step, exec::Clock* spare,
                      const std::function<void(const Planes&)>& look) {
  const exec::StageRegisters& r = registers_[static_cast<std::size_t>(m)];
  const Range whole = whole_of(m);
  const auto cut = [&](std::int64_t at) {
    return std::min(std::max(at, range.lower), range.upper);
  };
  for (const Range& piece :
       {Range{range.lower, cut(whole.lower)}, Range{cut(whole.lower), cut(whole.upper)},
        Range{cut(whole.upper), range.upper}}) {
    for (const Range& part : parts(piece)) {
      Planes p = planes(part, r.in, r.out, r.increment, queue_);
      p.counts = part.lower >= whole.lower && part.upper <= whole.upper;
      p.clock = p.counts ? step.clock : spare;
      p.step = m / stages_;
      if (!p.counts) exec::copy_clock(spare, step.clock, queue_);
      look(p);
    }
  }
}

void Sweep::compute_segment(int j, std::span<const Step> steps, exec::Clock* spare,
                            PlaneWork& work) {
  const int last = stages_of_sweep(), passes = plan_.demand.passes;
  const auto step_of = [&](int m) -> const Step& {
    return steps[static_cast<std::size_t>(m / stages_)];
  };
  const auto join_ends = [&](int m, const Range& range) {
    if (!periodic_) return;
    keep(m, range);
    if (j + 1 == plan_.segments()) append_kept(m);
  };
  fill(0, segment(j), true, first_stage_, steps[0], work);
  join_ends(0, segment(j));
  for (int m = 0; m < last; ++m) {
    const exec::StageRegisters& r = registers_[static_cast<std::size_t>(m)];
    const int s = (first_stage_ + m) % stages_;
    for (int p = 0; p < passes; ++p) {
      compute_pass(p, r.in, of_launch(j, m, p + 1), step_of(m).clock, m / stages_, work);
    }
    const bool corrects = plan_.demand.corrections > 0;
    const auto count = [&](const Planes& p) {
      if (p.counts) work.count_sides(p, s);
    };
    each_part(of_launch(j, m, passes + 1), m, step_of(m), spare, [&](const Planes& p) {
      work.compute(p, s);
      if (!corrects) count(p);
    });
    const Range all = of_stage(j, m);
    if (corrects) {
      correct_stage(j, m, step_of(m), spare, work);
      each_part(all, m, step_of(m), spare, [&](const Planes& p) {
        work.complete(p, s);
        count(p);
      });
    }
    if (all.empty() || m + 1 == last) continue;
    fill(r.out, all, false, (m + 1) % stages_, step_of(m + 1), work);
    join_ends(m + 1, all);
  }
}

namespace {
std::size_t slot(std::int64_t count) { return static_cast<std::size_t>(count % 4); }
}  // namespace

// Copies segment j in while the one before is computed and the one before that goes back.
void Sweep::bring(int j) {
  const Range s = segment(j);
  const std::int64_t upper = j + 1 == plan_.segments() ? end() : s.upper;
  if (upper - coming_base_ > plan_.window) coming_base_ = s.lower - live();
  if (count_ >= 2) computed_[slot(count_ - 2)].queue_waits(in_);
  if (count_ >= 3) {
    left_[slot(count_ - 3)].queue_waits(in_);
    // A segment of this sweep: all of the sweep before was given back earlier. Else it is one of that sweep, which had three segments.
    if (count_ - 3 >= count_before_) on_host_ = planes_;
    if (plan_.segments() >= 3) on_host_ = std::max(on_host_, given_back_[slot(count_ - 3)]);
  }
  if (s.upper > on_host_) {
    all_left_.queue_waits(in_);
    on_host_ = planes_;
  }
  std::swap(base_, coming_base_);
  load(s, in_);
  if (j + 1 == plan_.segments()) load_fixed({planes_, end()}, in_);  // planes that stages reach
  std::swap(base_, coming_base_);
  came_[slot(count_)].record(in_);
  ++count_;
}

// The end of the planes that the next sweep reads first, if it has as many steps.
std::int64_t Sweep::read_first() const { return segment(0).upper + (periodic_ ? lag() : 0); }

// Begins the next sweep behind the last segment of this one and the ghosts between both.
void Sweep::read_ahead() {
  const std::int64_t length = segment(0).upper - segment(0).lower;
  std::int64_t place = end() - base_ + 2 * reach_;
  if (place + length > plan_.window) place = live();
  first_left_.queue_waits(in_);
  const std::int64_t shift = periodic_ ? lag() : 0;
  on_host_ = read_first() - shift;
  for (std::int64_t& upper : given_back_) upper -= shift;
  origin_ = (origin_ + shift) % planes_;
  count_before_ = count_;
  coming_base_ = -place;
  bring(0);
  read_ahead_ = true;
  steps_ahead_ = steps_;
}

void Sweep::flush() {
  synchronize(in_);
  synchronize(out_);
  read_ahead_ = false;
  origin_ = count_ = count_before_ = 0;
  on_host_ = planes_;
}

void Sweep::advance(std::span<const Step> steps, exec::Clock* spare, PlaneWork& work) {
  require(!steps.empty() && steps.size() <= static_cast<std::size_t>(plan_.fused_steps),
          "a sweep of more steps than planned");
  if (!read_ahead_ || steps_ahead_ != static_cast<int>(steps.size())) flush();
  steps_ = static_cast<int>(steps.size());
  if (!plan_.demand.by_stage) {
    registers_ = exec::stage_registers(form_, stages_, steps_);
    out_arrays_ = {{registers_.back().out, 0}};
    sweep(steps, spare, work);
    read_ahead();
    synchronize(queue_);
    return;
  }
  host_clock_ = steps[0].known;
  for (int s = 0; s < stages_; ++s) {
    set_stage(s);
    sweep(steps, spare, work);
    flush();
    if (out_arrays_.front().host == 1) host_.swap(0, 1);
  }
  in_arrays_ = {{0, 0}};
  synchronize(queue_);
  if (plan_.demand.host_updates)
    exec::raise_signal(steps[0].clock, host_clock_.signal_bits, queue_);
}

void Sweep::sweep(std::span<const Step> steps, exec::Clock* spare, PlaneWork& work) {
  if (!read_ahead_) {
    coming_base_ = 0;
    bring(0);
  }
  read_ahead_ = false;
  base_ = coming_base_;
  const int segments = plan_.segments();
  bool first_has_left = false;
  for (int j = 0; j < segments; ++j) {
    if (coming_base_ != base_) {
      slide(coming_base_, segment(j).lower);
      base_ = coming_base_;
    }
    const std::int64_t n = count_ - 1;
    if (j + 1 < segments) bring(j + 1);
    came_[slot(n)].queue_waits(queue_);
    compute_segment(j, steps, spare, work);
    computed_[slot(n)].record(queue_);
    computed_[slot(n)].queue_waits(out_);
    const Range done = of_stage(j, stages_of_sweep() - 1);
    save(done, j);
    left_[slot(n)].record(out_);
    if (plan_.demand.host_updates && j > 0) update_on_host(j - 1, work);
    given_back_[slot(n)] = done.upper;
    if (!first_has_left && (done.upper >= read_first() || j + 1 == segments)) {
      first_left_.record(out_);
      first_has_left = true;
    }
  }
  all_left_.record(out_);
  if (plan_.demand.host_updates) update_on_host(segments - 1, work);
}

// Planes of segment j, whose rates came back last or the last but one. Later segments do not come in with these planes, and what they need of
// them is in the window or kept.
void Sweep::update_on_host(int j, PlaneWork& work) {
  const std::int64_t n = count_before_ + j;
  left_[slot(n)].wait();
  const Range range = of_stage(j, 0);
  const std::size_t axis = static_cast<std::size_t>(axis_);
  const BlockLayout &all = host_.layout(0), &landed = landed_.layout(0);
  for (const Range& part : parts(range)) {
    const std::int64_t before = (part.lower - range.lower) * landed.stride[axis_];
    exec::Launch l;
    l.registers = {.layout = &all,
                   .in = host_.start(0),
                   .out = host_.start(0),
                   .increment = host_.start(1),
                   .extra = static_cast<const std::byte*>(landed_.start(j % 2)) +
                            before * static_cast<std::int64_t>(word_),
                   .extra_layout = &landed};
    l.box = {{0, 0, 0}, {all.n[0], all.n[1], all.n[2]}};
    l.box.lower[axis] = wrapped(part.lower);
    l.box.upper[axis] = l.box.lower[axis] + part.upper - part.lower;
    l.clock = &host_clock_;
    l.queue = {Backend::cpu, nullptr, queue_.threads};
    work.update(l, first_stage_);
  }
}

void Sweep::each_slab(const Step& now, PlaneWork& work, const std::function<void(Planes&)>& look) {
  flush();
  const int passes = passes_between_steps_ ? plan_.demand.passes : 0;
  const std::int64_t slab = plan_.window - 2 * reach_ * (1 + passes);
  for (std::int64_t z = 0; z < planes_; z += slab) {
    const Range range{z, std::min(z + slab, planes_)};
    const auto with = [&](std::int64_t layers) {
      Range around{range.lower - layers, range.upper + layers};
      if (!periodic_)
        around = {std::max<std::int64_t>(around.lower, 0), std::min(around.upper, planes_)};
      return around;
    };
    const Range around = with(reach_ * (1 + passes));
    base_ = around.lower;
    load(around, queue_);
    fill(0, around, true, -1, now, work);
    for (int p = 0; p < passes; ++p)
      compute_pass(p, 0, with(reach_ * (passes - p)), nullptr, 0, work);
    Planes p = planes(range, 0, 0, 0, queue_);
    look(p);
    synchronize(queue_);
  }
}

}  // namespace watersmeet::stream
