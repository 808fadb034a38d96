// How an engine goes on with other parts of the grid for its ranks: as from a checkpoint, with a new system.
#include <exception>
#include <utility>

#include "core/error.hpp"
#include "core/host_seconds.hpp"
#include "run/engine.hpp"
#include "run/memory_plan.hpp"
#include "run/solution_copy.hpp"
#include "systems/registry.hpp"

namespace watersmeet::run {

mesh::Shares Engine::shares_by_speed(std::vector<double> seconds_per_cell) const {
  for (double& seconds : seconds_per_cell) seconds /= case_.system->stages();
  return share_by_speed(case_, placement_, seconds_per_cell);
}

Engine::Division Engine::divide(mesh::Shares shares) {
  comm::Communicator& ranks = *placement_.ranks;
  Division division{std::move(shares), systems::make_system(case_.system->name())};
  comm::agree(ranks, [&] {
    division.system->configure(case_.input);
    case_.input.throw_if_faults();
  });
  std::swap(placement_.shares, division.shares);
  bool streamed = false;
  std::exception_ptr fault;
  try {
    comm::agree(ranks, [&] {
      streamed = plan_memory(*division.system, placement_, case_.input).has_value();
    });
  } catch (...) {
    fault = std::current_exception();
  }
  std::swap(placement_.shares, division.shares);
  if (fault) std::rethrow_exception(fault);
  if (streamed != stream_.has_value()) {
    throw comm::AgreedError(ErrorKind::resource, streamed ? "it would have to be streamed"
                                                          : "it would no longer be streamed");
  }
  return division;
}

void Engine::go_on(Division division, io::CheckpointReader& reader) {
  const double first_signal = first_signal_;
  synchronize(queue_);
  before_.reset();
  once_.reset();
  packed_ = memory::Buffer();
  case_.system = std::move(division.system);  // the old one is gone before the team that it used
  domain_.reset();
  team_.reset();
  placement_.shares = std::move(division.shares);
  seconds_of_set_up_ = host_seconds_of([this] { set_up(); });
  restore(reader);
  first_signal_ = first_signal;
}

}  // namespace watersmeet::run
