#pragma once
// Exchange of ghost cells between linked blocks, on this rank and others: the plan of one state,
// made once for all its registers from the mesh's links. What comes from this rank is copied; the
// rest travels in messages, one a peer and batch, packed by one launch and unpacked by one. Between
// GPUs that store into each other's memory one launch does all of it. The regions of a message are in
// the order of the global plan on both sides, so that sender and receiver agree without a message,
// whatever two ranks share (two faces on a periodic axis, corners). Ghost cells behind faces without a link are left to the boundary conditions of the
// caller, who fills them from the interior of the register before anybody computes with it.
//
// In one of three ways, chosen alike on all ranks:
//
// in turn   exchange, then compute.
//
// stored    between GPUs that store into each other's memory and have slabs across y or z: the stage that
//           computes a cell stores it as a ghost of the slab beside it, too. Before the next stage neighbours only
//           meet, in one thread block (leave_ghosts_to_computation()).
//
// halves    with overlap, where the parts are cut along one axis: a part is computed in two
//           halves, and a half's boundary leaves while the other half is computed. The half that
//           comes second in one stage comes first in the next, since its ghosts have come by then:
//
//               computed      lower half      upper half   |   upper half      lower half   | ...
//               under way                   lower boundary | upper boundary  upper boundary | ...
//
//           Thin boxes are slow, because each loads the ghost layers around it anew: a core first
//           and then the skin around it took 19 % longer than in turn (four H200, 512^3, single
//           precision). Hence nothing is thinner than a half, and parts that are cut along several
//           axes are computed in turn.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "exec/cell.hpp"
#include "exec/ghost.hpp"
#include "memory/state.hpp"
#include "mesh/ghosts.hpp"

namespace watersmeet::comm {

class Exchange {
 public:
  // Computes cells of a block of this rank; `queue` is where.
  using Compute = std::function<void(int block, const Box& box, const Queue& queue)>;
  // The register that a computation writes, and the exchange of its state.
  struct Written {
    Exchange* exchange = nullptr;
    memory::State* state = nullptr;
    int reg = 0;
  };

  Exchange() = default;
  // `plan` is that of all blocks of the domain. Error{unsupported} when it has absent regions: no
  // cell and no boundary condition has a value for them. The team outlives the exchange.
  Exchange(const Domain& domain, const mesh::GhostPlan& plan, const memory::State& state,
           Team& team, const Queue& queue);
  // For registers with these layouts of the blocks of this rank, which are filled by fill() alone.
  Exchange(const Domain& domain, const mesh::GhostPlan& plan,
           const std::vector<BlockLayout>& layouts, int variables, Precision precision, Team& team,
           const Queue& queue);

  // Fills the linked ghosts of all variables of a register and marks them valid.
  void fill(memory::State& state, int reg, const Queue& queue);
  // The same of a register that starts there.
  void fill(void* start, const Queue& queue);
  // Instead of messages: what the other ranks queued before their meeting is done and seen by what follows here. Where direct().
  void meet(const Queue& queue) const;
  bool direct() const { return direct_ != nullptr; }
  // What around() does before a computation, by itself: the messages alone where it copies nothing.
  void fill_for_computing(void* start, const Queue& queue);
  // The same, and computes all cells of all blocks here meanwhile. `compute` may be called for any
  // boxes, whose lower x index is a multiple of 4. It writes the register `written`, whose ghosts
  // may be sent early: the cells of a register named there must not be changed otherwise before it
  // is read by around() or fill(), or forget() be called.
  void around(memory::State& state, int reg, const Queue& queue, const Compute& compute,
              const Written& written);
  // From now on around() leaves out the ghosts that are copies of cells of this rank, and marks none
  // valid: what computes joins the ends of the block itself.
  void leave_copies_to_computation() { copies_ = false; }
  bool copies() const { return copies_; }
  int cut_axis() const { return cut_axis_; }  // -1: not one alone
  // Asks all ranks, collectively, whether stages store the ghosts of other ranks as well, which takes slabs across y or z on GPUs of one host. If
  // all are willing, around() only meets them: each stage has to store far_registers() of what it writes. The state outlives the team.
  void leave_ghosts_to_computation(const memory::State& state, bool willing);
  // Whether all were. Then the ghosts that the first stage reads have to be there before it, by fill().
  bool stages_store_ghosts() const { return far_ != nullptr; }
  // Of the register that starts there, in the slabs below and above; none unless all ranks agreed.
  exec::FarRegisters far_registers(const void* start) const;
  // What was sent early no longer counts.
  void forget() { early_ = {}; }
  // Writes NaN into all ghosts that an exchange fills and marks none valid: debug builds, after use, so that a
  // forgotten exchange shows at once.
  void poison(memory::State& state, int reg, const Queue& queue) const;

  // Whether cells are computed while messages travel.
  bool overlaps() const { return way_ == Way::halves; }
  // Ghost cells on this rank that one exchange fills, from here and from other ranks.
  std::int64_t cells_filled() const;

 private:
  struct Regions {  // of one launch
    std::vector<exec::GhostTransfer> transfers;
    memory::Buffer device;
    std::int64_t cells = 0;
    void finish(const Queue& queue);
  };
  struct Batch {  // messages that travel together
    Regions pack, unpack;
    std::vector<Message> sends, receives;
    memory::Buffer out, in;
  };
  struct Work {
    int block;
    Box box;
  };
  // A register whose ghosts on one side have come from other ranks already.
  struct Early {
    const void* start = nullptr;
    int missing = 0;  // the batch that is still to be sent
  };
  enum class Way { in_turn, halves };
  struct Neighbour {  // of a slab
    int rank = 0;
    std::int64_t first = 0, stride_var = 0;  // exec::FarRegister
    int begin = 0, end = 0;
  };

  Exchange(const Domain& domain, const mesh::GhostPlan& plan,
           const std::vector<BlockLayout>& layouts, int variables, Precision precision, Team& team,
           const Queue& queue, Overlap overlap);
  void plan_messages(const Domain& domain, const mesh::GhostPlan& plan,
                     const std::vector<BlockLayout>& layouts);
  void plan_halves(const Domain& domain);
  void find_neighbours(const Domain& domain, const mesh::GhostPlan& plan,
                       const BlockLayout& layout);
  void run(const Regions& regions, void* start, void* buffer, exec::GhostAction action,
           const Queue& queue, exec::Gate* gate = nullptr) const;
  void fill(void* start, bool copies, const Queue& queue);
  void copy_local(void* start, const Queue& queue);
  void fill_from_ranks(void* start, const Queue& queue);
  const Queue& message_queue(const Queue& computing) const;
  void send(int batch, void* start, const Queue& queue);
  void receive(int batch, void* start, const Queue& queue);
  void around_halves(memory::State& state, int reg, const Queue& queue, const Compute& compute,
                     const Written& written);

  Team* team_ = nullptr;
  int variables_ = 0;
  Precision precision_ = Precision::double_;
  Way way_ = Way::in_turn;
  int cut_axis_ = -1;
  Regions local_;
  Regions open_;  // behind faces without a link
  // One batch that is moved by one launch, without and with what is copied here.
  std::shared_ptr<const DirectMessages> direct_;
  Regions joined_[2];
  // In halves: the ghosts below the parts, and those above. Else one batch has all.
  std::vector<Batch> batches_;
  std::vector<Work> whole_, half_[2];
  Early early_;
  int layers_ = 0;
  bool copies_ = true;  // in around()
  // Slabs below and above, the other ranks' registers where stages store their ghosts, and those of this rank.
  std::vector<Neighbour> neighbours_;
  const FarBuffers* far_ = nullptr;
  std::vector<void*> registers_;
};

}  // namespace watersmeet::comm
