// Reading and writing of an engine's fields: quantities, variables, spectra.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "core/pack.hpp"
#include "exec/clock_access.hpp"
#include "io/message.hpp"
#include "memory/rounded.hpp"
#include "run/engine.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet::run {

std::size_t Engine::quantity_bytes(const systems::QuantityInfo& quantity) const {
  return static_cast<std::size_t>(system_points_ * quantity.components) *
         size_of(case_.system->precision());
}

void Engine::evaluate(const systems::QuantityInfo& quantity, void* packed) {
  const Box whole[] = {domain_->block(0).interior()};
  case_.system->evaluate(quantity.name, whole, packed);
}

void Engine::quantity_to_host(const systems::QuantityInfo& quantity, void* values) {
  const std::size_t bytes = quantity_bytes(quantity);
  if (queue_.backend == Backend::cpu) return evaluate(quantity, values);
  if (packed_.bytes() < bytes) packed_ = memory::Buffer(MemorySpace::device, bytes);
  evaluate(quantity, packed_.start());
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

[[noreturn]] void refuse_name(const std::string& what, const std::string& name,
                              const std::vector<std::string>& names) {
  refuse({.kind = "bad-value",
          .found = name,
          .message = fmt::format("no {} `{}`", what, name),
          .suggestion = did_you_mean(name, names),
          .allowed = fmt::format("there are: {}", fmt::join(names, ", "))});
}
}  // namespace

std::vector<double> Engine::quantity_as_doubles(const std::string& name) {
  for (const systems::QuantityInfo& q : case_.system->quantities()) {
    if (q.name != name && (q.former.empty() || q.former != name)) continue;
    std::vector<char> raw(quantity_bytes(q));
    quantity_to_host(q, raw.data());
    return to_doubles(raw.data(), static_cast<std::size_t>(system_points_ * q.components),
                      case_.system->precision());
  }
  std::vector<std::string> names;
  for (const systems::QuantityInfo& q : case_.system->quantities()) names.push_back(q.name);
  refuse_name("quantity", name, names);
}

Box Engine::in_whole_packs(Box box) const {
  constexpr std::int64_t pack = Pack<float>::lanes;  // the widest
  box.lower[0] -= box.lower[0] % pack;
  box.upper[0] = std::min((box.upper[0] + pack - 1) / pack * pack, domain_->box(0).size(0));
  return box;
}

void Engine::boxes_to_host(const systems::QuantityInfo& quantity, std::span<const Box> boxes,
                           void* values) {
  if (queue_.backend == Backend::cpu) return case_.system->evaluate(quantity.name, boxes, values);
  std::size_t cells = 0;
  for (const Box& box : boxes) cells += static_cast<std::size_t>(box.count());
  const std::size_t bytes =
      cells * static_cast<std::size_t>(quantity.components) * size_of(case_.system->precision());
  if (packed_.bytes() < bytes) packed_ = memory::Buffer(MemorySpace::device, bytes);
  case_.system->evaluate(quantity.name, boxes, packed_.start());
  copy_bytes(values, packed_.start(), bytes, queue_);
  synchronize(queue_);
}

std::vector<std::vector<double>> Engine::quantity_in_cells(const systems::QuantityInfo& quantity,
                                                           const std::vector<Index3>& cells) {
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
    boxes.push_back(in_whole_packs(box));
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
  std::vector<std::string> names;
  for (const Variable& v : variables) names.push_back(v.name);
  refuse_name("stored variable", name, names);
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
  state_was_written();
}

void Engine::state_was_written() {
  case_.system->state_changed();
  const exec::Clock now = exec::read_clock(case_.system->clock(), queue_);
  clock_.signal = now.signal;
  clock_.dt_before = now.dt_before;
}

VariableMemory Engine::memory_of(const std::string& name) {
  memory::State& state = case_.system->state();
  synchronize(queue_);
  const BlockLayout& l = state.layout(0);
  const std::size_t word = size_of(state.precision());
  VariableMemory memory;
  memory.first = static_cast<char*>(state.start(case_.system->current_register())) +
                 static_cast<std::size_t>(l.first + variable_index(name) * l.stride_var) * word;
  memory.cells = {l.n[2], l.n[1], l.n[0]};
  memory.stride = {l.stride[2], l.stride[1], l.stride[0]};
  memory.single_precision = state.precision() == Precision::single_;
  if (state.on_device()) memory.gpu = placement_.device.index;
  return memory;
}

std::array<std::vector<double>, 3> Engine::coordinates_of(const std::string& name) const {
  const mesh::GridDescription& grid = case_.system->grid();
  const Variable variable =
      case_.system->variables()[static_cast<std::size_t>(variable_index(name))];
  if (grid.kind != mesh::GridKind::box) {
    throw Error(ErrorKind::unsupported,
                "cells that do not lie along x, y and z have no coordinates of one axis each");
  }
  std::array<std::vector<double>, 3> at;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::vector<double>& faces = grid.faces[a];
    const bool lower = mesh::staggered(variable.location, static_cast<int>(a));
    for (std::int64_t i = 0; i < grid.n()[a]; ++i) {
      const auto f = static_cast<std::size_t>(i);
      Index3 cell{};
      cell[a] = i;
      at[a].push_back(faces.empty() ? grid.geometry().position(cell, variable.location)[a]
                      : lower       ? faces[f]
                                    : 0.5 * (faces[f] + faces[f + 1]));
    }
  }
  return at;
}

namespace {
// Words of a row mixed with their places, so that an exchange of two values shows as well.
template <class Word>
std::uint64_t checksum_of_row(const char* row, std::int64_t count, std::uint64_t begin) {
  std::uint64_t sum = begin * 0x9E3779B97F4A7C15u + 1;
  for (std::int64_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, row + static_cast<std::size_t>(i) * sizeof word, sizeof word);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;  // 2^64 over the golden ratio, odd
    sum ^= sum >> 32;
  }
  return sum;
}
}  // namespace

std::uint64_t Engine::checksum_of_state() {
  systems::System& system = *case_.system;
  const memory::State& state = system.state();
  require(!state.on_device(), "a checksum of a state in host memory");
  const BlockLayout& l = state.layout(0);
  const std::size_t word = size_of(state.precision());
  const char* const start = static_cast<const char*>(state.start(system.current_register()));
  const std::int64_t rows = l.n[1] * l.n[2],
                     all = rows * static_cast<std::int64_t>(system.variables().size());
  std::uint64_t sum = 0;
#pragma omp parallel for num_threads(queue_.threads) reduction(+ : sum) if (all * l.n[0] > 10000)
  for (std::int64_t r = 0; r < all; ++r) {
    const std::int64_t at =
        l.first + r / rows * l.stride_var + l.at(0, r % rows % l.n[1], r % rows / l.n[1]);
    const char* const row = start + static_cast<std::size_t>(at) * word;
    const auto number = static_cast<std::uint64_t>(r);
    sum += word == 8 ? checksum_of_row<std::uint64_t>(row, l.n[0], number)
                     : checksum_of_row<std::uint32_t>(row, l.n[0], number);
  }
  return sum;
}

namespace {
// The box of a system, no component yet.
solve::SpectrumInput spectrum_input(const systems::SetUp& system, const io::Share& share) {
  solve::SpectrumInput input;
  input.n = share.n;
  for (std::size_t a = 0; a < 3; ++a) {
    input.length[a] = system.grid().geometry().spacing[a] * static_cast<double>(input.n[a]);
  }
  input.precision = system.precision();
  input.team = share.team;
  input.mine = share.mine;
  return input;
}

// A streamed solution is transformed on the host, where all of it is.
Queue queue_of_spectra(const systems::System& system, const Queue& queue) {
  return system.fused_steps() > 0 ? Queue{Backend::cpu, nullptr, queue.threads} : queue;
}
}  // namespace

solve::ShellSpectra Engine::spectra_of(const std::string& quantity) {
  const std::vector<double> mine = quantity_as_doubles(quantity);
  require(mine.size() == 3 * static_cast<std::size_t>(system_points_),
          "a field of three components");
  const io::Share share = placement_.share(case_.system->grid().n());
  solve::SpectrumInput input = spectrum_input(*case_.system, share);
  input.precision = Precision::double_;
  const Queue queue = queue_of_spectra(*case_.system, queue_);
  const double* packed = mine.data();
  memory::Buffer there;
  if (queue.backend == Backend::cuda) {
    there = memory::Buffer(MemorySpace::device, mine.size() * sizeof(double));
    copy_bytes(there.start(), mine.data(), there.bytes(), queue);
    packed = there.as<double>();
  }
  for (int c = 0; c < 3; ++c) input.components.push_back(packed + c);
  input.stride_i = 3;
  input.stride_j = 3 * share.mine.size(0);
  input.stride_k = input.stride_j * share.mine.size(1);
  return solve::shell_spectra(input, queue);
}

solve::ShellSpectra Engine::spectra() {
  systems::System& system = *case_.system;
  const std::vector<std::string> names = system.spectral_variables();
  if (names.empty()) {
    throw Error(ErrorKind::unsupported, "the system " + system.name() + " has no spectra");
  }
  solve::SpectrumInput input = spectrum_input(system, placement_.share(system.grid().n()));
  const BlockLayout& layout = system.state().layout(0);
  for (const std::string& name : names) {
    const std::int64_t first = layout.first + variable_index(name) * layout.stride_var;
    input.components.push_back(
        static_cast<const char*>(system.state().start(system.current_register())) +
        static_cast<std::size_t>(first) * size_of(system.precision()));
  }
  input.stride_j = layout.stride[1];
  input.stride_k = layout.stride[2];
  return solve::shell_spectra(input, queue_of_spectra(system, queue_));
}

}  // namespace watersmeet::run
