#include "systems/one_part_system.hpp"

#include <algorithm>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "exec/clock_access.hpp"

namespace watersmeet::systems {

void OnePartSystem::set_clock(const exec::Clock& clock) {
  exec::write_clock(this->clock(), clock, queue_);
}

void OnePartSystem::bind_placement(const Placement& placement) {
  queue_ = placement.queue;
  team_ = placement.team;
  domain_ = placement.domain;
  require(domain_->blocks() == 1, "a system of this kind computes one part a rank");
  clock_ = memory::Buffer(memory::working_space(queue_.backend), sizeof(exec::Clock));
  set_clock(exec::Clock{});
}

comm::Exchange OnePartSystem::exchange_between_parts(
    const memory::State& state, mesh::GhostReach reach,
    const std::function<Index3(const mesh::Block& part)>& ghosts) const {
  std::vector<Index3> widths;
  for (const mesh::Block& part : domain_->mesh.blocks()) widths.push_back(ghosts(part));
  return comm::Exchange(*domain_, mesh::plan_ghosts(domain_->mesh, widths, reach), state, *team_,
                        queue_);
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
                                   void* packed) const {
  evaluate_boxes(boxes, components, packed, [&](const Box& box, void* to) {
    launch.box = box;
    loops.evaluate(launch, static_cast<int>(quantity), components, to);
  });
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
  const double values = 2.0 * state.variables() * static_cast<double>(exchange.cells_filled());
  timer.time({.name = (team_->size() > 1 ? "ghost exchange" : "ghost copies") + of,
              .bytes = values * static_cast<double>(size_of(precision_)),
              .launches = static_cast<double>(stages())},
             [&] { exchange.fill(state, 0, queue_); });
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
