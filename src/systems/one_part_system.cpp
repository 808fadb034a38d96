#include "systems/one_part_system.hpp"

#include <algorithm>
#include <array>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "memory/rounded.hpp"

namespace watersmeet::systems {

namespace {
mesh::GhostPlan plan_between(const comm::Domain& domain, mesh::GhostReach reach,
                             const std::function<Index3(const mesh::Block& part)>& ghosts) {
  std::vector<Index3> widths;
  for (const mesh::Block& part : domain.mesh.blocks()) widths.push_back(ghosts(part));
  return mesh::plan_ghosts(domain.mesh, widths, reach);
}
}  // namespace

void OnePartSystem::set_clock(const exec::Clock& clock) {
  exec::write_clock(this->clock(), clock, queue_);
}

memory::State& OnePartSystem::state() {
  if (sweep_) sweep_->flush();
  return state_;
}

void OnePartSystem::configure_run(config::Input& input) {
  precision_ =
      input.text("numerics.precision") == "single" ? Precision::single_ : Precision::double_;
  constants_ = input.constants();
  rule_.cfl = input.real("time.cfl");
  rule_.fixed = input.is_set("time.dt") ? input.real("time.dt") : 0.0;
}

double OnePartSystem::step_of(double signal) const {
  exec::Clock clock;
  clock.signal = signal;
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

void OnePartSystem::bind_placement(const Placement& placement) {
  queue_ = placement.queue;
  team_ = placement.team;
  domain_ = placement.domain;
  require(domain_->blocks() == 1, "a system of this kind computes one part a rank");
  clock_ = memory::Buffer(memory::working_space(queue_.backend), sizeof(exec::Clock));
  set_clock(exec::Clock{});
}

void OnePartSystem::allocate_registers(const Placement& placement,
                                       const std::vector<memory::BlockShape>& shapes, int variables,
                                       int registers, exec::UpdateForm form, mesh::GhostReach reach,
                                       int fixed) {
  if (!placement.stream) {
    state_ = memory::State(shapes, variables, registers, precision_, queue_);
    if (fixed > 0) fixed_ = memory::State(shapes, fixed, 1, precision_, queue_);
    return;
  }
  state_ = memory::State({{shapes.front().n, {0, 0, 0}}}, variables,
                         placement.stream->demand.by_stage ? 2 : 1, precision_, queue_,
                         memory::staging_space(queue_.backend));
  if (fixed > 0) {
    fixed_ = memory::State({{shapes.front().n, {0, 0, 0}}}, fixed, 1, precision_, queue_,
                           memory::staging_space(queue_.backend));
  }
  std::array<bool, 3> periodic{};
  for (int a = 0; a < 3; ++a)
    periodic[static_cast<std::size_t>(a)] = !grid_.cells.links(0, {a, mesh::Side::lower}).empty();
  sweep_ = std::make_unique<stream::Sweep>(*placement.stream, state_, shapes.front(), *domain_,
                                           periodic, *team_, reach, form, stages(), registers,
                                           queue_, fixed > 0 ? &fixed_ : nullptr);
  const std::size_t clocks = static_cast<std::size_t>(sweep_->plan().fused_steps) + 1;
  step_clocks_ =
      memory::Buffer(memory::working_space(queue_.backend), clocks * sizeof(exec::Clock));
  const double steps[2] = {1, 0};
  unit_step_ = memory::Buffer(memory::working_space(queue_.backend), sizeof steps);
  copy_bytes(unit_step_.start(), steps, sizeof steps, queue_);
  synchronize(queue_);
}

void OnePartSystem::with_unit_step(exec::Clock* clock, const std::function<void()>& work) {
  double* const steps = unit_step_.as<double>();
  copy_bytes(steps + 1, &clock->dt, sizeof clock->dt, queue_);
  copy_bytes(&clock->dt, steps, sizeof clock->dt, queue_);
  work();
  copy_bytes(&clock->dt, steps + 1, sizeof clock->dt, queue_);
}

void OnePartSystem::compute(const stream::Planes&, int) {
  require(false, "a system that cannot be streamed");
}

stream::Demand OnePartSystem::demand_of(const memory::BlockShape& shape, int variables,
                                        int registers, std::optional<int> across) const {
  const std::size_t axis = static_cast<std::size_t>(across.value_or(shape.n[2] > 1 ? 2 : 1));
  memory::BlockShape plane = shape;
  plane.n[axis] = 1;
  plane.ghosts[axis] = 0;
  stream::Demand demand;
  demand.axis = static_cast<int>(axis);
  demand.planes = shape.n[axis];
  demand.periodic = !grid_.cells.links(0, {static_cast<int>(axis), mesh::Side::lower}).empty();
  demand.stages = stages();
  demand.reach = grid_.cutting.halo;
  demand.registers = registers;
  demand.plane_bytes = memory::State::bytes_needed({plane}, variables, 1, precision_);
  demand.field_bytes = memory::State::bytes_needed({plane}, 1, 1, precision_);
  demand.host_bytes = memory::State::bytes_needed({{shape.n, {0, 0, 0}}}, variables, 1, precision_);
  return demand;
}

void OnePartSystem::enter(const stream::Planes& planes) {
  set_place(planes.first, planes.step);
  set_fixed(planes.fixed, &planes.layout);
}

void OnePartSystem::leave_planes() {
  set_place({0, 0, 0});
  set_fixed(nullptr, nullptr);
}

void OnePartSystem::over_cells(const exec::Launch& whole,
                               const std::function<void(const exec::Launch&)>& work,
                               const ValuesOf& extra) {
  if (!sweep_) {
    exec::Launch l = whole;
    if (extra) {
      memory::store_rounded(state_, 1, 0, extra(l.box), queue_, l.box);
      l.registers.extra = state_.start(1);
      l.registers.extra_layout = &state_.layout(0);
    }
    return work(l);
  }
  const stream::Step now{clock(), exec::read_clock(clock(), queue_)};
  sweep_->each_slab(now, *this, [&](stream::Planes& planes) {
    enter(planes);
    if (extra) {
      const Index3 n{planes.layout.n[0], planes.layout.n[1], planes.layout.n[2]};
      Box box{planes.first, planes.first};
      for (std::size_t a = 0; a < 3; ++a) box.upper[a] += n[a];
      sweep_->add_extra(planes, extra(box));
    }
    exec::Launch l = planes.launch();
    l.update = whole.update;
    l.clock = whole.clock;
    work(l);
  });
  leave_planes();
}

double OnePartSystem::largest_over_cells(
    const exec::Launch& whole, const std::function<double(const exec::Launch&)>& measure) {
  double largest = -1e300;
  over_cells(whole, [&](const exec::Launch& l) {
    const double found = measure(l);
    if (!(found <= largest)) largest = found;  // NaN stays
  });
  return largest;
}

// A step that the clock on the device allows, as where the solution is resident.
std::vector<exec::Clock> OnePartSystem::visit_one(double t_limit) {
  begin_step(t_limit, true);
  const exec::Clock begun = exec::read_clock(clock(), queue_);
  if (!begun.active) return {};
  const std::array<stream::Step, 1> step{stream::Step{clock(), begun}};
  sweep_->advance(step, step_clocks_.as<exec::Clock>(), *this);
  leave_planes();
  if (sweep_->plan().demand.host_updates) end_host_updates();
  return {begun};
}

void OnePartSystem::begin_step_of_visit(int, const exec::StepRule& rule, double t_limit,
                                        exec::Clock& clock, exec::Clock* there) {
  exec::begin_step(clock, rule, t_limit, true);
  exec::write_clock(there, clock, queue_);
}

// Steps after the first begin before the signal of the one before is known: they take that of the beginning, enlarged by what it grew by in
// the visit before, twice, and at least by 2 %.
std::vector<exec::Clock> OnePartSystem::visit(double t_limit, int steps) {
  if (steps <= 1) return visit_one(t_limit);
  team_->combine(clock(), queue_);
  std::vector<exec::Clock> begun;
  std::vector<stream::Step> each;
  exec::Clock* const spare = step_clocks_.as<exec::Clock>();
  exec::Clock next = exec::read_clock(clock(), queue_);
  exec::StepRule rule = rule_;
  rule.cfl /= 1.0 + std::max(0.02, 2.0 * (signal_growth_ - 1.0));
  for (int s = 0; s < steps; ++s) {
    const double signal =
        s == 0 && next.pending ? exec::bits_to_double(next.signal_bits) : next.signal;
    begin_step_of_visit(s, rule, t_limit, next, spare + s + 1);
    if (!next.active) break;
    begun.push_back(next);
    each.push_back({spare + s + 1, next});
    next.signal_bits = exec::double_to_bits(signal);
  }
  if (begun.empty()) {
    exec::write_clock(clock(), next, queue_);
    return {};
  }
  sweep_->advance(each, spare, *this);
  leave_planes();
  exec::Clock last;
  std::int64_t events = begun.front().events;
  double largest = 0;  // of all ranks, as the units of work
  std::vector<std::int64_t> work_units;
  std::vector<double> work_unit;
  for (std::size_t s = 0; s < begun.size(); ++s) {
    last = exec::read_clock(each[s].clock, queue_);
    work_units.push_back(last.work_units);
    work_unit.push_back(last.work_unit);
    events += last.events - begun[s].events;
    const double found = exec::bits_to_double(last.signal_bits);
    if (!(found <= largest)) largest = found;
  }
  team_->communicator().all_reduce_max(std::span<double>(&largest, 1));
  team_->communicator().all_reduce_sum(work_units);
  for (std::size_t s = 1; s < begun.size(); ++s) {
    begun[s].work = begun[s - 1].work + static_cast<double>(work_units[s - 1]) * work_unit[s - 1];
  }
  if (begun.front().signal > 0) signal_growth_ = std::max(1.0, largest / begun.front().signal);
  last.events = events;
  last.work = begun.back().work;
  exec::write_clock(clock(), last, queue_);
  return begun;
}

comm::Exchange OnePartSystem::exchange_between_parts(
    const memory::State& state, mesh::GhostReach reach,
    const std::function<Index3(const mesh::Block& part)>& ghosts) const {
  return comm::Exchange(*domain_, plan_between(*domain_, reach, ghosts), state, *team_, queue_);
}

comm::ExchangeSize OnePartSystem::exchange_size(
    const comm::Domain& domain, int variables, mesh::GhostReach reach,
    const std::function<Index3(const mesh::Block& part)>& ghosts, comm::Overlap overlap) const {
  return comm::size_of_exchange(domain, plan_between(domain, reach, ghosts),
                                static_cast<std::size_t>(variables) * size_of(precision_), overlap);
}

void OnePartSystem::set_signal(double of_part) {
  double largest = of_part;
  team_->communicator().all_reduce_max(std::span<double>(&largest, 1));
  exec::write_signal(clock(), largest, queue_);
}

void OnePartSystem::evaluate_boxes(
    std::span<const Box> boxes, int components, void* packed,
    const std::function<void(const Box& box, void* packed)>& evaluate) const {
  char* to = static_cast<char*>(packed);
  for (const Box& box : boxes) {
    evaluate(box, to);
    to += static_cast<std::size_t>(box.count() * components) * size_of(precision_);
  }
}

void OnePartSystem::evaluate_boxes(exec::CommonLaunches& loops, exec::Launch launch,
                                   std::size_t quantity, int components, std::span<const Box> boxes,
                                   void* packed) {
  if (!sweep_) {
    evaluate_boxes(boxes, components, packed, [&](const Box& box, void* to) {
      launch.box = box;
      loops.evaluate(launch, static_cast<int>(quantity), components, to);
    });
    return;
  }
  const stream::Step now{clock(), exec::read_clock(clock(), queue_)};
  const std::size_t axis = static_cast<std::size_t>(sweep_->axis());
  sweep_->each_slab(now, *this, [&](const stream::Planes& planes) {
    enter(planes);
    exec::Launch l = planes.launch();
    const std::int64_t first = planes.first[axis], end = first + planes.layout.n[axis];
    evaluate_boxes(boxes, components, packed, [&](const Box& box, void* to) {
      Box here = box;
      here.lower[axis] = std::max(box.lower[axis], first);
      here.upper[axis] = std::min(box.upper[axis], end);
      if (here.empty()) return;
      // Cells that lie side by side in the packed array: level by level where planes lie across y.
      const std::int64_t levels = axis == 2 ? here.size(2) : 1;
      for (std::int64_t k = here.lower[2]; k < here.upper[2]; k += levels) {
        const std::int64_t before = (k - box.lower[2]) * box.size(1) * box.size(0) +
                                    (here.lower[1] - box.lower[1]) * box.size(0);
        l.box = here;
        l.box.lower[2] = k;
        l.box.upper[2] = k + levels;
        l.box.lower[axis] -= first;
        l.box.upper[axis] -= first;
        loops.evaluate(l, static_cast<int>(quantity), components,
                       static_cast<char*>(to) +
                           static_cast<std::size_t>(before * components) * size_of(precision_));
      }
    });
  });
  leave_planes();
}

std::size_t OnePartSystem::place_of(const std::string& quantity,
                                    const std::vector<QuantityInfo>& all) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const QuantityInfo& one) { return one.name == quantity; });
  require(found != all.end(), "evaluate: no such quantity");
  return static_cast<std::size_t>(found - all.begin());
}

void OnePartSystem::time_exchange(KernelTimer& timer, comm::Exchange& exchange,
                                  memory::State& state, const std::string& of) const {
  if (team_->size() == 1 && !exchange.copies()) return;
  const double values = 2.0 * state.variables() * static_cast<double>(exchange.cells_filled());
  timer.time({.name = (team_->size() > 1 ? "ghost exchange" : "ghost copies") + of,
              .bytes = values * static_cast<double>(size_of(precision_)),
              .launches = static_cast<double>(stages())},
             [&] { exchange.fill_for_computing(state.start(0), queue_); });
}

void OnePartSystem::time_begin_step(
    KernelTimer& timer, const RunningClock& running,
    const std::function<void(const exec::StepRule& rule)>& begin_step) {
  const exec::StepRule rule = running.fixed(rule_);
  timer.time({.name = "begin step"}, [&] { begin_step(rule); });
  if (team_->size() > 1) {
    timer.time({.name = "signal of all ranks"}, [&] { team_->combine(clock(), queue_); });
  }
  synchronize(queue_);
}

}  // namespace watersmeet::systems
