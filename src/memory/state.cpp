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
             Precision precision, const Queue& queue, std::optional<MemorySpace> space,
             bool shareable)
    : layouts_(make_layouts(blocks, variables, precision)),
      variables_(variables),
      precision_(precision),
      register_bytes_(bytes_of(layouts_, precision)) {
  const MemorySpace where = space.value_or(working_space(queue.backend));
  // Other ranks may open registers on a device (comm/transport.hpp).
  const bool shared = where == MemorySpace::device && (shareable || is_shareable(register_bytes_));
  for (int r = 0; r < registers; ++r) {
    buffers_.emplace_back(where, shared ? whole_granules(register_bytes_) : register_bytes_);
    order_.push_back(static_cast<std::size_t>(r));
    valid_.push_back(0);
    if (buffers_.back().space() != MemorySpace::device) {
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
// A box of cells as it lies in memory: one stretch from its first to its last cell, with ghosts and
// padding between its rows, and cells beside the box where it does not hold whole planes. It moves
// in one transfer and is taken apart row by row on the host, so that the bus sees one large copy
// instead of one per row.
struct Stretch {
  BlockLayout layout;
  Box box;
  std::size_t word = 0, first = 0, bytes = 0;  // from the register's start

  Stretch(const State& state, int block, int variable, const Box& cells)
      : layout(state.layout(block)), box(cells), word(size_of(state.precision())) {
    for (std::size_t a = 0; a < 3; ++a) {
      require(box.lower[a] >= 0 && box.upper[a] <= layout.n[a],
              "a box of cells to copy reaches out of the block's interior");
    }
    const std::int64_t begin = layout.first + variable * layout.stride_var +
                               layout.at(box.lower[0], box.lower[1], box.lower[2]);
    first = static_cast<std::size_t>(begin) * word;
    bytes =
        static_cast<std::size_t>(offset(box.upper[1] - 1, box.upper[2] - 1) + box.size(0)) * word;
  }
  // The offset of the box's row (j, k) from the begin of the stretch, in values.
  std::int64_t offset(std::int64_t j, std::int64_t k) const {
    return layout.at(0, j - box.lower[1], k - box.lower[2]);
  }
  bool whole_planes() const { return box.size(0) == layout.n[0] && box.size(1) == layout.n[1]; }

  // copy(byte in the stretch, byte in the packed array, bytes of a row)
  template <class Copy>
  void for_each_row(int threads, Copy copy) const {
    const std::int64_t row = box.size(0) * static_cast<std::int64_t>(word), rows = box.size(1);
    const std::int64_t all = rows * box.size(2);
    (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static) if (all * row > (1 << 20))
    for (std::int64_t r = 0; r < all; ++r) {
      const std::int64_t at = offset(box.lower[1] + r % rows, box.lower[2] + r / rows);
      copy(static_cast<std::size_t>(at) * word, static_cast<std::size_t>(r * row),
           static_cast<std::size_t>(row));
    }
  }
};

// Pinned memory of at least `bytes`: the caller's or our own.
char* pinned(Buffer& own, Buffer* callers, std::size_t bytes) {
  Buffer& buffer = callers ? *callers : own;
  if (buffer.bytes() < bytes) buffer = Buffer(MemorySpace::pinned, bytes);
  return buffer.as<char>();
}

Box interior_of(const BlockLayout& l) { return {{0, 0, 0}, {l.n[0], l.n[1], l.n[2]}}; }
}  // namespace

void copy_box_to_host(const State& state, int reg, int block, int variable, const Box& box,
                      void* packed, const Queue& queue, Buffer* staging) {
  if (box.empty()) return;
  const Stretch stretch(state, block, variable, box);
  const char* source = static_cast<const char*>(state.start(reg)) + stretch.first;
  Buffer own;
  if (state.on_device()) {
    char* const host = pinned(own, staging, stretch.bytes);
    copy_bytes(host, source, stretch.bytes, queue);
    synchronize(queue);
    source = host;
  }
  stretch.for_each_row(queue.threads, [&](std::size_t from, std::size_t to, std::size_t bytes) {
    std::memcpy(static_cast<char*>(packed) + to, source + from, bytes);
  });
}

void copy_box_from_host(State& state, int reg, int block, int variable, const Box& box,
                        const void* packed, const Queue& queue, Buffer* staging) {
  if (box.empty()) return;
  const Stretch stretch(state, block, variable, box);
  char* const target = static_cast<char*>(state.start(reg)) + stretch.first;
  char* rows = target;
  Buffer own;
  if (state.on_device()) {
    rows = pinned(own, staging, stretch.bytes);
    if (stretch.whole_planes()) {
      std::memset(rows, 0, stretch.bytes);  // nothing but ghosts and padding lies between
    } else {
      copy_bytes(rows, target, stretch.bytes, queue);
      synchronize(queue);
    }
  }
  stretch.for_each_row(queue.threads, [&](std::size_t to, std::size_t from, std::size_t bytes) {
    std::memcpy(rows + to, static_cast<const char*>(packed) + from, bytes);
  });
  if (state.on_device()) {
    copy_bytes(target, rows, stretch.bytes, queue);
    synchronize(queue);
  }
  state.set_valid_ghosts(reg, 0);
}

void copy_interior_to_host(const State& state, int reg, int block, int variable, void* packed,
                           const Queue& queue) {
  copy_box_to_host(state, reg, block, variable, interior_of(state.layout(block)), packed, queue);
}

void copy_interior_from_host(State& state, int reg, int block, int variable, const void* packed,
                             const Queue& queue) {
  copy_box_from_host(state, reg, block, variable, interior_of(state.layout(block)), packed, queue);
}

}  // namespace watersmeet::memory
