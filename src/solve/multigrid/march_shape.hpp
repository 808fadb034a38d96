#pragma once
// Tiles and chunks of a marching pass, by a model of its time: the passes that a multiprocessor
// makes one after the other, times the planes of each, halos included. Deeper pipelines have wider
// halos, small levels few tiles; the numbers are in one place, to be tuned by measurement.

#include "core/types.hpp"
#include "solve/multigrid/march_arrays.hpp"

namespace watersmeet::solve {

struct MarchDevice {
  int most_threads = 512;  // of a block
  int multiprocessors = 132;
  int blocks_at_once = 1;  // on a multiprocessor
};

// lag: of the pass (MarchThread); width: columns of a thread, 2 or 4. Tiles and chunks begin at
// even cells, so that the children of a coarse cell are in one.
MarchShape make_march_shape(const int (&n)[3], int lag, const MarchDevice& device, int width = 2);

}  // namespace watersmeet::solve
