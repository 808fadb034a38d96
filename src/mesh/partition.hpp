#pragma once
// Cutting the blocks of a mesh into parts for several ranks. The parts are blocks again, joined by
// links derived from those of the whole, so that nothing above notices.
//
//        whole: one periodic block            parts
//        +-----------------+                  +-----+-----+-----+
//        |        0        | linked           |  0  |  1  |  2  |   0-1, 1-2 inside,
//        +-----------------+ to itself        +-----+-----+-----+   2-0 from the whole's own link

#include <span>

#include "mesh/mesh.hpp"

namespace watersmeet::mesh {

struct Part {
  int parent = 0;  // block of the whole
  Box box;         // cells of the parent
  int rank = 0;
};

// Block p of the result is parts[p]: its size, its origin in the index space of the whole, its
// owner. The parts of each block must cover it, every cell once: else Error{internal}.
Mesh split(const Mesh& whole, std::span<const Part> parts);

}  // namespace watersmeet::mesh
