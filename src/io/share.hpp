#pragma once
// What this rank holds of a global array, for files that several ranks write together.

#include <cstdint>
#include <functional>
#include <string>

#include "comm/communicator.hpp"
#include "core/types.hpp"

namespace watersmeet::io {

// A rank's part of a box of n cells. `team` null: this process holds the whole, and `mine` is it.
// The parts of all ranks of the team cover the box, every cell once; a part may be empty. Files are
// collective calls of the team then: every rank calls with its own values, rank 0 (or all of them,
// where HDF5 is parallel) writes.
struct Share {
  comm::Communicator* team = nullptr;
  Index3 n{1, 1, 1};
  Box mine{{0, 0, 0}, {1, 1, 1}};

  bool alone() const { return team == nullptr || team->size() == 1; }
};
inline Share whole_share(const Index3& n) { return {nullptr, n, {{0, 0, 0}, n}}; }

// How the ranks write a file in this directory: together where HDF5 is parallel and MPI connects
// them, and either all are on one host or the file system is one made for writers on several; never
// on NFS, which does not keep their caches coherent. Collective.
enum class WritingMethod { alone, gathered, together };
WritingMethod choose_writing(const Share& share, const std::string& directory);
// The same as text: "one process", "gathered by rank 0", "parallel HDF5".
std::string writing_method(const Share& share, const std::string& directory);
// Whether ranks on that many hosts may write one file on a file system of this type together
// (f_type of statfs(2)).
bool fit_for_writing_together(std::uint64_t file_system, int hosts);

// Runs `work` on rank 0 alone, and `meanwhile`, which must not fail on its own, on the others; what
// `work` throws is thrown by all, as comm::AgreedError with the same text. Collective; `team` may
// be null.
void on_first(comm::Communicator* team, const std::function<void()>& work,
              const std::function<void()>& meanwhile = nullptr);

}  // namespace watersmeet::io
