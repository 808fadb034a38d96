#include "run/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "config/fault.hpp"
#include "core/copy_bandwidth.hpp"
#include "core/error.hpp"
#include "core/host_seconds.hpp"
#include "exec/clock_access.hpp"
#include "run/failure.hpp"
#include "run/fastest_schedule.hpp"
#include "run/memory_plan.hpp"
#include "run/other_grid.hpp"
#include "run/solution_copy.hpp"
#include "run/sound_series.hpp"

namespace watersmeet::run {

namespace {
Placement alone(const Case& loaded) {
  const std::unique_ptr<comm::Communicator> self = comm::make_self();
  return place_case(loaded, *self);
}

// Along how many axes waves can run.
int axes_of_flow(const systems::System& system) {
  const mesh::GridDescription& grid = system.grid();
  if (grid.blocks) return 3;
  if (grid.levels > 0) return grid.levels > 1 ? 3 : 2;
  const Index3& n = grid.n();
  return int(n[0] > 1) + int(n[1] > 1) + int(n[2] > 1);
}
}  // namespace

Engine::Engine(Case loaded, std::optional<Placement> placement)
    : case_(std::move(loaded)), placement_(placement ? std::move(*placement) : alone(case_)) {
  comm::Communicator& ranks = *placement_.ranks;
  ranks.set_patience(case_.input.duration("device.peer_timeout"));
  verify_every_ = case_.input.integer("device.verify_every");
  seconds_of_set_up_ = host_seconds_of([this] { set_up(); });
}

void Engine::set_up() {
  comm::Communicator& ranks = *placement_.ranks;
  const DeviceChoice& device = placement_.device;
  systems::System& system = *case_.system;
  comm::agree(ranks, [&] {
    stream_ = plan_memory(system, placement_, case_.input);
    if (stream_) placement_.remarks.push_back("The solution is " + memory_text(*stream_) + ".");
    if (!stream_) {
      for (const std::string& key : unused_stream_keys(case_.input))
        placement_.remarks.push_back(
            fmt::format("{} ({}) is {}", key, case_.input.origin(key), stream_key_unused));
    }
    if (records_.bytes() > 0) return;  // these are of the ranks, whatever their parts
    if (device.backend == Backend::cuda) {
      select_cuda_device(device.index);
      queue_ = make_cuda_queue();
    }
    queue_.threads = device.threads;
    records_ = memory::Buffer(memory::staging_space(queue_.backend), 3 * sizeof(exec::Clock));
    recorded_[0] = Event(queue_);
    recorded_[1] = Event(queue_);
  });
  const SettledSchedule schedule = settled_schedule(case_, placement_);
  if (!schedule.remark.empty()) placement_.remarks.push_back(schedule.remark);
  team_ = make_team(placement_, case_.input, queue_);
  comm::agree(ranks, [&] {
    domain_ =
        std::make_unique<comm::Domain>(system.grid().cells, placement_.shares.parts, ranks.rank());
    whole_points_ = system.grid().cells.block(0).interior().count();
    system_points_ = domain_->block(0).interior().count();
    system.allocate({queue_, team_.get(), domain_.get(), schedule.name, stream_});
    system.initialise(case_.input);
  });
  if (case_.start) {
    case_.start->fill(system, *domain_, queue_, ranks);
    placement_.remarks.push_back(case_.start->text());
    case_.start.reset();
  }
  system.state_changed();
  enqueue(1e300, false, false);
  clock_ = settled(0);
  first_signal_ = clock_.signal;
}

Engine::~Engine() {
  if (queue_.backend != Backend::cuda) return;
  try {
    synchronize(queue_);
  } catch (const Error&) {
  }
  team_.reset();
  destroy_queue(queue_);
}

std::vector<double> Engine::copy_bandwidths(std::size_t bytes) const {
  const double mine = queue_.backend == Backend::cpu
                          ? measure_host_copy_bandwidth(queue_.threads, bytes)
                          : measure_copy_bandwidth(queue_);
  std::vector<double> all(static_cast<std::size_t>(team_->size()));
  team_->communicator().all_gather(&mine, sizeof mine, all.data());
  return all;
}

// Queues the beginning of a step (and its stages), and the copy of the clock that the host will
// look at later. `step`: of the state that the step begins from, for the sampler. Quantities are
// evaluated of a state whose clock is closed, as they are between two calls of advance().
void Engine::enqueue(double t_limit, bool allowed, bool with_stages, std::int64_t step) {
  const std::size_t slot = with_stages ? static_cast<std::size_t>(steps_done_ & 1) : 0;
  StateSampler* const sampler = with_stages ? sampler_ : nullptr;
  if (sampler != nullptr && sampler->wants(step)) {
    case_.system->begin_step(t_limit, false);
    sampler->take();
  }
  case_.system->begin_step(t_limit, allowed);
  exec::copy_clock(records_.as<exec::Clock>() + slot, case_.system->clock(), queue_);
  recorded_[slot].record(queue_);
  if (sampler != nullptr) sampler->step_begun(step, case_.system->clock());
  if (with_stages) case_.system->run_stages();
}

const exec::Clock& Engine::settled(std::size_t slot) {
  team_->wait(recorded_[slot]);
  return records_.as<exec::Clock>()[slot];
}

// Known to all ranks when the next step begins.
void Engine::request_stop(std::uint64_t request) {
  auto* const word = &records_.as<exec::Clock>()[2].stop_bits;
  *word = request;
  copy_bytes(&case_.system->clock()->stop_bits, word, sizeof *word, queue_);
}

AdvanceEnd Engine::carry_out(double t_limit, std::int64_t step_limit, const Watch& watch) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first_step = clock_.step;
  bool go_on = true, interrupted = false;
  std::uint64_t requested = 0;
  const auto look = [&](const exec::Clock& seen) {
    const std::uint64_t request = watch ? watch(seen) : 0;
    if (request > requested) {
      requested = request;
      request_stop(request);
    }
    if (seen.stop != 0) {
      go_on = false;
      interrupted = true;
    }
  };
  std::int64_t queued =
      0;  // steps queued in this call; those before the last one have been looked at
  double last_dt = clock_.dt;
  if (const std::int64_t fused = case_.system->fused_steps(); fused > 0) {
    bool allowed = true;
    while (allowed && go_on && first_step + queued < step_limit) {
      const std::int64_t step = first_step + queued;
      std::int64_t wanted = std::min(fused, step_limit - step);
      if (sampler_ != nullptr) {
        if (sampler_->wants(step)) {
          case_.system->begin_step(t_limit, false);
          sampler_->take();
        }
        for (std::int64_t ahead = wanted - 1; ahead > 0; --ahead) {
          if (sampler_->wants(step + ahead)) wanted = ahead;
        }
      }
      const std::vector<exec::Clock> begun = case_.system->visit(t_limit, static_cast<int>(wanted));
      allowed = static_cast<std::int64_t>(begun.size()) == wanted;
      for (std::size_t s = 0; s < begun.size() && sampler_ != nullptr; ++s)
        sampler_->step_begun(step + static_cast<std::int64_t>(s), &begun[s]);
      for (const exec::Clock& seen : begun) {
        last_dt = seen.dt;
        look(seen);
      }
      queued += static_cast<std::int64_t>(begun.size());
      steps_done_ += static_cast<std::int64_t>(begun.size());
    }
    return end_advance(t_limit, step_limit, queued > 0 ? last_dt : clock_.dt, interrupted, begin);
  }
  while (go_on && first_step + queued < step_limit) {
    enqueue(t_limit, true, true, first_step + queued);
    ++steps_done_;
    ++queued;
    if (queued >= 2) {
      // The step before the one just queued.
      const exec::Clock& seen = settled(static_cast<std::size_t>(steps_done_ & 1));
      if (!seen.active) break;
      last_dt = seen.dt;
      look(seen);
    }
  }
  // Look at what was queued last, take back steps that the clock did not allow, and close the last
  // one that it did.
  std::int64_t active = queued;
  for (std::int64_t back = std::min<std::int64_t>(2, queued); back >= 1; --back) {
    const exec::Clock& seen = settled(static_cast<std::size_t>((steps_done_ - back) & 1));
    if (!seen.active) {
      active = queued - back;
      break;
    }
    last_dt = seen.dt;
    if (back == 1) look(seen);
  }
  for (std::int64_t i = active; i < queued; ++i) case_.system->undo_stages();
  steps_done_ -= queued - active;
  return end_advance(t_limit, step_limit, active > 0 ? last_dt : clock_.dt, interrupted, begin);
}

// Closes the last step and says how an advance ended.
AdvanceEnd Engine::end_advance(double t_limit, std::int64_t step_limit, double last_dt,
                               bool interrupted, std::chrono::steady_clock::time_point begin) {
  enqueue(t_limit, false, false);
  clock_ = settled(0);
  if (clock_.stop != 0) request_stop(0);  // taken note of
  clock_.dt = last_dt;
  seconds_stepping_ += seconds_since(begin);
  if (clock_.status == exec::ClockStatus::not_finite)
    report_failure("not a number in the signal of the time step");
  if (clock_.status == exec::ClockStatus::step_too_small) {
    throw comm::AgreedError(
        ErrorKind::diverged,
        fmt::format("the time step no longer advances the time at step {}, t = {:.9g}: the "
                    "largest signal is {:.3e}",
                    clock_.step, clock_.t, clock_.signal));
  }
  if (clock_.status == exec::ClockStatus::converged) return AdvanceEnd::converged;
  if (clock_.status == exec::ClockStatus::limit_reached) return AdvanceEnd::time_reached;
  return interrupted && clock_.step < step_limit ? AdvanceEnd::interrupted
                                                 : AdvanceEnd::steps_reached;
}

std::vector<double> Engine::series() {
  std::vector<double> row = case_.system->series();
  if (!measured_) {
    for (const auto& [name, number] : case_.system->checkpoint_scalars()) {
      if (!std::isfinite(number))
        report_failure(fmt::format("{} of the whole grid is {}", name, config::shown(number)));
    }
  }
  measured_ = true;
  const bool numbers =
      std::all_of(row.begin(), row.end(), [](double value) { return std::isfinite(value); });
  const std::string wrong = wrong_in_series(case_.system->series_columns(), row);
  if (!wrong.empty()) {
    report_failure(numbers ? "values beyond the range of the equations"
                           : "not a number in the sums of the whole grid",
                   wrong);
  }
  const bool given = case_.input.is_set("time.dt") && clock_.step > 0;
  const std::string unstable =
      given ? wrong_in_step(clock_.dt * clock_.signal, clock_.dt * first_signal_,
                            case_.system->stable_cfl(), axes_of_flow(*case_.system),
                            varies_in_space(case_.system->series_columns(), row))
            : "";
  if (!unstable.empty()) report_failure("the time step is too long", unstable);
  return row;
}

// Names the first cell that the system cannot continue with, else what was found.
void Engine::report_failure(const std::string& found, const std::string& details) {
  systems::System& system = *case_.system;
  const StatePart part{system.state(), system.current_register(), system.variables(),
                       domain_->box(0), system.grid()};
  const std::string otherwise = fmt::format("{} at step {}, t = {:.9g}{}{}", found, clock_.step,
                                            clock_.t, details.empty() ? "" : ": ", details);
  throw comm::AgreedError(ErrorKind::diverged, describe_failure(
                                                   part, clock_.step, clock_.t,
                                                   [&](std::span<const double> values) {
                                                     return system.inadmissible(values);
                                                   },
                                                   otherwise, team_->communicator(), queue_));
}

io::Share Engine::share(comm::Communicator* team) const {
  io::Share share = placement_.share(case_.system->grid().n());
  share.team = share.team ? team : nullptr;
  return share;
}

double seconds_of_steps(Engine& engine, std::int64_t steps) {
  comm::Communicator& ranks = engine.team().communicator();
  ranks.barrier();
  const auto begin = std::chrono::steady_clock::now();
  engine.advance(1e300, engine.clock().step + steps);
  double seconds = seconds_since(begin);
  ranks.all_reduce_max(std::span<double>(&seconds, 1));
  return seconds;
}

}  // namespace watersmeet::run
