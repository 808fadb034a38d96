#include "memory/state.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace watersmeet::memory {

namespace {
constexpr std::int64_t line_bytes = 128;
// A pack of the widest register may read past the last cell of the last row.
constexpr std::int64_t slack_bytes = 2 * line_bytes;

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::vector<BlockLayout> make_layouts(const std::vector<BlockShape>& blocks, int variables,
                                      Precision precision) {
  std::vector<BlockLayout> layouts;
  std::int64_t start = 0;
  for (const BlockShape& shape : blocks) {
    BlockLayout layout = make_layout(shape, variables, precision);
    layout.first += start;
    start += layout.elements;
    layouts.push_back(layout);
  }
  return layouts;
}

std::size_t bytes_of(const std::vector<BlockLayout>& layouts, Precision precision) {
  std::int64_t elements = 0;
  for (const BlockLayout& layout : layouts) elements += layout.elements;
  return static_cast<std::size_t>(elements) * size_of(precision) + slack_bytes;
}
}  // namespace

BlockLayout make_layout(const BlockShape& shape, int variables, Precision precision) {
  const std::int64_t line = line_bytes / static_cast<std::int64_t>(size_of(precision));
  BlockLayout layout;
  std::int64_t total[3];
  for (int a = 0; a < 3; ++a) {
    layout.n[a] = shape.n[static_cast<std::size_t>(a)];
    layout.ghosts[a] = shape.ghosts[static_cast<std::size_t>(a)];
    total[a] = layout.n[a] + 2 * layout.ghosts[a];
  }
  const std::int64_t lead = round_up(layout.ghosts[0], line);
  const std::int64_t pitch = round_up(lead + layout.n[0] + layout.ghosts[0], line);
  layout.stride[0] = 1;
  layout.stride[1] = total[1] == 1 ? 0 : pitch;
  layout.stride[2] = total[2] == 1 ? 0 : pitch * total[1];
  layout.stride_var = pitch * total[1] * total[2];
  layout.first = lead + layout.ghosts[1] * layout.stride[1] + layout.ghosts[2] * layout.stride[2];
  layout.elements = layout.stride_var * variables;
  return layout;
}

State::State(const std::vector<BlockShape>& blocks, int variables, int registers,
             Precision precision, const Queue& queue)
    : layouts_(make_layouts(blocks, variables, precision)),
      variables_(variables),
      precision_(precision),
      register_bytes_(bytes_of(layouts_, precision)) {
  for (int r = 0; r < registers; ++r) {
    buffers_.emplace_back(working_space(queue.backend), register_bytes_);
    order_.push_back(static_cast<std::size_t>(r));
    valid_.push_back(0);
    if (queue.backend == Backend::cpu) {
      // First touch by the threads that will work on the pages.
      char* const p = buffers_.back().as<char>();
      const std::int64_t page = 4096, bytes = static_cast<std::int64_t>(register_bytes_);
#pragma omp parallel for num_threads(queue.threads) schedule(static)
      for (std::int64_t b = 0; b < (bytes + page - 1) / page; ++b) {
        std::memset(p + b * page, 0, static_cast<std::size_t>(std::min(page, bytes - b * page)));
      }
    } else {
      fill_bytes(buffers_.back().start(), 0, register_bytes_, queue);
    }
  }
}

void State::swap(int a, int b) {
  std::swap(order_[static_cast<std::size_t>(a)], order_[static_cast<std::size_t>(b)]);
}

void State::require_ghosts(int reg, int layers) const {
  if (valid_ghosts(reg) < layers) {
    throw Error(ErrorKind::internal, "register " + std::to_string(reg) + ": " +
                                         std::to_string(layers) + " ghost layers wanted, " +
                                         std::to_string(valid_ghosts(reg)) + " valid");
  }
}

std::size_t State::bytes_needed(const std::vector<BlockShape>& blocks, int variables, int registers,
                                Precision precision) {
  return bytes_of(make_layouts(blocks, variables, precision), precision) *
         static_cast<std::size_t>(registers);
}

namespace {
// Moves whole variables through a staging buffer in one transfer, then row by row on the host, so
// that the bus sees one large copy instead of one a row.
template <class Row>
void for_each_row(const BlockLayout& l, Row row) {
  for (std::int64_t k = 0; k < l.n[2]; ++k)
    for (std::int64_t j = 0; j < l.n[1]; ++j) row(l.at(0, j, k), (k * l.n[1] + j) * l.n[0]);
}
}  // namespace

void copy_interior_to_host(const State& state, int reg, int block, int variable, void* packed,
                           const Queue& queue) {
  const BlockLayout& l = state.layout(block);
  const std::size_t word = size_of(state.precision());
  const std::int64_t variable_first = l.first + variable * l.stride_var;
  const std::int64_t span = l.at(l.n[0] - 1, l.n[1] - 1, l.n[2] - 1) + 1;
  const char* source =
      static_cast<const char*>(state.start(reg)) + static_cast<std::size_t>(variable_first) * word;
  Buffer staging;
  if (queue.backend == Backend::cuda) {
    staging = Buffer(MemorySpace::pinned, static_cast<std::size_t>(span) * word);
    copy_bytes(staging.start(), source, staging.bytes(), queue);
    synchronize(queue);
    source = staging.as<char>();
  }
  for_each_row(l, [&](std::int64_t from, std::int64_t to) {
    std::memcpy(static_cast<char*>(packed) + static_cast<std::size_t>(to) * word,
                source + static_cast<std::size_t>(from) * word,
                static_cast<std::size_t>(l.n[0]) * word);
  });
}

void copy_interior_from_host(State& state, int reg, int block, int variable, const void* packed,
                             const Queue& queue) {
  const BlockLayout& l = state.layout(block);
  const std::size_t word = size_of(state.precision());
  const std::int64_t variable_first = l.first + variable * l.stride_var;
  const std::int64_t span = l.at(l.n[0] - 1, l.n[1] - 1, l.n[2] - 1) + 1;
  char* const target =
      static_cast<char*>(state.start(reg)) + static_cast<std::size_t>(variable_first) * word;
  Buffer staging;
  char* rows = target;
  if (queue.backend == Backend::cuda) {
    staging = Buffer(MemorySpace::pinned, static_cast<std::size_t>(span) * word);
    std::memset(staging.start(), 0, staging.bytes());
    rows = staging.as<char>();
  }
  for_each_row(l, [&](std::int64_t to, std::int64_t from) {
    std::memcpy(rows + static_cast<std::size_t>(to) * word,
                static_cast<const char*>(packed) + static_cast<std::size_t>(from) * word,
                static_cast<std::size_t>(l.n[0]) * word);
  });
  if (queue.backend == Backend::cuda) {
    copy_bytes(target, staging.start(), staging.bytes(), queue);
    synchronize(queue);
  }
  state.set_valid_ghosts(reg, 0);
}

}  // namespace watersmeet::memory
