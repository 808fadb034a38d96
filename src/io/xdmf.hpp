#pragma once
// Index files of a run's snapshots: fields.xmf (XDMF 3, for ParaView since 5.11 and VisIt) and
// series.vtkhdf (VTKHDF with time steps, whose arrays are virtual datasets over the snapshots, also
// readable as one netCDF-4 file).

#include <string>
#include <vector>

#include "io/provenance.hpp"
#include "io/snapshot.hpp"

namespace watersmeet::io {

// Replaces DIRECTORY/fields.xmf, or KIND.xmf, atomically. The snapshots lie in the same folder and are listed as
// given (by time).
void write_xdmf(const std::string& directory, const std::vector<SnapshotSummary>& snapshots,
                const std::string& kind = "fields");

// Writes DIRECTORY/series.vtkhdf over all finished snapshots of the folder, holding the fields that
// every one of them has. Returns false, and writes nothing, when there are no snapshots. Errors:
// Error{io}, also for snapshots of different grids.
bool write_series_vtkhdf(const std::string& directory);

}  // namespace watersmeet::io
