// What an engine keeps in a checkpoint, and how it resumes from one.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/message.hpp"
#include "memory/rounded.hpp"
#include "run/engine.hpp"

namespace watersmeet::run {

io::Checkpoint Engine::make_checkpoint(std::vector<std::vector<char>>& storage) {
  systems::System& system = *case_.system;
  io::Checkpoint c;
  c.n = system.grid().n();  // of the whole; the arrays are this rank's part
  const std::vector<Variable> variables = system.variables();
  const std::size_t bytes = static_cast<std::size_t>(system_points_) * size_of(system.precision());
  storage.resize(variables.size());
  // A streamed solution may be half of the host's memory: it is written from where it is.
  const BlockLayout& layout = system.state().layout(0);
  const bool in_place =
      system.fused_steps() > 0 &&
      layout.stride_var * static_cast<std::int64_t>(size_of(system.precision())) ==
          static_cast<std::int64_t>(bytes);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (in_place) {
      const std::size_t first =
          static_cast<std::size_t>(layout.first) * size_of(system.precision());
      c.arrays.push_back({variables[v].name, system.precision(),
                          static_cast<const char*>(system.state().start(0)) + first + v * bytes});
      continue;
    }
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
  c.reals = checkpoint_reals();
  c.integers = {{"step", clock_.step}, {"seed", static_cast<std::int64_t>(system.seed())}};
  c.texts = {{"system", system.name()}};
  return c;
}

std::map<std::string, double> Engine::checkpoint_reals() {
  std::map<std::string, double> reals = {{"t", clock_.t},
                                         {"dt", clock_.dt},
                                         {"dt_before", clock_.dt_before},
                                         {"signal", clock_.signal},
                                         {"work", clock_.work}};
  for (const auto& [name, number] : case_.system->checkpoint_scalars())
    reals["memory." + name] = number;
  return reals;
}

void Engine::check_matches(const io::CheckpointReader& reader) const {
  const systems::System& system = *case_.system;
  if (reader.text("system") != system.name()) {
    throw Error(ErrorKind::user_input,
                fmt::format("{} belongs to the system {}, the case to {}", reader.path(),
                            reader.text("system"), system.name()));
  }
  const Index3 n = system.grid().n();
  if (reader.n() != n) {
    throw Error(ErrorKind::user_input,
                fmt::format("{} holds {} cells, and the case has {}. A run keeps its grid; to "
                            "continue on another one, start a new run from this state: start.from",
                            reader.path(), io::size_text(reader.n()), io::size_text(n)));
  }
}

void Engine::restore(io::CheckpointReader& reader) {
  check_matches(reader);
  for (const char* const number : {"t", "dt", "work", "signal"}) reader.real(number);  // are there
  systems::System& system = *case_.system;
  const Precision precision = system.precision();
  std::vector<char> raw(static_cast<std::size_t>(system_points_) * size_of(precision));
  const auto read = [&](const std::string& name) {
    reader.read(name, precision, raw.data(), placement_.share(reader.n()));
  };
  const std::vector<Variable> variables = system.variables();
  for (std::size_t v = 0; v < variables.size(); ++v) {
    read(variables[v].name);
    memory::copy_interior_from_host(system.state(), system.current_register(), 0,
                                    static_cast<int>(v), raw.data(), queue_);
  }
  const std::map<std::string, double> reals = reader.reals();
  bool complete = reals.count("dt_before") > 0;
  for (const systems::StoredArray& further : system.further_arrays()) {
    if (reader.has(further.name)) {
      read(further.name);
    } else {
      std::fill(raw.begin(), raw.end(), '\0');
      complete = false;
    }
    memory::copy_interior_from_host(*further.state, further.reg, 0, further.variable, raw.data(),
                                    queue_);
  }
  restore_numbers(reals, reader.integer("step"), complete);
}

void Engine::restore_numbers(const std::map<std::string, double>& reals, std::int64_t step,
                             bool complete) {
  systems::System& system = *case_.system;
  exec::Clock clock;
  clock.step = step;
  clock.t = reals.at("t");
  clock.dt = reals.at("dt");
  clock.work = reals.at("work");
  system.set_clock(clock);
  system.state_changed();
  std::map<std::string, double> numbers;
  for (const auto& [name, number] : reals) {
    if (name.rfind("memory.", 0) == 0) numbers[name.substr(7)] = number;
  }
  system.restore_scalars(numbers);
  // A multistep scheme starts again with its first step where its past is not known.
  clock.dt_before = complete ? reals.at("dt_before") : 0;
  // The signal as it was: a kernel that measures it again could round differently.
  clock.signal = reals.at("signal");
  clock.signal_bits = exec::double_to_bits(clock.signal);
  system.set_clock(clock);
  clock_ = clock;
  first_signal_ = clock.signal;
}

}  // namespace watersmeet::run
