// Common parts of snapshot and series files: VTKHDF groups, dimension scales, CF attributes.
// Sources: VTK's VTKHDF file format specification, "ImageData"; CF conventions 1.9, sections 4
// and 5.
#include "io/vtkhdf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/mesh_h5.hpp"

namespace watersmeet::io {

FieldSummary read_field(const Hdf5Group& group, const std::string& name, const Index3& n,
                        const std::string& path, const char* whose) {
  const Hdf5Dataset dataset = group.open_dataset(name);
  const Extents extents = dataset.extents();
  FieldSummary field;
  field.name = name;
  field.long_name = dataset.text("long_name");
  field.units = dataset.text("units");
  if (dataset.has("standard_name")) field.standard_name = dataset.text("standard_name");
  field.components = extents.size() == 4 ? static_cast<int>(extents[3]) : 1;
  field.precision =
      dataset.type() == ElementType::float32 ? Precision::single_ : Precision::double_;
  if (extents != extents_of(n, field.components)) {
    throw Error(ErrorKind::io,
                fmt::format("{}: {} does not have the size of {}", path, name, whose));
  }
  return field;
}

VtkGroups create_image_groups(Hdf5File& file, const SnapshotSummary& snapshot) {
  Hdf5Group vtk = file.root().create_group("VTKHDF");
  vtk.set("Version", std::vector<std::int64_t>{2, 2});
  vtk.set("Type", "ImageData");
  vtk.set("WholeExtent",
          std::vector<std::int64_t>{0, snapshot.n[0], 0, snapshot.n[1], 0, snapshot.n[2]});
  const auto list = [](const Real3& v) { return std::vector<double>(v.begin(), v.end()); };
  vtk.set("Origin", list(snapshot.origin));
  vtk.set("Spacing", list(snapshot.spacing));
  vtk.set("Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  Hdf5Group cells = vtk.create_group("CellData");
  return {std::move(vtk), std::move(cells)};
}

void mark_default_array(Hdf5Dataset& dataset, const FieldSummary& field,
                        const std::vector<FieldSummary>& fields) {
  for (const auto& [mark, components] : {std::pair{"Scalars", 1}, std::pair{"Vectors", 3}}) {
    const auto first =
        std::find_if(fields.begin(), fields.end(),
                     [n = components](const FieldSummary& other) { return other.components == n; });
    if (first != fields.end() && first->name == field.name) dataset.set("Attribute", mark);
  }
}

Hdf5Dataset CoordinateScales::scale(Hdf5File& file, const std::string& name,
                                    const SnapshotSummary& snapshot, int axis) {
  const auto a = static_cast<std::size_t>(axis);
  std::vector<double> centres(static_cast<std::size_t>(snapshot.n[a]));
  const std::vector<double>& faces = snapshot.faces[a];
  for (std::size_t i = 0; i < centres.size(); ++i) {
    centres[i] = faces.empty()
                     ? snapshot.origin[a] + (static_cast<double>(i) + 0.5) * snapshot.spacing[a]
                     : 0.5 * (faces[i] + faces[i + 1]);
  }
  Hdf5Dataset dataset = file.root().create_dataset(name, centres);
  dataset.make_scale(name);
  const bool levels = axis == 2 && snapshot.moved_corners;
  dataset.set("long_name", levels
                               ? "height of a level where the ground is at the bottom of the grid"
                               : name + " coordinate of the cell centres");
  if (levels) {
    dataset.set("corners", std::string(mesh_file_name) + ":/blocks/" + block_group(0) + "/xyz");
  }
  dataset.set("units", snapshot.length_units);
  dataset.set("axis", std::string(1, "XYZ"[a]));
  if (axis == 2) dataset.set("positive", "up");
  return dataset;
}

CoordinateScales::CoordinateScales(Hdf5File& file, const SnapshotSummary& snapshot)
    : x_(scale(file, "x", snapshot, 0)),
      y_(scale(file, "y", snapshot, 1)),
      z_(scale(file, "z", snapshot, 2)) {
  for (std::size_t a = 0; a < 3 && uneven(snapshot); ++a) write_faces(file, snapshot, a);
}

// Scales of their own, so that readers of netCDF find a name for their length.
void CoordinateScales::write_faces(Hdf5File& file, const SnapshotSummary& snapshot,
                                   std::size_t axis) {
  const std::string name(1, "xyz"[axis]);
  Hdf5Dataset dataset = file.root().create_dataset(name + "_faces", faces_along(snapshot, axis));
  dataset.make_scale(name + "_faces");
  dataset.set("long_name", name + " coordinate of the faces of the cells");
  dataset.set("units", snapshot.length_units);
  if (!snapshot.faces[axis].empty()) dataset.set("uneven", "true");
}

void CoordinateScales::dress(Hdf5File& file, Hdf5Dataset& dataset, const FieldSummary& field,
                             int first_axis) {
  dataset.attach_scale(first_axis, z_);
  dataset.attach_scale(first_axis + 1, y_);
  dataset.attach_scale(first_axis + 2, x_);
  if (field.components > 1) {
    auto found = components_.find(field.components);
    if (found == components_.end()) {
      const std::string name =
          field.components == 3 ? "component" : fmt::format("component_{}", field.components);
      found = components_
                  .emplace(field.components, file.root().create_number_scale(
                                                 name, static_cast<std::uint64_t>(field.components),
                                                 "number of the vector or tensor component"))
                  .first;
    }
    dataset.attach_scale(first_axis + 3, found->second);
  }
  dataset.set("long_name", field.long_name.empty() ? field.name : field.long_name);
  dataset.set("units", field.units);
  if (!field.standard_name.empty()) dataset.set("standard_name", field.standard_name);
  file.root().link("/VTKHDF/CellData/" + field.name, field.name);
}

void write_cf_attributes(Hdf5File& file, const Provenance& provenance) {
  Hdf5Group& root = file.root();
  root.set("Conventions", "CF-1.9");
  const auto set = [&root](const char* name, const std::string& text) {
    if (!text.empty()) root.set(name, text.substr(0, 32768));
  };
  set("title", provenance.title);
  const std::string commit =
      provenance.commit.empty() ? "" : fmt::format(" (commit {})", provenance.commit);
  set("source", fmt::format("{} {}{}", provenance.program, provenance.version, commit));
  set("history", provenance.history);
  set("institution", provenance.institution);
  set("references", provenance.references);
  set("run_id", provenance.run_id);
}

void write_run(Hdf5File& file, const Provenance& provenance, const SnapshotSummary& snapshot,
               double dt, double wall, const std::map<std::string, double>& numbers) {
  write_provenance(file, provenance);
  Hdf5Group run = file.root().open_group("run");
  run.set("step", snapshot.step);
  run.set("t", snapshot.time);
  run.set("dt", dt);
  run.set("wall_time", wall);
  for (const auto& [name, number] : numbers) run.set(name, number);
}

}  // namespace watersmeet::io
