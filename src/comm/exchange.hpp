#pragma once
// Exchange of ghost cells between linked blocks, on this rank and others: the plan of one state,
// made once for all its registers from the mesh's links. What comes from this rank is copied; the
// rest travels in one message a peer, packed by one launch and unpacked by one. The regions of a
// message are in the order of the global plan on both sides, so that sender and receiver agree
// without a word, whatever two ranks have in common (two faces on a periodic axis, corners).
//
//      queue            ... | local copies | core of the blocks          |  next stage
//      exchange queue       | pack, messages, unpack | skin of the blocks |
//
// The skin are the cells that read ghosts from other ranks.

#include <functional>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "exec/ghost.hpp"
#include "memory/state.hpp"
#include "mesh/ghosts.hpp"

namespace watersmeet::comm {

class Exchange {
 public:
  // Computes cells of a block of this rank; `queue` is where.
  using Compute = std::function<void(int block, const Box& box, const Queue& queue)>;

  Exchange() = default;
  // `plan` is that of all blocks of the domain. Error{unsupported} when it has regions without a
  // value that the stencil needs. The team outlives the exchange.
  Exchange(const Domain& domain, const mesh::GhostPlan& plan, const memory::State& state,
           Team& team, const Queue& queue);

  // Fills the ghosts of all variables of a register and marks them valid.
  void fill(memory::State& state, int reg, const Queue& queue);
  // The same, and computes all cells of all blocks here; where the team overlaps, the core while
  // the messages travel. `compute` must not read from the register's ghosts what it writes, and may
  // be called for any boxes, whose lower x index is a multiple of 4.
  void around(memory::State& state, int reg, const Queue& queue, const Compute& compute);
  // Writes NaN into the ghosts and marks none valid: debug builds, after use, so that a forgotten
  // exchange shows at once.
  void poison(memory::State& state, int reg, const Queue& queue) const;

  std::int64_t ghost_cells() const { return local_.cells + unpack_.cells; }
  // Of one exchange: what leaves this rank.
  std::size_t bytes_sent() const { return out_bytes_; }
  std::size_t messages_sent() const { return sends_.size(); }

 private:
  struct Regions {  // of one launch
    std::vector<exec::GhostTransfer> transfers;
    memory::Buffer device;
    std::int64_t cells = 0;
    void add(exec::GhostTransfer transfer, std::int64_t count);
    void finish(const Queue& queue);
  };
  struct Work {
    int block;
    Box box;
  };
  void run(const Regions& regions, memory::State& state, int reg, void* buffer,
           exec::GhostAction action, const Queue& queue) const;
  void plan_core(const Domain& domain, const std::vector<std::array<Index3, 2>>& margins);
  void start(memory::State& state, int reg, const Queue& queue);
  void receive(memory::State& state, int reg);
  bool remote() const { return !sends_.empty() || !receives_.empty(); }

  Team* team_ = nullptr;
  Regions local_, pack_, unpack_;
  std::vector<Message> sends_, receives_;
  memory::Buffer out_, in_;
  std::size_t out_bytes_ = 0;
  std::vector<Work> whole_, core_, skin_;
  int layers_ = 0;
};

}  // namespace watersmeet::comm
