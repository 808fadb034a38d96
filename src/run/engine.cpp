#include "run/engine.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/error.hpp"

namespace watersmeet::run {

namespace {
constexpr double gib = 1073741824.0;

// Largest cube of cells (in steps of 16 a side) whose need fits.
std::string largest_grid(const systems::System& system, std::size_t free) {
  std::int64_t side = 0;
  for (std::int64_t n = 16; n < 65536 && system.memory_needed({n, n, n}).working_bytes < free;
       n += 16)
    side = n;
  return side ? fmt::format("{0} x {0} x {0}", side) : "less than 16 x 16 x 16";
}
}  // namespace

std::size_t free_host_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string word;
  while (meminfo >> word) {
    if (word == "MemAvailable:") {
      std::size_t kib = 0;
      meminfo >> kib;
      return kib * 1024;
    }
  }
  return std::size_t(-1);
}

DeviceChoice choose_device(const config::Input& input) {
  const std::string kind = input.text("device.kind");
  DeviceChoice choice;
  choice.threads = input.is_set("device.threads")
                       ? static_cast<int>(input.integer("device.threads"))
                       : omp_get_max_threads();
  if (kind != "cpu") {
    const std::vector<DeviceInfo> devices = cuda_devices();
    const std::int64_t wanted = input.is_set("device.index") ? input.integer("device.index") : 0;
    for (const DeviceInfo& d : devices) {
      if (d.index != wanted) continue;
      choice.backend = Backend::cuda;
      choice.index = d.index;
      choice.description = d.name;
      choice.free_bytes = d.free_bytes;
      return choice;
    }
    if (kind == "gpu" || (input.is_set("device.index") && !devices.empty())) {
      throw Error(
          ErrorKind::resource,
          built_with_cuda()
              ? fmt::format(
                    "no GPU with index {}: {} answer{} (see `watersmeet info`). Try --device cpu",
                    wanted, devices.size(), devices.size() == 1 ? "s" : "")
              : "this build has no CUDA back end (nvcc was not found). Try --device cpu");
    }
  }
  choice.description =
      fmt::format("CPU, {} thread{}", choice.threads, choice.threads == 1 ? "" : "s");
  choice.free_bytes = free_host_bytes();
  return choice;
}

void check_memory(const systems::System& system, const DeviceChoice& device) {
  const Index3 cells = system.mesh().block(0).n;
  const double points = double(cells[0]) * double(cells[1]) * double(cells[2]);
  const bool countable = points < 1e15;  // so that the sums of bytes stay below 2^63
  const std::size_t need = countable ? system.memory_needed(cells).working_bytes : 0;
  if (countable && need <= device.free_bytes) return;
  throw Error(
      ErrorKind::resource,
      fmt::format("{} x {} x {} cells {} on {}, {:.2f} GiB are free.\nThe largest cube that fits "
                  "is {}; precision = \"single\" halves the need.",
                  cells[0], cells[1], cells[2],
                  countable ? fmt::format("need {:.2f} GiB", double(need) / gib)
                            : "are more than any machine holds: they do not fit",
                  device.description, double(device.free_bytes) / gib,
                  largest_grid(system, device.free_bytes)));
}

Engine::Engine(Case loaded) : case_(std::move(loaded)), device_(choose_device(case_.input)) {
  check_memory(*case_.system, device_);
  system_points_ = case_.system->mesh().block(0).interior().count();
  if (device_.backend == Backend::cuda) {
    select_cuda_device(device_.index);
    queue_ = make_cuda_queue();
  }
  queue_.threads = device_.threads;
  records_ = memory::Buffer(memory::staging_space(queue_.backend), 2 * sizeof(exec::Clock));
  recorded_[0] = Event(queue_);
  recorded_[1] = Event(queue_);
  case_.system->allocate(queue_, case_.input.text("device.schedule"));
  case_.system->initialise(case_.input);
  case_.system->state_changed();
  enqueue(1e300, false, false);
  clock_ = settled(0);
}

Engine::~Engine() {
  if (queue_.backend == Backend::cuda) {
    try {
      synchronize(queue_);
    } catch (const Error&) {
    }
    destroy_queue(queue_);
  }
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
  recorded_[slot].wait();
  return records_.as<exec::Clock>()[slot];
}

AdvanceEnd Engine::advance(double t_limit, std::int64_t step_limit,
                           const std::function<bool(const exec::Clock&)>& watch) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first_step = clock_.step;
  bool go_on = true, interrupted = false;
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
      if (watch && !watch(seen)) {
        go_on = false;
        interrupted = true;
      }
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
    if (back == 1 && watch && !interrupted && !watch(seen)) interrupted = true;
  }
  for (std::int64_t i = active; i < queued; ++i) case_.system->undo_stages();
  steps_done_ -= queued - active;
  enqueue(t_limit, false, false);
  clock_ = settled(0);
  clock_.dt = active > 0 ? last_dt : clock_.dt;
  seconds_stepping_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (clock_.status == exec::ClockStatus::not_finite) report_not_finite();
  if (clock_.status == exec::ClockStatus::step_too_small) {
    throw Error(ErrorKind::diverged,
                fmt::format("the time step no longer advances the time at step {}, t = {:.9g}: the "
                            "largest signal is {:.3e}",
                            clock_.step, clock_.t, clock_.signal));
  }
  if (clock_.status == exec::ClockStatus::limit_reached) return AdvanceEnd::time_reached;
  return interrupted && clock_.step < step_limit ? AdvanceEnd::interrupted
                                                 : AdvanceEnd::steps_reached;
}

void Engine::report_not_finite() {
  systems::System& system = *case_.system;
  const std::vector<Variable> variables = system.variables();
  const BlockLayout& layout = system.state().layout(0);
  const std::int64_t n = layout.n[0] * layout.n[1] * layout.n[2];
  std::int64_t first = n;
  std::string where = "the state";
  double value = std::nan("");
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::vector<double> values = variable_as_doubles(variables[v].name);
    for (std::int64_t p = 0; p < std::min(first, n); ++p) {
      if (!std::isfinite(values[static_cast<std::size_t>(p)])) {
        first = p;
        where = variables[v].name;
        value = values[static_cast<std::size_t>(p)];
      }
    }
  }
  const std::int64_t i = first % layout.n[0], j = first / layout.n[0] % layout.n[1],
                     k = first / (layout.n[0] * layout.n[1]);
  const mesh::Uniform& geometry = system.mesh().geometry();
  throw Error(ErrorKind::diverged,
              fmt::format("not a number in {} at step {}, t = {:.9g}\n  first at cell ({}, {}, {}) "
                          "of {} x {} x {}, x = {:.6g}, y = "
                          "{:.6g}, z = {:.6g}; value {}",
                          where, clock_.step, clock_.t, i, j, k, layout.n[0], layout.n[1],
                          layout.n[2], geometry.coordinate(0, i), geometry.coordinate(1, j),
                          geometry.coordinate(2, k), value));
}

std::size_t Engine::quantity_bytes(const systems::QuantityInfo& quantity) const {
  return static_cast<std::size_t>(system_points_ * quantity.components) *
         size_of(case_.system->precision());
}

void Engine::quantity_to_host(const systems::QuantityInfo& quantity, void* values) {
  const std::size_t bytes = quantity_bytes(quantity);
  if (queue_.backend == Backend::cpu) {
    case_.system->evaluate(quantity.name, values);
    return;
  }
  if (packed_.bytes() < bytes) packed_ = memory::Buffer(MemorySpace::device, bytes);
  case_.system->evaluate(quantity.name, packed_.start());
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
  if (system.precision() == Precision::double_) {
    memory::copy_interior_from_host(system.state(), system.current_register(), 0,
                                    variable_index(name), values.data(), queue_);
  } else {
    const std::vector<float> rounded(values.begin(), values.end());
    memory::copy_interior_from_host(system.state(), system.current_register(), 0,
                                    variable_index(name), rounded.data(), queue_);
  }
  system.state_changed();
}

solve::ShellSpectra Engine::spectra() {
  systems::System& system = *case_.system;
  const mesh::Block& block = system.mesh().block(0);
  solve::SpectrumInput input;
  input.n = block.n;
  for (std::size_t a = 0; a < 3; ++a) {
    input.length[a] = system.mesh().geometry().spacing[a] * static_cast<double>(block.n[a]);
  }
  for (const std::string& name : system.spectral_variables()) {
    const BlockLayout& layout = system.state().layout(0);
    const std::int64_t first = layout.first + variable_index(name) * layout.stride_var;
    const std::size_t word = size_of(system.precision());
    input.components.push_back(
        static_cast<const char*>(system.state().start(system.current_register())) +
        static_cast<std::size_t>(first) * word);
    input.stride_j = layout.stride[1];
    input.stride_k = layout.stride[2];
  }
  input.precision = system.precision();
  return solve::shell_spectra(input, queue_);
}

Checkpoint Engine::make_checkpoint(std::vector<std::vector<char>>& storage) {
  systems::System& system = *case_.system;
  Checkpoint c;
  c.n = system.mesh().block(0).n;
  const std::vector<Variable> variables = system.variables();
  const std::size_t bytes = static_cast<std::size_t>(system_points_) * size_of(system.precision());
  storage.resize(variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    storage[v].resize(bytes);
    memory::copy_interior_to_host(system.state(), system.current_register(), 0, static_cast<int>(v),
                                  storage[v].data(), queue_);
    c.arrays.push_back({variables[v].name, system.precision(), storage[v].data()});
  }
  c.reals = {{"t", clock_.t}, {"dt", clock_.dt}, {"signal", clock_.signal}, {"work", clock_.work}};
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
    reader.read(variables[v].name, system.precision(), raw.data());
    memory::copy_interior_from_host(system.state(), system.current_register(), 0,
                                    static_cast<int>(v), raw.data(), queue_);
  }
  std::map<std::string, double> numbers;
  for (const auto& [name, number] : reader.reals()) {
    if (name.rfind("memory.", 0) == 0) numbers[name.substr(7)] = number;
  }
  system.recall(numbers);
  exec::Clock clock;
  clock.step = reader.integer("step");
  clock.t = reader.real("t");
  clock.dt = reader.real("dt");
  clock.work = reader.real("work");
  system.set_clock(clock);
  system.state_changed();
  // The signal as it was: a kernel that measures it anew could round differently.
  clock.signal = reader.real("signal");
  clock.signal_bits = exec::double_to_bits(clock.signal);
  system.set_clock(clock);
  clock_ = clock;
}

}  // namespace watersmeet::run
