// series.vtkhdf: all snapshots of a run as one temporal VTKHDF file without copying a value.
// Source: VTKHDF specification, "Temporal data" (Steps); HDF5 virtual datasets (H5Pset_virtual).
// File names in it are relative: the folder can be moved.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/vtkhdf.hpp"
#include "io/xdmf.hpp"

namespace watersmeet::io {
namespace {

// Fields that every snapshot has with as many components; double precision if one of them has it.
std::vector<FieldSummary> common_fields(const std::vector<SnapshotSummary>& snapshots) {
  std::vector<FieldSummary> common;
  for (FieldSummary field : snapshots.front().fields) {
    const bool everywhere =
        std::all_of(snapshots.begin(), snapshots.end(), [&field](const SnapshotSummary& snapshot) {
          return std::any_of(
              snapshot.fields.begin(), snapshot.fields.end(), [&field](const FieldSummary& other) {
                if (other.name != field.name || other.components != field.components) {
                  return false;
                }
                if (other.precision == Precision::double_) {
                  field.precision = Precision::double_;
                }
                return true;
              });
        });
    if (everywhere) common.push_back(field);
  }
  return common;
}

}  // namespace

bool write_series_vtkhdf(const std::string& directory) {
  const std::vector<SnapshotSummary> snapshots = scan_snapshots(directory);
  if (snapshots.empty()) return false;
  const SnapshotSummary& first = snapshots.front();
  if (!first.blocks.empty()) {
    throw Error(
        ErrorKind::unsupported,
        fmt::format("a series file holds snapshots of boxes; those of {} are on curvilinear "
                    "blocks: open {}",
                    directory, join(directory, "fields.xmf")));
  }
  std::vector<double> times;
  for (const SnapshotSummary& s : snapshots) {
    if (s.n != first.n || s.origin != first.origin || s.spacing != first.spacing ||
        s.faces != first.faces) {
      throw Error(ErrorKind::io,
                  fmt::format("no series file for {}: {} and {} have different grids", directory,
                              first.file, s.file));
    }
    times.push_back(s.time);
  }
  const auto n_steps = static_cast<std::uint64_t>(snapshots.size());
  const std::vector<FieldSummary> fields = common_fields(snapshots);
  const Provenance provenance = read_provenance(join(directory, snapshots.back().file));

  Hdf5File file = Hdf5File::create(join(directory, "series.vtkhdf"));
  write_cf_attributes(file, provenance);
  {
    Hdf5Dataset clock = file.root().create_dataset("time", times);
    clock.make_scale("time");
    clock.set("long_name", "time");
    clock.set("standard_name", "time");
    clock.set("units", first.time_units);
    clock.set("axis", "T");
    CoordinateScales scales(file, first);

    VtkGroups groups = create_image_groups(file, first);
    Hdf5Group steps = groups.root.create_group("Steps");
    steps.set("NSteps", static_cast<std::int64_t>(n_steps));
    steps.create_dataset("Values", times);
    Hdf5Group offsets = steps.create_group("CellDataOffsets");
    std::vector<std::int64_t> numbers(snapshots.size());
    for (std::size_t s = 0; s < numbers.size(); ++s) numbers[s] = static_cast<std::int64_t>(s);
    for (const FieldSummary& field : fields) {
      Extents extents = extents_of(first.n, field.components);
      extents.insert(extents.begin(), n_steps);
      std::vector<Hdf5Group::Source> sources;
      for (const SnapshotSummary& s : snapshots) {
        sources.push_back({s.file, "/VTKHDF/CellData/" + field.name});
      }
      Hdf5Dataset dataset =
          groups.cells.create_virtual(field.name, element_type(field.precision), extents, sources);
      dataset.attach_scale(0, clock);
      scales.dress(file, dataset, field, 1);
      mark_default_array(dataset, field, fields);
      offsets.create_dataset(field.name, numbers);
    }
    write_provenance(file, provenance);
  }
  file.finish();
  return true;
}

}  // namespace watersmeet::io
