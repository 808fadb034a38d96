#include "run/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/copy_bandwidth.hpp"
#include "core/error.hpp"
#include "core/host_seconds.hpp"
#include "memory/rounded.hpp"
#include "run/failure.hpp"
#include "run/fastest_schedule.hpp"
#include "run/gather.hpp"

namespace watersmeet::run {

namespace {
Placement alone(const Case& loaded) {
  const std::unique_ptr<comm::Communicator> self = comm::make_self();
  return place_case(loaded, *self);
}
}  // namespace

Engine::Engine(Case loaded, std::optional<Placement> placement)
    : case_(std::move(loaded)), placement_(placement ? std::move(*placement) : alone(case_)) {
  comm::Communicator& ranks = *placement_.ranks;
  ranks.set_patience(case_.input.duration("device.peer_timeout"));
  const DeviceChoice& device = placement_.device;
  systems::System& system = *case_.system;
  comm::agree(ranks, [&] {
    check_memory(system, placement_);
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
    domain_ = std::make_unique<comm::Domain>(system.mesh(), placement_.shares.parts, ranks.rank());
    whole_points_ = system.mesh().block(0).interior().count();
    system_points_ = domain_->block(0).interior().count();
    system.allocate({queue_, team_.get(), domain_.get(), schedule.name});
    system.initialise(case_.input);
  });
  system.state_changed();
  enqueue(1e300, false, false);
  clock_ = settled(0);
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
// look at later.
void Engine::enqueue(double t_limit, bool allowed, bool with_stages) {
  const std::size_t slot = with_stages ? static_cast<std::size_t>(steps_done_ & 1) : 0;
  case_.system->begin_step(t_limit, allowed);
  copy_bytes(records_.as<exec::Clock>() + slot, case_.system->clock(), sizeof(exec::Clock), queue_);
  recorded_[slot].record(queue_);
  if (with_stages) case_.system->run_stages();
}

const exec::Clock& Engine::settled(std::size_t slot) {
  team_->wait(recorded_[slot]);
  return records_.as<exec::Clock>()[slot];
}

// Known to all ranks when the next step begins.
void Engine::wish_to_stop(std::uint64_t wish) {
  auto* const word = &records_.as<exec::Clock>()[2].stop_bits;
  *word = wish;
  copy_bytes(&case_.system->clock()->stop_bits, word, sizeof *word, queue_);
}

AdvanceEnd Engine::advance(double t_limit, std::int64_t step_limit,
                           const std::function<std::uint64_t(const exec::Clock&)>& watch) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first_step = clock_.step;
  bool go_on = true, interrupted = false;
  std::uint64_t wished = 0;
  const auto look = [&](const exec::Clock& seen) {
    const std::uint64_t wish = watch ? watch(seen) : 0;
    if (wish > wished) {
      wished = wish;
      wish_to_stop(wish);
    }
    if (seen.stop != 0) {
      go_on = false;
      interrupted = true;
    }
  };
  std::int64_t queued =
      0;  // steps queued in this call; those before the last one have been looked at
  double last_dt = clock_.dt;
  while (go_on && first_step + queued < step_limit) {
    enqueue(t_limit, true, true);
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
  enqueue(t_limit, false, false);
  clock_ = settled(0);
  if (clock_.stop != 0) wish_to_stop(0);  // taken note of
  clock_.dt = active > 0 ? last_dt : clock_.dt;
  seconds_stepping_ += seconds_since(begin);
  if (clock_.status == exec::ClockStatus::not_finite) report_failure();
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

void Engine::report_failure() {
  systems::System& system = *case_.system;
  const std::vector<Index3> panels = system.cell_blocks();
  const StatePart part{system.state(),       system.current_register(),
                       system.variables(),   system.mesh().block(0).n,
                       domain_->box(0),      system.mesh().geometry(),
                       system.curvilinear(), panels.empty() ? 0 : panels[0][2]};
  throw comm::AgreedError(ErrorKind::diverged, describe_failure(
                                                   part, clock_.step, clock_.t,
                                                   [&](std::span<const double> values) {
                                                     return system.inadmissible(values);
                                                   },
                                                   team_->communicator(), queue_));
}

Share Engine::share(comm::Communicator* team) const {
  Share share = placement_.share(case_.system->mesh().block(0).n);
  share.team = share.team ? team : nullptr;
  return share;
}

std::size_t Engine::quantity_bytes(const systems::QuantityInfo& quantity) const {
  return static_cast<std::size_t>(system_points_ * quantity.components) *
         size_of(case_.system->precision());
}

void Engine::quantity_to_host(const systems::QuantityInfo& quantity, void* values) {
  const std::size_t bytes = quantity_bytes(quantity);
  const Box whole[] = {domain_->block(0).interior()};
  if (queue_.backend == Backend::cpu) {
    case_.system->evaluate(quantity.name, whole, values);
    return;
  }
  if (packed_.bytes() < bytes) packed_ = memory::Buffer(MemorySpace::device, bytes);
  case_.system->evaluate(quantity.name, whole, packed_.start());
  copy_bytes(values, packed_.start(), bytes, queue_);
  synchronize(queue_);
}

namespace {
std::vector<double> to_doubles(const void* values, std::size_t count, Precision precision) {
  std::vector<double> result(count);
  if (precision == Precision::double_) {
    std::memcpy(result.data(), values, count * sizeof(double));
  } else {
    const float* const f = static_cast<const float*>(values);
    for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<double>(f[i]);
  }
  return result;
}
}  // namespace

std::vector<double> Engine::quantity_as_doubles(const std::string& name) {
  for (const systems::QuantityInfo& q : case_.system->quantities()) {
    if (q.name != name) continue;
    std::vector<char> raw(quantity_bytes(q));
    quantity_to_host(q, raw.data());
    return to_doubles(raw.data(), static_cast<std::size_t>(system_points_ * q.components),
                      case_.system->precision());
  }
  throw Error(ErrorKind::user_input, "no quantity named " + name);
}

// Evaluated in a box about each cell that begins and ends where the packs of its row do: the cell
// sees the instructions that it sees when the whole grid is evaluated.
std::vector<std::vector<double>> Engine::quantity_in_cells(const systems::QuantityInfo& quantity,
                                                           const std::vector<Index3>& cells) {
  constexpr std::int64_t widest_pack = 16;
  const Box mine = domain_->box(0);
  std::vector<Box> boxes;
  std::vector<std::size_t> cell_of_box;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Box box;
    bool here = true;
    for (std::size_t a = 0; a < 3; ++a) {
      box.lower[a] = cells[c][a] - mine.lower[a];
      box.upper[a] = box.lower[a] + 1;
      here = here && mine.lower[a] <= cells[c][a] && cells[c][a] < mine.upper[a];
    }
    if (!here) continue;
    box.lower[0] -= box.lower[0] % widest_pack;
    box.upper[0] = std::min(box.lower[0] + widest_pack, mine.size(0));
    boxes.push_back(box);
    cell_of_box.push_back(c);
  }
  const Precision precision = case_.system->precision();
  const auto components = static_cast<std::size_t>(quantity.components);
  const std::size_t of_cell = components * size_of(precision);
  std::size_t bytes = 0;
  for (const Box& box : boxes) bytes += static_cast<std::size_t>(box.count()) * of_cell;
  if (packed_.bytes() < bytes) {
    packed_ = memory::Buffer(memory::working_space(queue_.backend), bytes);
  }
  case_.system->evaluate(quantity.name, boxes, packed_.start());
  std::vector<std::vector<double>> values(cells.size());
  std::vector<char> raw(of_cell);
  const char* from = static_cast<const char*>(packed_.start());
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    const Index3& cell = cells[cell_of_box[b]];
    const auto within = static_cast<std::size_t>(cell[0] - mine.lower[0] - boxes[b].lower[0]);
    copy_bytes(raw.data(), from + within * of_cell, of_cell, queue_);
    synchronize(queue_);
    values[cell_of_box[b]] = to_doubles(raw.data(), components, precision);
    from += static_cast<std::size_t>(boxes[b].count()) * of_cell;
  }
  return values;
}

int Engine::variable_index(const std::string& name) const {
  const std::vector<Variable> variables = case_.system->variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (variables[v].name == name) return static_cast<int>(v);
  }
  throw Error(ErrorKind::user_input, "no variable named " + name);
}

std::vector<double> Engine::variable_as_doubles(const std::string& name) {
  systems::System& system = *case_.system;
  std::vector<char> raw(static_cast<std::size_t>(system_points_) * size_of(system.precision()));
  memory::copy_interior_to_host(system.state(), system.current_register(), 0, variable_index(name),
                                raw.data(), queue_);
  return to_doubles(raw.data(), static_cast<std::size_t>(system_points_), system.precision());
}

void Engine::set_variable(const std::string& name, const std::vector<double>& values) {
  require(static_cast<std::int64_t>(values.size()) == system_points_,
          "set_variable: one value per cell");
  systems::System& system = *case_.system;
  memory::store_rounded(system.state(), system.current_register(), variable_index(name), values,
                        queue_);
  system.state_changed();
}

solve::ShellSpectra Engine::spectra() {
  systems::System& system = *case_.system;
  solve::SpectrumInput input;
  input.n = system.mesh().block(0).n;
  for (std::size_t a = 0; a < 3; ++a) {
    input.length[a] = system.mesh().geometry().spacing[a] * static_cast<double>(input.n[a]);
  }
  input.precision = system.precision();
  const std::vector<std::string> names = system.spectral_variables();
  if (names.empty()) {
    throw Error(ErrorKind::unsupported, "the system " + system.name() + " has no spectra");
  }
  const std::size_t word = size_of(system.precision());
  if (team_->size() == 1) {
    const BlockLayout& layout = system.state().layout(0);
    for (const std::string& name : names) {
      const std::int64_t first = layout.first + variable_index(name) * layout.stride_var;
      input.components.push_back(
          static_cast<const char*>(system.state().start(system.current_register())) +
          static_cast<std::size_t>(first) * word);
    }
    input.stride_j = layout.stride[1];
    input.stride_k = layout.stride[2];
    return solve::shell_spectra(input, queue_);
  }
  // The whole of each component comes to the first rank: one component at a time would need less
  // memory there, a transform spread over the ranks none.
  std::vector<memory::Buffer> held;
  for (const std::string& name : names) {
    std::vector<char> mine(static_cast<std::size_t>(system_points_) * word);
    memory::copy_interior_to_host(system.state(), system.current_register(), 0,
                                  variable_index(name), mine.data(), queue_);
    const std::vector<char> whole = gather_box(placement_.share(input.n), mine.data(), word);
    if (!first()) continue;
    held.emplace_back(memory::working_space(queue_.backend), whole.size());
    copy_bytes(held.back().start(), whole.data(), whole.size(), queue_);
    synchronize(queue_);
    input.components.push_back(held.back().start());
  }
  if (!first()) return {};
  input.stride_j = input.n[0];
  input.stride_k = input.n[0] * input.n[1];
  return solve::shell_spectra(input, queue_);
}

Checkpoint Engine::make_checkpoint(std::vector<std::vector<char>>& storage) {
  systems::System& system = *case_.system;
  Checkpoint c;
  c.n = system.mesh().block(0).n;  // of the whole; the arrays are this rank's part
  const std::vector<Variable> variables = system.variables();
  const std::size_t bytes = static_cast<std::size_t>(system_points_) * size_of(system.precision());
  storage.resize(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    storage[v].resize(bytes);
    memory::copy_interior_to_host(system.state(), system.current_register(), 0, static_cast<int>(v),
                                  storage[v].data(), queue_);
    c.arrays.push_back({variables[v].name, system.precision(), storage[v].data()});
  }
  for (const systems::StoredArray& further : system.further_arrays()) {
    storage.emplace_back(bytes);
    memory::copy_interior_to_host(*further.state, further.reg, 0, further.variable,
                                  storage.back().data(), queue_);
    c.arrays.push_back({further.name, system.precision(), storage.back().data()});
  }
  c.reals = {{"t", clock_.t},
             {"dt", clock_.dt},
             {"dt_before", clock_.dt_before},
             {"signal", clock_.signal},
             {"work", clock_.work}};
  for (const auto& [name, number] : system.memory_of_run()) c.reals["memory." + name] = number;
  c.integers = {{"step", clock_.step}, {"seed", static_cast<std::int64_t>(system.seed())}};
  c.texts = {{"system", system.name()}};
  return c;
}

void Engine::check_matches(const CheckpointReader& reader) const {
  const systems::System& system = *case_.system;
  if (reader.text("system") != system.name()) {
    throw Error(ErrorKind::user_input,
                fmt::format("{} belongs to the system {}, the case to {}", reader.path(),
                            reader.text("system"), system.name()));
  }
  const Index3 n = system.mesh().block(0).n;
  if (reader.n() != n) {
    throw Error(ErrorKind::user_input,
                fmt::format("{} holds {} x {} x {} cells, the case has {} x {} x {}", reader.path(),
                            reader.n()[0], reader.n()[1], reader.n()[2], n[0], n[1], n[2]));
  }
}

void Engine::restore(CheckpointReader& reader) {
  check_matches(reader);
  systems::System& system = *case_.system;
  std::vector<char> raw(static_cast<std::size_t>(system_points_) * size_of(system.precision()));
  const std::vector<Variable> variables = system.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    reader.read(variables[v].name, system.precision(), raw.data(), placement_.share(reader.n()));
    memory::copy_interior_from_host(system.state(), system.current_register(), 0,
                                    static_cast<int>(v), raw.data(), queue_);
  }
  bool complete = reader.reals().count("dt_before") > 0;
  for (const systems::StoredArray& further : system.further_arrays()) {
    if (reader.has(further.name)) {
      reader.read(further.name, system.precision(), raw.data(), placement_.share(reader.n()));
    } else {
      std::fill(raw.begin(), raw.end(), '\0');
      complete = false;
    }
    memory::copy_interior_from_host(*further.state, further.reg, 0, further.variable, raw.data(),
                                    queue_);
  }
  exec::Clock clock;
  clock.step = reader.integer("step");
  clock.t = reader.real("t");
  clock.dt = reader.real("dt");
  clock.work = reader.real("work");
  system.set_clock(clock);
  system.state_changed();
  std::map<std::string, double> numbers;
  for (const auto& [name, number] : reader.reals()) {
    if (name.rfind("memory.", 0) == 0) numbers[name.substr(7)] = number;
  }
  system.recall(numbers);
  // A multistep scheme starts anew where its past is not known.
  clock.dt_before = complete ? reader.real("dt_before") : 0;
  // The signal as it was: a kernel that measures it anew could round differently.
  clock.signal = reader.real("signal");
  clock.signal_bits = exec::double_to_bits(clock.signal);
  system.set_clock(clock);
  clock_ = clock;
}

}  // namespace watersmeet::run
