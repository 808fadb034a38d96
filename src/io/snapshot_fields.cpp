#include "io/snapshot_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "io/mesh_h5.hpp"

namespace watersmeet::io {
namespace {

// A box of [k][j][i] or [k][j][i][c].
std::vector<double> read_component(const Hdf5Dataset& dataset, int component, bool is_vector,
                                   const Box& box) {
  Extents start = extents_of(box.lower);
  Extents count = extents_of({box.size(0), box.size(1), box.size(2)});
  if (is_vector) {
    start.push_back(static_cast<std::uint64_t>(component));
    count.push_back(1);
  }
  std::vector<double> values(static_cast<std::size_t>(box.count()));
  dataset.read_box(start, count, values.data(), ElementType::float64);
  return values;
}

}  // namespace

SnapshotFields::SnapshotFields(const std::string& path)
    : path_(path), summary_(read_snapshot_summary(path)), file_(Hdf5File::open(path)) {
  if (!summary_.values_in_cells) return;
  const Index3& first = summary_.blocks.front();
  for (const Index3& block : summary_.blocks) {
    if (block[0] == first[0] && block[1] == first[1]) continue;
    throw Error(ErrorKind::io, fmt::format("{}: its blocks are not of one width", path_));
  }
}

Index3 SnapshotFields::n() const {
  if (summary_.blocks.empty()) return summary_.n;
  if (summary_.values_in_cells) {
    Index3 stack{summary_.blocks.front()[0], summary_.blocks.front()[1], 0};
    for (const Index3& block : summary_.blocks) stack[2] += block[2];
    return stack;
  }
  Index3 row{0, 1, 1};
  for (const Index3& block : summary_.blocks) row[0] += block[0] * block[1] * block[2];
  return row;
}

std::vector<std::string> SnapshotFields::names() const {
  std::vector<std::string> all;
  for (const FieldSummary& field : summary_.fields) all.push_back(field.name);
  return all;
}

bool SnapshotFields::has(const std::string& name, int component) const {
  return std::any_of(summary_.fields.begin(), summary_.fields.end(), [&](const FieldSummary& f) {
    return f.name == name && component < f.components;
  });
}

std::vector<double> SnapshotFields::read_planes(const std::string& name, int component,
                                                bool is_vector, const Box& box) const {
  std::vector<double> values;
  std::int64_t first = 0;
  for (std::size_t b = 0; b < summary_.blocks.size(); ++b) {
    const std::int64_t planes = summary_.blocks[b][2];
    Box here = box;
    here.lower[2] = std::max(box.lower[2] - first, std::int64_t{0});
    here.upper[2] = std::min(box.upper[2] - first, planes);
    first += planes;
    if (here.empty()) continue;
    const Hdf5Group group =
        file_.root().open_group("blocks").open_group(block_group(static_cast<int>(b)));
    const std::vector<double> block =
        read_component(group.open_dataset(name), component, is_vector, here);
    values.insert(values.end(), block.begin(), block.end());
  }
  return values;
}

std::vector<double> SnapshotFields::read_box(const std::string& name, int component,
                                             const Box& box) const {
  const auto field = std::find_if(summary_.fields.begin(), summary_.fields.end(),
                                  [&](const FieldSummary& f) { return f.name == name; });
  require(field != summary_.fields.end(), "a field that the snapshot has");
  const bool is_vector = field->components > 1;
  std::vector<double> values;
  if (summary_.blocks.empty()) {
    values =
        read_component(file_.root().open_group("VTKHDF").open_group("CellData").open_dataset(name),
                       component, is_vector, box);
  } else if (summary_.values_in_cells) {
    values = read_planes(name, component, is_vector, box);
  } else {
    std::int64_t first = 0;
    for (std::size_t b = 0; b < summary_.blocks.size(); ++b) {
      const Index3& n = summary_.blocks[b];
      const std::int64_t from = std::max(box.lower[0] - first, std::int64_t{0});
      const std::int64_t to = std::min(box.upper[0] - first, n[0] * n[1] * n[2]);
      first += n[0] * n[1] * n[2];
      if (from >= to) continue;
      const Hdf5Group group =
          file_.root().open_group("blocks").open_group(block_group(static_cast<int>(b)));
      const std::vector<double> block =
          read_component(group.open_dataset(name), component, is_vector, {{0, 0, 0}, n});
      values.insert(values.end(), block.begin() + from, block.begin() + to);
    }
  }
  if (std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    return values;
  throw Error(ErrorKind::io,
              fmt::format("{}: the field {} has values that are not finite", path_, name));
}

}  // namespace watersmeet::io
