// Set-up of the state and the step of the atmosphere.
#include "systems/atmosphere/system.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "exec/stage_registers.hpp"
#include "systems/atmosphere/axes.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::atmosphere {

std::unique_ptr<systems::System> make_system() { return std::make_unique<AtmosphereSystem>(); }

void AtmosphereSystem::allocate(const systems::Placement& placement) {
  settle_in(placement);
  const mesh::Block& block = domain_->block(0);
  const Box part = domain_->box(0);
  state_ = memory::State(shapes(block.n), n_variables, registers(), precision_, queue_);
  exchange_ = make_exchange();
  if (split()) {
    elimination_ = memory::State(shapes(block.n), elimination_values, 1, precision_, queue_);
  }
  if (diffuses()) {
    diffusing_ = memory::State(shapes(block.n), diffusing_values, 1, precision_, queue_);
  }
  if (globe_) {
    globe_->allocate(*domain_, *team_, precision_, queue_, placement.schedule);
    return;
  }
  choose_kernels(placement.schedule);
  tables_ = Tables(request_, part, precision_, queue_, flow_.medium);
  sides_ = boundaries_.call(part, cells_);
  sides_.edges = looks_across();
  if (part.lower[2] == 0) flow_.ground = 0;
  if (part.upper[2] == cells_[2]) flow_.lid = static_cast<int>(block.n[2]);
  synchronize(queue_);
}

// Whether the whole grid can go by tiles, not a part of it, so that ranks do the same work.
bool AtmosphereSystem::tileable() const {
  return (variant_ == Variant::flat || variant_ == Variant::terrain) &&
         std::all_of(cells_.begin(), cells_.end(), [](std::int64_t n) { return n > 1; });
}

void AtmosphereSystem::choose_kernels(const std::string& schedule) {
  if (queue_.backend == Backend::cpu) {
    kernels_ = cpu_kernels(precision_, variant_, choices_of(flow_));
    return;
  }
  const bool tile = tileable() && schedule != "sweeps";
  if (looks_across() && !tile) {
    throw Error(ErrorKind::unsupported,
                "numerics.reconstruction.transverse: on a GPU it needs more than one cell along "
                "every axis, no viscosity, and device.schedule = \"auto\" or \"tile\"");
  }
  kernels_ = cuda_kernels(precision_, variant_, tile ? Schedule::tile : Schedule::sweeps,
                          choices_of(flow_));
  if (!strategy_) strategy_ = systems::strategy_named(schedule);
  if (strategy_) use_axes(kernels_, choices_of(flow_), *strategy_);
}

// Between the parts of a box, or of panels; those need nothing of the panels above and below.
comm::Exchange AtmosphereSystem::make_exchange() {
  return exchange_between_parts(state_, reach(), [&](const mesh::Block& part) {
    Index3 width = part.ghosts(ghosts);
    if (globe_) width[2] = 0;
    return width;
  });
}

StageCall AtmosphereSystem::call(int in, int out) const {
  StageCall c;
  c.layout = &state_.layout(0);
  c.in = state_.start(in);
  c.out = state_.start(out);
  c.increment = state_.start(2);
  c.box = domain_->block(0).interior();
  c.flow = &flow_;
  c.tables = tables_.addresses();
  c.clock = clock_.as<exec::Clock>();
  c.queue = queue_;
  return c;
}

GlobeCall AtmosphereSystem::globe_call(int in, int out) const {
  return globe_->call(state_, in, out, domain_->block(0).interior(), clock_.as<exec::Clock>());
}

// Of the solution between two steps.
void AtmosphereSystem::fill_ghosts() {
  if (state_.valid_ghosts(0) >= ghosts) return;
  exchange_.fill(state_, 0, queue_);
  kernels_.fill_boundaries(call(0, 0), sides_);
}

void AtmosphereSystem::state_changed() {
  state_.set_valid_ghosts(0, 0);
  exchange_.forget();
  set_signal(globe_ ? globe_->kernels().signal(globe_call(0, 1)) : kernels_.signal(call(0, 1)));
}

void AtmosphereSystem::begin_step(double t_limit, bool allowed) {
  team_->combine(clock_.as<exec::Clock>(), queue_);
  const auto begin = globe_ ? globe_->kernels().begin_step : kernels_.begin_step;
  begin(rule_, t_limit, allowed, clock_.as<exec::Clock>(), queue_);
}

// Of the register that a stage reads: ghosts between parts of a panel, then those beyond its sides.
// Of the latter one layer; what a stage makes of deeper ones falls to the records of the rims.
void AtmosphereSystem::couple_panels(const GlobeCall& call, int reg) {
  exchange_.fill(state_, reg, queue_);
  globe_->couple(call);
}

void AtmosphereSystem::run_globe_stages() {
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    GlobeCall c = globe_call(0, 1);
    c.update = scheme_.stages[s];
    couple_panels(c, 0);
    globe_->kernels().stage(c);
    state_.set_valid_ghosts(1, 0);
    exec::turn_registers(state_, scheme_.form, s);
  }
  damp_globe();
}

void AtmosphereSystem::damp_globe() {
  if (globe_ && globe_->has_sponge()) globe_->kernels().damp(globe_call(0, 0));
}

void AtmosphereSystem::run_stages() {
  if (split()) {
    run_split_stages();
    return;
  }
  if (globe_) {
    run_globe_stages();
    return;
  }
  for (std::size_t s = 0; s < scheme_.stages.size(); ++s) {
    StageCall c = call(0, 1);
    c.update = scheme_.stages[s];
    StageCall inner = c;  // without diffusion, whose pass finishes the step
    inner.update.last = c.update.last && !diffuses();
    if (looks_across()) {
      // Ghosts behind edges of the block come from those behind its sides.
      exchange_.fill(state_, 0, queue_);
      kernels_.fill_boundaries(call(0, 0), sides_);
      kernels_.stage(inner);
    } else {
      // Ghosts behind the sides with conditions come from cells alone and need not wait for
      // messages.
      kernels_.fill_boundaries(call(0, 0), sides_);
      exchange_.around(state_, 0, queue_,
                       [&](int, const Box& box, const Queue& queue) {
                         inner.box = box;
                         inner.queue = queue;
                         kernels_.stage(inner);
                       },
                       {diffuses() ? nullptr : &exchange_, &state_, 1});
    }
    if (diffuses()) kernels_.diffuse(c, {diffusing_.start(0)});
    state_.require_ghosts(0, ghosts);
    state_.set_valid_ghosts(1, 0);
#if defined(WATERSMEET_CHECKS)
    exchange_.poison(state_, 0, queue_);
#endif
    exec::turn_registers(state_, scheme_.form, s);
  }
}

void AtmosphereSystem::undo_stages() {
  if (split()) {
    state_.swap(0, 3);
    state_.set_valid_ghosts(0, 0);
    exchange_.forget();
    return;
  }
  exec::turn_registers_back(state_, scheme_.form, scheme_.stages.size());
  exchange_.forget();
}

exec::KernelReport AtmosphereSystem::kernel() const {
  if (globe_) {
    exec::KernelReport report = exec::emptiest(globe_->kernels().describe());
    const char* const kind = globe_->deep() ? "deep " : globe_->flat() ? "flat " : "terrain ";
    report.name = std::string(split() ? "split " : "") + kind +
                  (queue_.backend == Backend::cpu ? "cpu" : name_of(globe_->kernels().schedule));
    return report;
  }
  exec::KernelReport report = exec::emptiest(kernels_.describe());
  const char* const variant = over_terrain()                 ? "terrain"
                              : variant_ == Variant::viscous ? "viscous"
                                                             : "flat";
  report.name = std::string(split() ? "split " : "") + variant + " " +
                (queue_.backend == Backend::cpu ? "cpu"
                 : strategy_                    ? exec::name_of(*strategy_)
                                                : name_of(kernels_.schedule));
  return report;
}

}  // namespace watersmeet::atmosphere
