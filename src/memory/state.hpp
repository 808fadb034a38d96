#pragma once
// The state of a run: registers x variables x blocks. A register holds every variable of every
// block in one allocation; registers of one state are congruent, so a stage update can read one and
// write another with the same offsets. Each register knows how many of its ghost layers are valid:
// reading deeper is an error of the program, found at once.

#include <optional>
#include <vector>

#include "core/block_layout.hpp"
#include "core/types.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::memory {

// Interior cells and ghost layers (each side) of a block along its axes.
struct BlockShape {
  Index3 n{1, 1, 1};
  Index3 ghosts{0, 0, 0};
};

// Layout of one block: rows start on 128-byte lines, the pitch is a multiple of 128 bytes and
// leaves room for a full SIMD pack behind the last cell. An axis of one cell without ghosts has
// stride 0.
BlockLayout make_layout(const BlockShape& shape, int variables, Precision precision);

class State {
 public:
  State() = default;
  // All registers are allocated and zeroed here, where the kernels of the queue run unless said otherwise. Error{resource} if memory is
  // short. shareable: other ranks may open them on a device (comm/transport.hpp), however small they are.
  State(const std::vector<BlockShape>& blocks, int variables, int registers, Precision precision,
        const Queue& queue, std::optional<MemorySpace> space = std::nullopt,
        bool shareable = false);

  int blocks() const { return static_cast<int>(layouts_.size()); }
  int variables() const { return variables_; }
  int registers() const { return static_cast<int>(buffers_.size()); }
  Precision precision() const { return precision_; }
  const BlockLayout& layout(int block) const { return layouts_[static_cast<std::size_t>(block)]; }
  void* start(int reg) const { return buffers_[slot(reg)].start(); }
  std::size_t register_bytes() const { return register_bytes_; }
  bool on_device() const {
    return !buffers_.empty() && buffers_.front().space() == MemorySpace::device;
  }

  // Exchanges the roles of two registers; no memory moves.
  void swap(int a, int b);

  int valid_ghosts(int reg) const { return valid_[slot(reg)]; }
  void set_valid_ghosts(int reg, int layers) { valid_[slot(reg)] = layers; }
  // Error{internal} naming register, layers wanted and layers valid.
  void require_ghosts(int reg, int layers) const;

  // Memory that a state of these sizes will take, for the plan made before anything is allocated.
  static std::size_t bytes_needed(const std::vector<BlockShape>& blocks, int variables,
                                  int registers, Precision precision);

 private:
  std::size_t slot(int reg) const { return order_[static_cast<std::size_t>(reg)]; }
  std::vector<BlockLayout> layouts_;
  std::vector<Buffer> buffers_;
  std::vector<std::size_t> order_;
  std::vector<int> valid_;
  int variables_ = 0;
  Precision precision_ = Precision::double_;
  std::size_t register_bytes_ = 0;
};

// Copies between cells of one variable in a block's interior and a packed host array [k][j][i] of
// just these cells, converting nothing. For set-up, checkpoints and tests; the caller's array is
// ready on return. On a device the cells go through pinned memory: `staging` is made as large as
// they need and can be used again, so that a large grid may be filled slab by slab through little
// memory. Slabs of whole planes are cheapest: of other boxes the surroundings are read first.
// `box`: cells of the block, (0, 0, 0) its first interior one; internal error when it reaches out.
void copy_box_to_host(const State& state, int reg, int block, int variable, const Box& box,
                      void* packed, const Queue& queue, Buffer* staging = nullptr);
// No ghosts of the register are valid afterwards.
void copy_box_from_host(State& state, int reg, int block, int variable, const Box& box,
                        const void* packed, const Queue& queue, Buffer* staging = nullptr);

// The same of the whole interior.
void copy_interior_to_host(const State& state, int reg, int block, int variable, void* packed,
                           const Queue& queue);
void copy_interior_from_host(State& state, int reg, int block, int variable, const void* packed,
                             const Queue& queue);

}  // namespace watersmeet::memory
