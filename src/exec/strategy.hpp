#pragma once
// The face forms as a launch an axis with a thread a cell, common part. The strategies are those of
// J. Xu et al. (2019), Optimizing Finite Volume Method Solvers on Nvidia GPUs, section 4; they
// differ in where a thread finds the edges of the cells beside its own:
//
//        cell i-1      |      cell i       |      cell i+1
//              upper   |   lower     upper |   lower
//              wanted  |    own       own  |   wanted
//
//   none      each thread makes all four edges, from five cells
//   shared    each makes its own two, from three cells, and finds the others in shared memory
//   shuffle   the same, with the lanes beside it in its warp
//
// At the ends of a group, the block or the warp, a neighbour is missing. Either the thread there
// makes that edge too while the others wait, or groups overlap and have a halo thread at each end,
// which makes its edges and has no cell to update.
//
// Every thread solves both of its faces, and states are made anew on every axis. The marches
// (plane_cuda.hpp, face_compact_cuda.hpp) do neither; these are for comparison, and for grids on
// which a march has too few threads for the device.

#include <string>

namespace watersmeet::exec {

enum class NeighbourSource { none, shared, shuffle };

struct Strategy {
  NeighbourSource source = NeighbourSource::none;
  bool halo_threads = false;
  // Shapes of blocks and bounds of registers from exec/axis_tuning.hpp, loads through the read-only
  // cache and as much of it as there is. False, with `none` only: square blocks, and whatever
  // the compiler and the driver take.
  bool tuned = true;
};

// In tables: base, tuned, shared, shared-halo, shuffle or shuffle-halo.
inline std::string name_of(const Strategy& choice) {
  if (choice.source == NeighbourSource::none) return choice.tuned ? "tuned" : "base";
  const std::string name = choice.source == NeighbourSource::shared ? "shared" : "shuffle";
  return choice.halo_threads ? name + "-halo" : name;
}

}  // namespace watersmeet::exec
