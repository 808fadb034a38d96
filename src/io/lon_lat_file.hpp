#pragma once
// Fields of a cubed sphere on a regular grid of longitudes and latitudes: netCDF-4 after CF-1.9,
// which is HDF5 with dimension scales, so that the HDF5 layer writes it and no library more is
// needed. One file per output time, with a time axis of one entry. Layout: docs/reference/files.md.

#include <cstdint>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/provenance.hpp"
#include "io/share.hpp"
#include "io/snapshot.hpp"
#include "mesh/lon_lat_remap.hpp"

namespace watersmeet::io {

// "DIRECTORY/latlon_000123.nc"
std::string lon_lat_path(const std::string& directory, std::int64_t step);

// What is written of the quantities `wanted`: a component to the east or north of a vector that the
// system has ("velocity_east" of "velocity") comes from the vector, whose Cartesian components are
// smooth where its own are not, at the poles. Names of quantities, every one once.
std::vector<std::string> lon_lat_sources(
    const std::vector<std::string>& wanted,
    const std::vector<std::pair<std::string, int>>& names_and_components);

struct LonLatRun {
  double time = 0;
  std::int64_t step = 0;
  SphereShape sphere = {};
  std::int64_t levels = 1;  // planes of a panel
  bool si_units = false;
};

// `remap` is that of rank 0, null on others.
// Gathers the fields, remaps them on rank 0 and writes PATH atomically. Of a vector its components
// to the east, to the north and, with several levels, upwards; `parts` has the names, units and
// standard names of these where the system has them as quantities. Collective; what fails on rank 0
// is thrown there alone.
void write_lon_lat(const std::string& path, const mesh::LonLatRemap* remap, const LonLatRun& run,
                   const std::vector<SnapshotField>& fields,
                   const std::vector<SnapshotField>& parts, const Provenance& provenance,
                   const std::string& precision_of_file, const Share& share);

}  // namespace watersmeet::io
