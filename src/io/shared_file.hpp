#pragma once
// A new HDF5 file whose arrays' values are spread over the ranks of a team; whichever rank writes, and on
// how many ranks, the bytes in it are the same. Rank 0 makes the file with all its metadata and
// room for the values, as one process would; then
//
//     gathered     rank 0 asks the others for their values, piece by piece in the file's order, and
//                  writes them: it holds two pieces, never an array
//     together     all ranks open the file through MPI, and each writes its own part
//
// and rank 0 gives the file its name. What fails on one rank is thrown by all, and no file is left.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "io/hdf5_file.hpp"
#include "io/share.hpp"

namespace watersmeet::io {

// The parts of a box, cut along its slowest axes, whose values are contiguous in the box's own: as
// few as have at most `limit` bytes each, but at least a row of cells.
std::vector<Box> pieces_of(const Box& box, std::size_t cell_bytes, std::size_t limit);

struct SharedArray {
  std::string path;    // in the file: "/arrays/ux", shape (nz, ny, nx[, components])
  int components = 1;  // 1: no trailing axis
  Precision memory = Precision::double_, stored = Precision::double_;
  const void* values = nullptr;  // of this rank's part, [k][j][i][c], contiguous
  // The array's own box and this rank's part of it, which may be empty; those of the share when
  // nothing is said.
  std::optional<std::pair<Index3, Box>> own = std::nullopt;

  Index3 size(const Share& share) const { return own ? own->first : share.n; }
  Box part(const Share& share) const { return own ? own->second : share.mine; }
};

constexpr std::size_t largest_piece = std::size_t{64} << 20;

// Writes PATH atomically. `describe` makes everything but the arrays' values (on one rank), `last`
// may add to the closed PATH.part (on one rank).
void write_shared_file(const std::string& path, std::uint64_t payload_bytes,
                       const std::function<void(Hdf5File&)>& describe,
                       const std::vector<SharedArray>& arrays, const Share& share,
                       const std::function<void(const std::string& part)>& last = nullptr,
                       std::size_t piece_limit = largest_piece);

}  // namespace watersmeet::io
