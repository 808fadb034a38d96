// Steps that are carried out twice from the same state, so that a fault of a memory or of a processor is noticed: both must give the same
// bits, on any device, as a run that is resumed from a checkpoint has those of a run without one.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "run/engine.hpp"
#include "run/solution_copy.hpp"

namespace watersmeet::run {

// The step whose number is a multiple of verify_every_ when it is done is the one that is carried out twice.
AdvanceEnd Engine::advance(double t_limit, std::int64_t step_limit, const Watch& watch) {
  if (verify_every_ == 0) return carry_out(t_limit, step_limit, watch);
  AdvanceEnd end = AdvanceEnd::steps_reached;
  do {
    const std::int64_t checked = (clock_.step / verify_every_ + 1) * verify_every_;
    end = clock_.step < step_limit && clock_.step + 1 == checked
              ? carry_out_twice(t_limit, watch)
              : carry_out(t_limit, std::min(step_limit, checked - 1), watch);
  } while (end == AdvanceEnd::steps_reached && clock_.step < step_limit);
  return end;
}

AdvanceEnd Engine::carry_out_twice(double t_limit, const Watch& watch) {
  const std::int64_t step = clock_.step + 1;
  const double first_signal = first_signal_;
  keep(before_);
  StateSampler* const sampler = std::exchange(sampler_, nullptr);  // sees the second one alone
  carry_out(t_limit, step, {});
  sampler_ = sampler;
  if (clock_.step < step) return carry_out(t_limit, step, watch);  // t_limit is reached: no step
  keep(once_);
  before_->put_back(*case_.system, queue_);
  restore_numbers(before_->reals, before_->step, true);
  first_signal_ = first_signal;
  --steps_done_;
  const AdvanceEnd end = carry_out(t_limit, step, watch);
  require_same(*once_);
  return end;
}

void Engine::keep(std::unique_ptr<SolutionCopy>& copy) {
  if (!copy) copy = std::make_unique<SolutionCopy>();
  copy->take_arrays(*case_.system, queue_);
  copy->reals = checkpoint_reals();
  copy->step = clock_.step;
}

// Error{device} on all ranks where the present state is not `once`, which is this rank's part.
void Engine::require_same(const SolutionCopy& once) {
  SolutionCopy::Differing found = once.compare(*case_.system, share(nullptr).mine.lower, queue_);
  const std::map<std::string, double> again = checkpoint_reals();
  for (const auto& [name, number] : once.reals) {
    if (exec::double_to_bits(number) == exec::double_to_bits(again.at(name))) continue;
    if (found.count++ == 0)
      found.first = fmt::format("{} is {:.17g} and {:.17g}", name, number, again.at(name));
  }
  comm::agree(team_->communicator(), [&] {
    if (found.count == 0) return;
    throw Error(
        ErrorKind::device,
        fmt::format(
            "step {} gave two results when it was carried out twice: {}{}.\n"
            "A memory or a processor of {} is faulty. Go on elsewhere, from a "
            "checkpoint before this step",
            clock_.step, found.first,
            found.count > 1 ? fmt::format(", and {} more values differ", found.count - 1) : "",
            placement_.device.description));
  });
}

}  // namespace watersmeet::run
