// Fields that passes over all cells make before each stage of a system of central differences. A pass reads neighbours of what the one before
// wrote, so that ghosts are exchanged between two passes, as between stages.
#include "exec/clock_access.hpp"
#include "systems/central_system.hpp"

namespace watersmeet::systems {

void CentralSystem::allocate_passes() {
  if (streamed()) {
    std::vector<mesh::GhostReach> readers;
    for (const PassPlan& plan : pass_plans_) readers.push_back(plan.reach);
    if (!readers.empty()) sweep_->add_passes(readers, shock_);
  } else {
    passes_.resize(pass_plans_.size());
  }
  if (shock_) {
    pass_clock_ = memory::Buffer(memory::working_space(queue_.backend), sizeof(exec::Clock));
    exec::Clock running;
    running.active = 1;
    exec::write_clock(pass_clock_.as<exec::Clock>(), running, queue_);
  }
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    passes_[p].field = memory::State(shapes(domain_->block(0).n), 1, 1, precision_, queue_);
    passes_[p].exchange =
        exchange_between_parts(passes_[p].field, pass_plans_[p].reach,
                               [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; });
  }
}

exec::Launch CentralSystem::launch(int in, int out) const {
  exec::Launch l = ExplicitSystem::launch(in, out);
  if (!passes_.empty()) {
    l.registers.extra = passes_.back().field.start(0);
    l.registers.extra_layout = &passes_.back().field.layout(0);
  }
  return l;
}

exec::Launch CentralSystem::launch_of_pass(std::size_t p, int in) const {
  exec::Launch l = ExplicitSystem::launch(in, in);
  const memory::State& of = p == 0 ? state_ : passes_[p - 1].field;
  l.registers = {.layout = &of.layout(0),
                 .in = of.start(p == 0 ? in : 0),
                 .out = const_cast<void*>(passes_[p].field.start(0)),
                 .extra_layout = &passes_[p].field.layout(0)};
  return l;
}

void CentralSystem::pass(const stream::Planes& planes, int p) {
  exec::Launch l = planes.launch();
  if (l.clock == nullptr) l.clock = pass_clock_.as<exec::Clock>();
  central_loops().pass(p, l);
}

void CentralSystem::compute_stage(exec::Launch& l, int in, int out) {
  comm::Exchange* exchange = &exchange_;
  memory::State* read = &state_;
  int reg = in;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    Pass& pass = passes_[p];
    exec::Launch d = launch_of_pass(p, in);
    exchange->around(*read, reg, queue_,
                     [&](int, const Box& box, const Queue& queue) {
                       d.box = box;
                       d.queue = queue;
                       central_loops().pass(static_cast<int>(p), d);
                     },
                     {&pass.exchange, &pass.field, 0});
    pass.field.set_valid_ghosts(0, 0);
    exchange = &pass.exchange;
    read = &pass.field;
    reg = 0;
  }
  exchange->around(*read, reg, queue_,
                   [&](int, const Box& box, const Queue& queue) {
                     l.box = box;
                     l.queue = queue;
                     launch_stage(l);
                   },
                   {&exchange_, &state_, out});
}

// Signal, series and fields between two steps read the shock viscosity of their cells.
void CentralSystem::fill_ghosts() {
  ExplicitSystem::fill_ghosts();
  if (!shock_) return;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    exec::Launch d = launch_of_pass(p, 0);
    d.clock = pass_clock_.as<exec::Clock>();
    central_loops().pass(static_cast<int>(p), d);
    passes_[p].field.set_valid_ghosts(0, 0);
    if (p + 1 < passes_.size()) passes_[p].exchange.fill(passes_[p].field, 0, queue_);
  }
}

comm::Traffic CentralSystem::traffic(const comm::Domain& domain, comm::Overlap overlap) const {
  comm::Traffic traffic = ExplicitSystem::traffic(domain, overlap);
  for (const PassPlan& plan : pass_plans_) {
    traffic.add(stages(),
                exchange_size(
                    domain, 1, plan.reach,
                    [&](const mesh::Block& part) { return shapes(part.n)[0].ghosts; }, overlap));
  }
  return traffic;
}

double CentralSystem::words_of_stage(std::size_t s) const {
  return ExplicitSystem::words_of_stage(s) + (pass_plans_.empty() ? 0 : 1);
}

double CentralSystem::bytes_per_point_step() const {
  double words = 0;
  for (const PassPlan& plan : pass_plans_) words += plan.words * stages();
  return ExplicitSystem::bytes_per_point_step() + words * static_cast<double>(size_of(precision_));
}

void CentralSystem::time_ghosts(KernelTimer& timer) {
  ExplicitSystem::time_ghosts(timer);
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const PassPlan& plan = pass_plans_[p];
    const exec::Launch d = launch_of_pass(p, 0);
    timer.time({.name = plan.of,
                .bytes = plan.words * cells_here() * static_cast<double>(size_of(precision_)),
                .launches = static_cast<double>(stages())},
               [&] { central_loops().pass(static_cast<int>(p), d); });
    time_exchange(timer, passes_[p].exchange, passes_[p].field, " of " + plan.of);
  }
}

}  // namespace watersmeet::systems
