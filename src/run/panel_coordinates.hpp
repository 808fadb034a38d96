#pragma once
// The panels of a cubed sphere as one array a field, in the snapshot that has them as blocks: the
// root of the file gets CF coordinates and every field as a virtual array of its blocks, so that
// readers of netCDF open a snapshot as (face, level, y, x). Layout: docs/reference/files.md.

#include "run/hdf5_file.hpp"
#include "run/snapshot.hpp"

namespace watersmeet::run {

// Bytes of the coordinates.
std::uint64_t panel_coordinate_bytes(const SnapshotSummary& snapshot);

// After the blocks and their fields. `radius` of the sphere; six blocks of n x n x levels.
void write_panel_coordinates(Hdf5File& file, const SnapshotSummary& snapshot, double radius);

}  // namespace watersmeet::run
