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

// The part of a block that this rank has, perhaps none of it, and the first cell of the part among the
// rank's own.
struct BlockPart {
  Box box;
  std::int64_t first = 0;
};

// Of blocks that are planes of a box, of which the rank has any part.
std::vector<BlockPart> parts_of_planes(const std::vector<Index3>& blocks, const Share& share) {
  std::vector<BlockPart> parts;
  std::int64_t first = 0;  // plane of a block
  for (const Index3& n : blocks) {
    Box part = share.mine;
    part.lower[2] = std::max(part.lower[2], first) - first;
    part.upper[2] = std::min(part.upper[2], first + n[2]) - first;
    if (part.lower[2] < part.upper[2]) {
      const std::int64_t before = part.lower[2] + first - share.mine.lower[2];
      parts.push_back({part, before * share.mine.size(0) * share.mine.size(1)});
    } else {
      parts.push_back({});
    }
    first += n[2];
  }
  require(first == share.n[2], "the blocks are the planes of the box");
  return parts;
}

// Of blocks of nodes, each of which belongs to one rank.
std::vector<BlockPart> parts_of_nodes(const std::vector<Index3>& blocks, const Share& share) {
  std::vector<BlockPart> parts;
  std::int64_t first = 0;  // node of a block
  for (const Index3& n : blocks) {
    const std::int64_t after = first + n[0] * n[1] * n[2];
    const bool mine = share.mine.lower[0] <= first && after <= share.mine.upper[0];
    require(mine || after <= share.mine.lower[0] || share.mine.upper[0] <= first,
            "each block belongs to one rank");
    parts.push_back(mine ? BlockPart{{{0, 0, 0}, n}, first - share.mine.lower[0]} : BlockPart{});
    first = after;
  }
  return parts;
}

std::vector<SharedArray> arrays_of(const SnapshotSummary& snapshot,
                                   const std::vector<SnapshotField>& fields, const Share& share) {
  const std::vector<BlockPart> parts = snapshot.values_in_cells
                                           ? parts_of_planes(snapshot.blocks, share)
                                           : parts_of_nodes(snapshot.blocks, share);
  std::vector<SharedArray> arrays;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const SnapshotField& field = fields[f];
    const std::size_t bytes = static_cast<std::size_t>(field.components) * size_of(field.precision);
    for (std::size_t b = 0; b < parts.size(); ++b) {
      const void* const values = parts[b].box.empty()
                                     ? nullptr
                                     : static_cast<const char*>(field.values) +
                                           static_cast<std::size_t>(parts[b].first) * bytes;
      arrays.push_back({"/blocks/" + block_group(static_cast<int>(b)) + "/" + field.name,
                        field.components, field.precision, snapshot.fields[f].precision, values,
                        std::pair{snapshot.blocks[b], parts[b].box}});
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
    write_run(file, provenance, snapshot, dt, wall, numbers);
  };
  write_shared_file(path, bytes, describe, arrays_of(snapshot, fields, share), share);
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
