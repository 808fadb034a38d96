#pragma once
// What this rank holds of a global array, for files that several ranks write together.

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace watersmeet::run {

// A rank's part of a box of n cells. `team` null: this process holds the whole, and `mine` is it.
// The parts of all ranks of the team cover the box, every cell once. Files are collective calls of
// the team then: every rank calls with its own values, rank 0 (or all of them, where HDF5 is
// parallel) writes.
struct Share {
  comm::Communicator* team = nullptr;
  Index3 n{1, 1, 1};
  Box mine{{0, 0, 0}, {1, 1, 1}};

  bool alone() const { return team == nullptr || team->size() == 1; }
};
inline Share whole_share(const Index3& n) { return {nullptr, n, {{0, 0, 0}, n}}; }

}  // namespace watersmeet::run
