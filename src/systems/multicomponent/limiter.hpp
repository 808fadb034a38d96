#pragma once
// The flux limiter of `numerics.positivity = "strict"`: what exec/face_limit.hpp needs on the host,
// and the order of its passes. Flags of neighbours on other ranks come before each correction.

#include <cstdint>

#include "comm/domain.hpp"
#include "comm/exchange.hpp"
#include "comm/team.hpp"
#include "memory/state.hpp"
#include "stream/sweep.hpp"
#include "systems/multicomponent/loops.hpp"

namespace watersmeet::multicomponent {

class Limiter {
 public:
  Limiter() = default;  // does nothing
  // shape: of this rank's part in the state, whose flags get one ghost layer; boundaries: sides with conditions, behind which nothing is flagged.
  Limiter(const memory::BlockShape& shape, Precision precision, const comm::Domain& domain,
          const BoundaryCall& boundaries, comm::Team& team, const Queue& queue);

  // On planes of a streamed solution, whose flags are elsewhere.
  Limiter(comm::Team& team, const Queue& queue);

  bool on() const { return team_ != nullptr; }
  // Corrects what a stage wrote into `out`. The launch is that of the stage over the whole part, the
  // ghosts of `in` are valid still.
  void run(TwoFluidLoops& loops, const exec::Launch& launch);
  // Pass n of them.
  LimitPassCall on_planes(const stream::Planes& planes, int n) const;
  // Which faces were of first order in the stage just corrected, for its boundary fluxes.
  void flag(LedgerCall& ledger) const;

  // Cells limited in all stages of all ranks since the start or the restart. Collective; waits.
  std::int64_t limited(const Queue& queue) const;

  static std::size_t bytes_needed(const memory::BlockShape& shape, Precision precision);

 private:
  comm::Team* team_ = nullptr;
  memory::State flags_;
  memory::Buffer marks_;
  exec::LimitRows rows_;
  comm::Exchange exchange_;
  memory::Buffer record_;  // and one of cells that other planes have too
};

}  // namespace watersmeet::multicomponent
