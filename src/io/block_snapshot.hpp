#pragma once
// Snapshots on curvilinear blocks: private to the snapshot writer and reader. The values of a field
// are one array (nk, nj, ni) for each block, /blocks/block_000/rho. mesh.h5 has the coordinates of
// the values or, where values belong to cells, of the corners of the cells.
//
// VTKHDF has structured grids only since 2.7, which readers in use do not support; so these files are
// plain HDF5, and fields.xmf lets readers show them.

#include <map>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

// As write_snapshot(). Each rank has whole blocks, its part of share.n being their nodes; or, where
// values belong to cells, any part of the box whose planes the blocks are. `sphere`: as in a
// SnapshotGrid.
void write_block_snapshot(const std::string& path, const SnapshotSummary& snapshot,
                          const SphereShape& sphere, double dt, double wall,
                          const std::vector<SnapshotField>& fields, const Provenance& provenance,
                          const Share& share, const std::map<std::string, double>& numbers);

void read_block_summary(const Hdf5File& file, const std::string& path, SnapshotSummary& summary);

}  // namespace watersmeet::io
