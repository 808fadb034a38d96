// Writing and scanning of snapshots; layout in docs/reference/files.md.
#include "io/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/block_snapshot.hpp"
#include "io/gather.hpp"
#include "io/hdf5_file.hpp"
#include "io/run_directory.hpp"
#include "io/shared_file.hpp"
#include "io/vtkhdf.hpp"

namespace watersmeet::io {
namespace {

const std::vector<std::string> reserved_names = {
    "x",           "y",   "z",         "time",    "run",         "VTKHDF", "component",
    "component_9", "xyz", "x_faces",   "y_faces", "z_faces",     "face",   "level",
    "lon",         "lat", "cell_area", "blocks",  "level_height"};

void check(const SnapshotSummary& snapshot) {
  for (std::size_t a = 0; a < 3; ++a) {
    require(snapshot.n[a] > 0, "a snapshot needs one cell per axis");
    require(snapshot.faces[a].empty() || std::ssize(snapshot.faces[a]) == snapshot.n[a] + 1,
            "uneven cells have one face more than cells");
  }
  for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
    const FieldSummary& field = snapshot.fields[f];
    require(field.components >= 1, "a field needs a component");
    require(!field.name.empty() && field.name.find('/') == std::string::npos,
            "a field's name must not be empty or hold a slash");
    if (std::count(reserved_names.begin(), reserved_names.end(), field.name) > 0) {
      throw Error(ErrorKind::internal,
                  fmt::format("field name {} is taken by the snapshot's own layout", field.name));
    }
    for (std::size_t g = 0; g < f; ++g) {
      require(snapshot.fields[g].name != field.name, "two fields of one name");
    }
  }
}

std::uint64_t payload_bytes(const SnapshotSummary& snapshot) {
  std::uint64_t bytes = 0;
  for (const FieldSummary& field : snapshot.fields) {
    std::uint64_t one = size_of(field.precision);
    for (const std::uint64_t n : extents_of(snapshot.n, field.components)) one *= n;
    bytes += room_for(one);
  }
  return bytes;
}

}  // namespace

bool uneven(const SnapshotSummary& snapshot) {
  return std::any_of(snapshot.faces.begin(), snapshot.faces.end(),
                     [](const std::vector<double>& faces) { return !faces.empty(); });
}

std::vector<double> faces_along(const SnapshotSummary& snapshot, std::size_t axis) {
  if (!snapshot.faces[axis].empty()) return snapshot.faces[axis];
  std::vector<double> faces(static_cast<std::size_t>(snapshot.n[axis]) + 1);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    faces[i] = snapshot.origin[axis] + static_cast<double>(i) * snapshot.spacing[axis];
  }
  return faces;
}

SnapshotSummary summarise(const std::string& path, const SnapshotGrid& grid, double time,
                          std::int64_t step, const std::vector<SnapshotField>& fields,
                          const std::string& precision_of_file) {
  require(
      precision_of_file.empty() || precision_of_file == "single" || precision_of_file == "double",
      "precision of a file is single, double or empty");
  SnapshotSummary summary;
  summary.file = std::filesystem::path(path).filename().string();
  summary.time = time;
  summary.step = step;
  summary.n = grid.n;
  for (std::size_t a = 0; a < 3; ++a) {
    summary.origin[a] = grid.lower[a] + (grid.cell_offset - 0.5) * grid.spacing[a];
  }
  summary.spacing = grid.spacing;
  summary.length_units = grid.length_units;
  summary.time_units = grid.time_units;
  summary.faces = grid.faces;
  summary.blocks = grid.blocks;
  summary.values_in_cells = grid.values_in_cells;
  summary.moved_corners = grid.moved_corners;
  if (grid.values_in_cells) summary.n = {grid.n[0] * grid.n[1] * grid.n[2], 1, 1};
  for (const SnapshotField& field : fields) {
    Precision stored = field.precision;
    if (precision_of_file == "single") stored = Precision::single_;
    if (precision_of_file == "double") stored = Precision::double_;
    summary.fields.push_back({field.name, field.long_name.empty() ? field.name : field.long_name,
                              field.units, field.standard_name, field.components, stored});
  }
  return summary;
}

void write_snapshot(const std::string& path, const SnapshotGrid& grid, double time,
                    std::int64_t step, double dt, double wall,
                    const std::vector<SnapshotField>& fields, const Provenance& provenance,
                    const std::string& precision_of_file, const Share& share,
                    const std::map<std::string, double>& numbers, int deflate) {
  if (deflate > 0 && !share.alone()) {
    std::vector<SnapshotField> gathered = fields;
    std::vector<std::vector<char>> whole;
    for (SnapshotField& field : gathered) {
      whole.push_back(
          gather_box(share, field.values,
                     static_cast<std::size_t>(field.components) * size_of(field.precision)));
      field.values = whole.back().data();
    }
    on_first(share.team, [&] {
      write_snapshot(path, grid, time, step, dt, wall, gathered, provenance, precision_of_file,
                     whole_share(grid.n), numbers, deflate);
    });
    return;
  }
  const SnapshotSummary snapshot = summarise(path, grid, time, step, fields, precision_of_file);
  check(snapshot);
  require(share.n == grid.n, "the ranks share the snapshot's grid");
  require(deflate == 0 || snapshot.blocks.empty(), "blocks are not compressed");
  if (!snapshot.blocks.empty()) {
    write_block_snapshot(path, snapshot, grid.sphere, dt, wall, fields, provenance, share, numbers);
    return;
  }
  std::vector<SharedArray> arrays;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    arrays.push_back({"/VTKHDF/CellData/" + fields[f].name, fields[f].components,
                      fields[f].precision, snapshot.fields[f].precision, fields[f].values});
  }
  const auto describe = [&](Hdf5File& file) {
    write_cf_attributes(file, provenance);
    Hdf5Dataset clock = file.root().create_dataset("time", ElementType::float64, {});
    clock.write(&time, ElementType::float64);
    clock.set("long_name", "time");
    clock.set("standard_name", "time");
    clock.set("units", snapshot.time_units);
    clock.set("axis", "T");

    CoordinateScales scales(file, snapshot);
    // Over terrain the true height is a coordinate of all others (CF conventions, 5.2).
    const bool has_height = std::any_of(snapshot.fields.begin(), snapshot.fields.end(),
                                        [](const FieldSummary& f) { return f.name == "height"; });
    VtkGroups groups = create_image_groups(file, snapshot);
    for (const FieldSummary& stored : snapshot.fields) {
      Hdf5Dataset dataset =
          groups.cells.create_dataset(stored.name, element_type(stored.precision),
                                      extents_of(snapshot.n, stored.components), deflate);
      scales.dress(file, dataset, stored, 0);
      const bool height = snapshot.moved_corners && stored.name != "height" && has_height;
      dataset.set("coordinates", height ? "time height" : "time");
      mark_default_array(dataset, stored, snapshot.fields);
    }
    write_run(file, provenance, snapshot, dt, wall, numbers);
  };
  // How much a compressed file takes is not known before.
  write_shared_file(path, deflate > 0 ? 0 : payload_bytes(snapshot), describe, arrays, share);
}

SnapshotSummary read_snapshot_summary(const std::string& path) {
  Hdf5File file = Hdf5File::open(path);
  const Hdf5Group& root = file.root();
  SnapshotSummary summary;
  summary.file = std::filesystem::path(path).filename().string();
  if (root.exists("blocks")) {
    read_block_summary(file, path, summary);
    return summary;
  }
  const Hdf5Group vtk = root.open_group("VTKHDF");
  const auto extent = vtk.integers("WholeExtent");
  const auto origin = vtk.reals("Origin");
  const auto spacing = vtk.reals("Spacing");
  if (extent.size() != 6 || origin.size() != 3 || spacing.size() != 3) {
    throw Error(ErrorKind::io, fmt::format("{}: attributes of /VTKHDF have wrong sizes", path));
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (extent[2 * a] < 0 || extent[2 * a + 1] < extent[2 * a]) {
      throw Error(ErrorKind::io, fmt::format("{}: WholeExtent of /VTKHDF is no range", path));
    }
    summary.n[a] = extent[2 * a + 1] - extent[2 * a];
    summary.origin[a] = origin[a];
    summary.spacing[a] = spacing[a];
  }
  const Hdf5Dataset clock = root.open_dataset("time");
  summary.time = clock.read_number();
  summary.time_units = clock.text("units");
  summary.length_units = root.open_dataset("x").text("units");
  summary.moved_corners = root.open_dataset("z").has("corners");
  summary.step = root.open_group("run").integer("step");
  for (std::size_t a = 0; a < 3 && root.exists("z_faces"); ++a) {
    const Hdf5Dataset faces = root.open_dataset(std::string(1, "xyz"[a]) + "_faces");
    if (!faces.has("uneven")) continue;
    if (faces.extents() != Extents{static_cast<std::uint64_t>(summary.n[a] + 1)}) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: {}_faces does not have the size of the grid", path, "xyz"[a]));
    }
    summary.faces[a].resize(static_cast<std::size_t>(summary.n[a] + 1));
    faces.read(summary.faces[a].data(), ElementType::float64);
  }
  const Hdf5Group cells = vtk.open_group("CellData");
  for (const std::string& name : cells.names()) {
    summary.fields.push_back(read_field(cells, name, summary.n, path, "the grid"));
  }
  return summary;
}

std::vector<SnapshotSummary> scan_snapshots(const std::string& directory,
                                            std::vector<std::string>* skipped,
                                            const std::string& kind) {
  std::vector<SnapshotSummary> found;
  for (const std::string& path : list_snapshots(directory, kind)) {
    try {
      found.push_back(read_snapshot_summary(path));
    } catch (const Error& error) {
      if (skipped != nullptr) skipped->push_back(error.what());
    }
  }
  return found;
}

}  // namespace watersmeet::io
