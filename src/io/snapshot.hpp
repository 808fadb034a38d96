#pragma once
// Snapshots: one HDF5 file per output time that is VTKHDF ImageData, netCDF-4 with CF coordinates
// and plain HDF5 at once. Layout: docs/reference/files.md. Sources: VTK's VTKHDF specification 2.2,
// the netCDF-4 format's dimension scales, CF conventions 1.9.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/provenance.hpp"
#include "io/share.hpp"

namespace watersmeet::io {

struct SnapshotField {
  std::string name, long_name, units, standard_name;  // standard_name may be empty
  int components = 1;                                 // 1, or 3 for a vector, 9 for a tensor
  Precision precision = Precision::double_;           // of the values in memory
  const void* values = nullptr;  // host, [k][j][i][c], contiguous, no ghosts: of the
                                 // whole grid, or of this rank's part of it
};

// A cubed sphere whose panels are blocks of cells.
struct SphereShape {
  double radius = 0;  // 0: there is none
  // Heights of the faces of its levels where the ground is at 0; empty: panels have no height.
  std::vector<double> level_faces = {};
};

// Uniform Cartesian grid; cell centre i of an axis is at lower + (i + cell_offset) * spacing.
//
//     cell_offset = 0.5   cells between lower and upper:       |--o--|--o--|
//                         the first | is the lower end of cell 0, at lower
//     cell_offset = 0     points of a periodic nodal system:   o--|--o--|--o
//                         the first o is point 0, at lower, the centre of cell 0
struct SnapshotGrid {
  Index3 n{1, 1, 1};  // cells along x, y, z
  Real3 lower{0, 0, 0};
  Real3 spacing{1, 1, 1};
  double cell_offset = 0.5;
  std::string length_units = "1";
  std::string time_units = "1";
  // Along an axis of uneven cells their n + 1 faces, which then count; `spacing` is the mean.
  std::array<std::vector<double>, 3> faces = {};
  // Curvilinear blocks: the nodes of each, which follow each other in the values of a field; n is
  // then the number of all nodes x 1 x 1, and the coordinates stand in mesh.h5.
  std::vector<Index3> blocks = {};
  // The blocks are of cells, which the nodes in mesh.h5 are the corners of; n is then the box of
  // all, block above block, and each block is some of its planes along z.
  bool values_in_cells = false;
  // Without blocks: the true corners of the cells, whose levels follow the terrain, are those of
  // the one block of mesh.h5.
  bool moved_corners = false;
  SphereShape sphere = {};  // whose panels the blocks are
};

// Writes PATH atomically (PATH.part, flushed, renamed). precision_of_file: "single" or "double"
// converts every field, empty keeps each field's own. Errors: Error{io}; no file or the previous
// one stays then. By all ranks of a team, each with the values of its part; collective. The bytes in
// the file do not depend on the parts, but for what the provenance says of the ranks. Nothing else
// may differ between the ranks' calls. Errors are thrown by all. `numbers`: further attributes of /run.
// `deflate`: level of compression (hdf5_file.hpp), of boxes alone: rank 0 then gathers each field.
void write_snapshot(const std::string& path, const SnapshotGrid& grid, double time,
                    std::int64_t step, double dt, double wall,
                    const std::vector<SnapshotField>& fields, const Provenance& provenance,
                    const std::string& precision_of_file, const Share& share,
                    const std::map<std::string, double>& numbers = {}, int deflate = 0);

// What the index files (fields.xmf, series.vtkhdf) need to know of one snapshot.
struct FieldSummary {
  std::string name, long_name, units, standard_name;
  int components = 1;
  Precision precision = Precision::double_;  // in the file
  bool operator==(const FieldSummary&) const = default;
};
struct SnapshotSummary {
  std::string file;  // without directory
  double time = 0;
  std::int64_t step = 0;
  Index3 n{1, 1, 1};
  Real3 origin{0, 0, 0};  // lower corner of the first cell
  Real3 spacing{1, 1, 1};
  std::string length_units, time_units;
  std::array<std::vector<double>, 3> faces;  // of uneven cells; empty along uniform axes
  std::vector<Index3> blocks;                // nodes of curvilinear blocks, or cells
  bool values_in_cells = false;
  bool moved_corners = false;  // those of the block in mesh.h5
  std::vector<FieldSummary> fields;
};

// The same that read_snapshot_summary() would find in a file just written with these arguments.
SnapshotSummary summarise(const std::string& path, const SnapshotGrid& grid, double time,
                          std::int64_t step, const std::vector<SnapshotField>& fields,
                          const std::string& precision_of_file = "");

// Whether cells are uneven along an axis; the faces along one, uneven or not.
bool uneven(const SnapshotSummary& snapshot);
std::vector<double> faces_along(const SnapshotSummary& snapshot, std::size_t axis);

// Reads a snapshot's summary back. Errors: Error{io} naming what is missing.
SnapshotSummary read_snapshot_summary(const std::string& path);

// Summaries of all finished snapshots of a folder, or of its averages of a name (run_directory.hpp), by step. Files that cannot be read are left out;
// what was wrong with them is appended to `skipped` if given.
std::vector<SnapshotSummary> scan_snapshots(const std::string& directory,
                                            std::vector<std::string>* skipped = nullptr,
                                            const std::string& kind = "fields");

}  // namespace watersmeet::io
