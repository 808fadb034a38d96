#pragma once
// The panels of a cubed sphere as one array a field, in the snapshot that has them as blocks: the
// root of the file gets CF coordinates and every field as a virtual array of its blocks, so that
// readers of netCDF open a snapshot as (face, level, y, x). Layout: docs/reference/files.md.

#include "io/hdf5_file.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

// Bytes of the coordinates.
std::uint64_t panel_coordinate_bytes(const SnapshotSummary& snapshot);

// After the blocks and their fields; six blocks of n x n x levels.
void write_panel_coordinates(Hdf5File& file, const SnapshotSummary& snapshot,
                             const SphereShape& sphere);

// Heights of the middles of levels along the scale `level`, where there are any; `ends`: a scale of
// two, with which the faces are written too.
constexpr const char* level_height_name = "level_height";
void write_level_heights(Hdf5Group& root, const Hdf5Dataset& level,
                         const std::vector<double>& faces, const std::string& units,
                         const Hdf5Dataset* ends = nullptr);

}  // namespace watersmeet::io
