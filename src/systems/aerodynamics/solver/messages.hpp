#pragma once
// States of nodes on interfaces to blocks of other ranks: one message a peer and right-hand side,
// one state a node whatever the order, packed by one launch. Penalties read what has come where it
// lies.

#include <vector>

#include "comm/team.hpp"
#include "memory/buffer.hpp"
#include "systems/aerodynamics/loops.hpp"
#include "systems/aerodynamics/surface/tables.hpp"

namespace watersmeet::aerodynamics {

class StateMessages {
 public:
  StateMessages() = default;
  StateMessages(const SurfaceTables& tables, Precision precision, comm::Team* team,
                const Queue& queue);

  // Sends what a level's state [variable][pitch] has on interfaces; between the two calls other work may be queued.
  void start(FlowLoops& loops, TableAddress<double> state, std::int64_t pitch, const Queue& queue);
  void finish(const Queue& queue);
  bool empty() const { return sends_.empty(); }
  const void* received() const { return in_.start(); }
  std::size_t bytes_sent() const;

 private:
  comm::Team* team_ = nullptr;
  std::vector<comm::Message> sends_, receives_;
  memory::Buffer nodes_, out_, in_;
  std::int64_t count_ = 0;
};

}  // namespace watersmeet::aerodynamics
