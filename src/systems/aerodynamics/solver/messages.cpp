#include "systems/aerodynamics/solver/messages.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace watersmeet::aerodynamics {

StateMessages::StateMessages(const SurfaceTables& tables, Precision precision, comm::Team* team,
                             const Queue& queue)
    : team_(team) {
  if (tables.peers.empty()) return;
  require(team->transport() != nullptr, "several ranks need a transport");
  const std::size_t bytes = n_variables * size_of(precision);
  std::vector<std::int32_t> nodes;
  for (const Peer& peer : tables.peers) {
    sends_.push_back({peer.rank, nodes.size() * bytes, peer.send.size() * bytes});
    receives_.push_back({peer.rank, static_cast<std::size_t>(peer.first_received) * bytes,
                         static_cast<std::size_t>(peer.received) * bytes});
    nodes.insert(nodes.end(), peer.send.begin(), peer.send.end());
  }
  count_ = static_cast<std::int64_t>(nodes.size());
  const MemorySpace space = team->transport()->buffer_space();
  out_ = memory::Buffer(space, std::max<std::size_t>(nodes.size() * bytes, 1));
  in_ = memory::Buffer(space,
                       std::max<std::size_t>(static_cast<std::size_t>(tables.received) * bytes, 1));
  nodes_ = memory::Buffer(memory::working_space(queue.backend),
                          std::max<std::size_t>(nodes.size() * sizeof(std::int32_t), 1));
  copy_bytes(nodes_.start(), nodes.data(), nodes.size() * sizeof(std::int32_t), queue);
  synchronize(queue);
}

// As in comm/exchange.cpp: what follows in the computing queue waits for the packing, so that a
// transport that needs processors of the device finds them.
void StateMessages::start(FlowLoops& loops, TableAddress<double> state, std::int64_t pitch,
                          const Queue& queue) {
  if (sends_.empty()) return;
  const Queue packing = team_->queue_in_turn(queue);
  team_->order(queue, packing);
  loops.gather({state, pitch, nodes_.as<std::int32_t>(), {out_.start()}}, count_, packing);
  team_->order(packing, queue);
  team_->transport()->start(sends_, out_.start(), receives_, in_.start(), packing);
}

void StateMessages::finish(const Queue& queue) {
  if (sends_.empty()) return;
  const Queue& messages = team_->queue_in_turn(queue);
  team_->transport()->finish(messages);
  team_->order(messages, queue);
}

std::size_t StateMessages::bytes_sent() const {
  std::size_t bytes = 0;
  for (const comm::Message& m : sends_) bytes += m.size;
  return bytes;
}

}  // namespace watersmeet::aerodynamics
