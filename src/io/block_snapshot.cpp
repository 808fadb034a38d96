#include "io/block_snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/mesh_h5.hpp"
#include "io/panel_coordinates.hpp"
#include "io/shared_file.hpp"
#include "io/vtkhdf.hpp"

namespace watersmeet::io {

namespace {

std::string dataset_path(std::size_t block, const std::string& field) {
  return "/blocks/" + block_group(static_cast<int>(block)) + "/" + field;
}

// This rank's part of a block that is the planes lower <= k < upper of a box, counted from the
// block's first plane.
Box part_of_block(const Share& share, std::int64_t lower, std::int64_t upper) {
  Box part = share.mine;
  part.lower[2] = std::max(part.lower[2], lower) - lower;
  part.upper[2] = std::min(part.upper[2], upper) - lower;
  return part.lower[2] < part.upper[2] ? part : Box{{0, 0, 0}, {0, 0, 0}};
}

// The arrays of blocks that are planes of a box, of which this rank has any part.
std::vector<SharedArray> plane_arrays(const SnapshotSummary& snapshot,
                                      const std::vector<SnapshotField>& fields,
                                      const Share& share) {
  std::vector<SharedArray> arrays;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::int64_t bytes = share.mine.size(0) * share.mine.size(1) * fields[f].components *
                               static_cast<std::int64_t>(size_of(fields[f].precision));
    std::int64_t first = 0;
    for (std::size_t b = 0; b < snapshot.blocks.size(); ++b) {
      const Index3& n = snapshot.blocks[b];
      const Box part = part_of_block(share, first, first + n[2]);
      SharedArray array{dataset_path(b, fields[f].name),
                        fields[f].components,
                        fields[f].precision,
                        snapshot.fields[f].precision,
                        nullptr,
                        std::pair{n, part}};
      if (!part.empty()) {
        array.values = static_cast<const char*>(fields[f].values) +
                       (part.lower[2] + first - share.mine.lower[2]) * bytes;
      }
      arrays.push_back(array);
      first += n[2];
    }
    require(first == share.n[2], "the blocks are the planes of the box");
  }
  return arrays;
}

// The arrays of blocks of nodes, each of which belongs to one rank; those of this rank with values.
std::vector<SharedArray> block_arrays(const SnapshotSummary& snapshot,
                                      const std::vector<SnapshotField>& fields,
                                      const Share& share) {
  std::vector<SharedArray> arrays;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::size_t bytes =
        static_cast<std::size_t>(fields[f].components) * size_of(fields[f].precision);
    std::int64_t first = 0;
    for (std::size_t b = 0; b < snapshot.blocks.size(); ++b) {
      const Index3& n = snapshot.blocks[b];
      const std::int64_t after = first + n[0] * n[1] * n[2];
      const bool mine = share.mine.lower[0] <= first && after <= share.mine.upper[0];
      require(mine || after <= share.mine.lower[0] || share.mine.upper[0] <= first,
              "each block belongs to one rank");
      SharedArray array{dataset_path(b, fields[f].name),
                        fields[f].components,
                        fields[f].precision,
                        snapshot.fields[f].precision,
                        nullptr,
                        std::pair{n, Box{{0, 0, 0}, mine ? n : Index3{0, 0, 0}}}};
      if (mine) {
        array.values = static_cast<const char*>(fields[f].values) +
                       static_cast<std::size_t>(first - share.mine.lower[0]) * bytes;
      }
      arrays.push_back(array);
      first = after;
    }
  }
  return arrays;
}

}  // namespace

void write_block_snapshot(const std::string& path, const SnapshotSummary& snapshot,
                          const SphereShape& sphere, double dt, double wall,
                          const std::vector<SnapshotField>& fields, const Provenance& provenance,
                          const Share& share, const std::map<std::string, double>& numbers) {
  std::uint64_t bytes = 0;
  for (const FieldSummary& field : snapshot.fields) {
    for (const Index3& n : snapshot.blocks) {
      bytes += room_for(static_cast<std::uint64_t>(n[0] * n[1] * n[2] * field.components) *
                        size_of(field.precision));
    }
  }
  if (sphere.radius > 0) bytes += panel_coordinate_bytes(snapshot);
  const auto describe = [&](Hdf5File& file) {
    write_cf_attributes(file, provenance);
    file.root().set("mesh", mesh_file_name);
    file.root().set("length_units", snapshot.length_units);
    Hdf5Dataset clock = file.root().create_dataset("time", ElementType::float64, {});
    clock.write(&snapshot.time, ElementType::float64);
    clock.set("long_name", "time");
    clock.set("units", snapshot.time_units);
    Hdf5Group blocks = file.root().create_group("blocks");
    for (std::size_t b = 0; b < snapshot.blocks.size(); ++b) {
      Hdf5Group block = blocks.create_group(block_group(static_cast<int>(b)));
      const Index3& n = snapshot.blocks[b];
      block.set(snapshot.values_in_cells ? "cells" : "nodes",
                std::vector<std::int64_t>{n[0], n[1], n[2]});
      for (const FieldSummary& field : snapshot.fields) {
        Hdf5Dataset dataset = block.create_dataset(field.name, element_type(field.precision),
                                                   extents_of(n, field.components));
        dataset.set("long_name", field.long_name);
        dataset.set("units", field.units);
      }
    }
    if (sphere.radius > 0) write_panel_coordinates(file, snapshot, sphere);
    write_provenance(file, provenance);
    Hdf5Group run = file.root().open_group("run");
    run.set("step", snapshot.step);
    run.set("t", snapshot.time);
    run.set("dt", dt);
    run.set("wall_time", wall);
    for (const auto& [name, number] : numbers) run.set(name, number);
  };
  write_shared_file(path, bytes, describe,
                    snapshot.values_in_cells ? plane_arrays(snapshot, fields, share)
                                             : block_arrays(snapshot, fields, share),
                    share);
}

void read_block_summary(const Hdf5File& file, const std::string& path, SnapshotSummary& summary) {
  const Hdf5Group& root = file.root();
  const Hdf5Dataset clock = root.open_dataset("time");
  summary.time = clock.read_number();
  summary.time_units = clock.text("units");
  summary.length_units = root.text("length_units");
  summary.step = root.open_group("run").integer("step");
  const Hdf5Group blocks = root.open_group("blocks");
  std::int64_t nodes = 0;
  for (const std::string& name : blocks.names()) {
    const Hdf5Group block = blocks.open_group(name);
    summary.values_in_cells = block.has("cells");
    const std::vector<std::int64_t> n = block.integers(summary.values_in_cells ? "cells" : "nodes");
    if (n.size() != 3) {
      throw Error(
          ErrorKind::io,
          fmt::format("{}: the size of {} has {} numbers instead of 3; the file is damaged or "
                      "not a snapshot",
                      path, name, n.size()));
    }
    double values = static_cast<double>(nodes);
    values += static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
    if (std::min({n[0], n[1], n[2]}) < 0 || values > 1e18) {
      throw Error(ErrorKind::io, fmt::format("{} is damaged: the size of {} is {} x {} x {}", path,
                                             name, n[0], n[1], n[2]));
    }
    summary.blocks.push_back({n[0], n[1], n[2]});
    nodes += n[0] * n[1] * n[2];
  }
  summary.n = {nodes, 1, 1};
  if (summary.blocks.empty()) return;
  const Hdf5Group first = blocks.open_group(block_group(0));
  for (const std::string& name : first.names()) {
    summary.fields.push_back(read_field(first, name, summary.blocks[0], path, "its block"));
  }
}

}  // namespace watersmeet::io
