// The stages of explicit systems, and the kernels of a step, each timed by itself. Only the clock is changed meanwhile, and put back: the
// stages read the solution and write registers that are dead between two steps.
#include "systems/staged_system.hpp"

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "exec/rate_update.hpp"
#include "exec/stage_registers.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::systems {

std::vector<memory::BlockShape> StagedSystem::shapes(const Index3& cells) const {
  memory::BlockShape shape{cells, {}};
  for (int a = 0; a < 3; ++a) {
    const std::size_t axis = static_cast<std::size_t>(a);
    shape.ghosts[axis] = a > 0 && cells[axis] == 1 ? 0 : grid_.cutting.halo_along(a);
  }
  return {shape};
}

double StagedSystem::words_of_stage(std::size_t s) const {
  return scheme_.words_of_stage(s) * static_cast<double>(variables().size());
}

double StagedSystem::bytes_per_point_step() const {
  double words = 0;
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s)
    words += words_of_stage(s) + sources_.words(scheme_.stages[s]);
  return words * static_cast<double>(size_of(precision_));
}

comm::Traffic StagedSystem::traffic(const comm::Domain& domain, comm::Overlap overlap) const {
  const int n = static_cast<int>(variables().size());
  comm::ExchangeSize each = exchange_size(
      domain, n, reach(), [&](const mesh::Block& part) { return sent_layers(part); }, overlap);
  each.stored =
      each.axis > 0 && !each.halves && may_store_ghosts(each.axis) && !adds_after_stages();
  for (const mesh::Block& part : domain.mesh.blocks()) {
    if (!each.stored) break;
    each.stored =
        memory::is_shareable(memory::State::bytes_needed(shapes(part.n), n, 1, precision_));
  }
  comm::Traffic traffic;
  traffic.add(stages(), each);
  return traffic;
}

exec::Launch StagedSystem::launch(int in, int out) const {
  exec::Launch l;
  l.periods = joined_axes();
  l.registers.layout = &state_.layout(0);
  l.registers.in = state_.start(in);
  if (!streamed()) {
    l.registers.out = state_.start(out);
    l.far = exchange_.far_registers(l.registers.out);
    if (state_.registers() > 2) l.registers.increment = state_.start(2);
    if (fixed_.registers() > 0) {
      l.registers.extra = fixed_.start(0);
      l.registers.extra_layout = &fixed_.layout(0);
    }
  }
  l.box = domain_->block(0).interior();
  l.clock = clock_.as<exec::Clock>();
  l.queue = queue_;
  return l;
}

void StagedSystem::compute(const stream::Planes& planes, int s) {
  on_planes(planes, s, [&](const exec::Launch& l) {
    if (planes.rates) {
      compute_rates(l);
    } else {
      compute_cells(l);
    }
  });
}

// The first increment of a step of length 1 is the rate, to the last bit, and the rates of sources are added to that. `out` has no use.
void StagedSystem::compute_rates(exec::Launch l) {
  l.update = {.form = exec::UpdateForm::stored};
  with_unit_step(l.clock, [&] { loops().stage(l); });
  l.update.form = exec::UpdateForm::history;
  add_sources(l);
}

// What is kept beside the solution: the increment, the beginning of the step, or the solution before.
void StagedSystem::update(const exec::Launch& planes, int s) {
  exec::Launch l = planes;
  l.update = scheme_.stages[static_cast<std::size_t>(s)];
  if (scheme_.form == exec::UpdateForm::base) l.update.write_increment = s == 0;
  if (scheme_.form == exec::UpdateForm::two) l.update.write_increment = !l.update.last;
  update_cells(l);
}

void StagedSystem::update_cells(const exec::Launch& l) const {
  exec::update_from_rates(l, state_.variables(), precision_);
}

void StagedSystem::end_host_updates() {
  if (!sweep_->plan().demand.signal_pass) return;
  const double largest =
      largest_over_cells(launch(0, 1), [&](const exec::Launch& l) { return loops().signal(l); });
  exec::raise_signal(clock(), exec::double_to_bits(largest), queue_);
}

void StagedSystem::on_planes(const stream::Planes& planes, int s,
                             const std::function<void(const exec::Launch&)>& work) {
  enter(planes);
  exec::Launch l = planes.launch();
  l.periods = joined_axes();
  l.update = scheme_.stages[static_cast<std::size_t>(s)];
  first_of_launch_ = planes.first;
  fraction_of_stage_ = scheme_.times[static_cast<std::size_t>(s)];
  work(l);
  first_of_launch_ = {0, 0, 0};
}

void StagedSystem::allocate_sources() {
  sources_.allocate(
      precision_, [&](const std::string& name) { return source_place(name); }, queue_);
}

UserSources::Place StagedSystem::source_place(const std::string& name) const {
  GridCoordinates all = coordinates_of(domain_->mesh, domain_->here[0]);
  std::vector<double>* const axes[3] = {&all.x, &all.y, &all.z};
  for (std::size_t a = 0; grid_.is_box() && a < 3; ++a) {
    if (grid_.faces[a].empty()) continue;
    const double* face = grid_.faces[a].data() + domain_->box(0).lower[a];
    for (double& x : *axes[a]) {
      x = 0.5 * (face[0] + face[1]);
      ++face;
    }
  }
  if (name == "x") return {all.x, {1, 0, 0}};
  if (name == "y") return {all.y, {0, 1, 0}};
  require(name == "z", "a coordinate of a box");
  return {all.z, {0, 0, 1}};
}

void StagedSystem::fill_ghosts() {
  if (!streamed() && state_.valid_ghosts(0) < grid_.cutting.halo) exchange_.fill(state_, 0, queue_);
}

void StagedSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  // No stage has stored the ghosts that the first one reads.
  if (exchange_.stages_store_ghosts()) exchange_.fill(state_, 0, queue_);
  prepare_signal();
  set_signal(
      largest_over_cells(launch(0, 1), [&](const exec::Launch& l) { return loops().signal(l); }));
}

void StagedSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock(), queue_);
  loops().begin_step(rule_, t_limit, allowed, clock(), queue_);
}

void StagedSystem::compute_around_exchange(exec::Launch& l, int in, int out, bool early) {
  exchange_.around(state_, in, queue_,
                   [&](int, const Box& box, const Queue& queue) {
                     l.box = box;
                     l.queue = queue;
                     launch_stage(l);
                   },
                   {early ? &exchange_ : nullptr, &state_, out});
}

void StagedSystem::compute_stage(exec::Launch& l, int in, int out) {
  compute_around_exchange(l, in, out);
}

void StagedSystem::run_stage(int in, int out, std::size_t s) {
  exec::Launch l = launch(in, out);
  l.update = scheme_.stages[s];
  fraction_of_stage_ = scheme_.times[s];
  prepare_stage(s);
  compute_stage(l, in, out);
  // The ghosts of panels are not those of the exchange alone.
  if (grid_.is_box() && exchange_.copies()) state_.require_ghosts(in, grid_.cutting.halo);
  finish_stage(s);
  state_.set_valid_ghosts(out, 0);
#if defined(WATERSMEET_CHECKS)
  if (grid_.is_box()) exchange_.poison(state_, in, queue_);
#endif
}

void StagedSystem::run_stages() {
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    run_stage(0, 1, s);
    exec::turn_registers(state_, scheme_.form, s);
  }
}

void StagedSystem::undo_stages() {
  exec::turn_registers_back(state_, scheme_.form, scheme_.stages.size());
  exchange_.forget();
}

std::vector<exec::KernelTime> StagedSystem::time_kernels(int repeats) {
  fill_ghosts();
  synchronize(queue_);
  const RunningClock running(clock(), queue_);
  KernelTimer timer(queue_, team_->communicator(), repeats);
  time_ghosts(timer);
  time_stages(timer);
  time_sources(timer);
  time_begin_step(timer, running, [&](const exec::StepRule& rule) {
    loops().begin_step(rule, 1e300, true, clock(), queue_);
  });
  return timer.kernels();
}

void StagedSystem::time_stages(KernelTimer& timer) {
  const double word = static_cast<double>(size_of(precision_));
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    timer.time({.name = "stage " + std::to_string(s + 1),
                .bytes = words_of_stage(s) * cells_here() * word},
               [&] { loops().stage(l); });
  }
}

void StagedSystem::time_sources(KernelTimer& timer) {
  const double word = static_cast<double>(size_of(precision_));
  for (std::size_t s = 0; sources_.any() && s < scheme_.stages.size(); ++s) {
    exec::Launch l = launch(0, 1);
    l.update = scheme_.stages[s];
    timer.time({.name = "sources, stage " + std::to_string(s + 1),
                .bytes = sources_.words(l.update) * cells_here() * word},
               [&] {
                 if (exec::can_add_early(l.update)) {
                   sources_.add_early(l, first_of_launch_, fraction_of_stage_);
                 } else {
                   add_sources(l);
                 }
               });
  }
}

}  // namespace watersmeet::systems
