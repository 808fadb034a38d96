// Sources: CF conventions 1.9, sections 5.2 (two-dimensional coordinates) and 7.2 (cell measures).
#include "io/panel_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/error.hpp"
#include "io/mesh_h5.hpp"
#include "mesh/cubed_sphere.hpp"

namespace watersmeet::io {

namespace {

constexpr double degrees = 180 / std::numbers::pi;

Hdf5Dataset write_angles(Hdf5Group& root, const std::string& name, std::int64_t n) {
  std::vector<double> angles;
  for (std::int64_t i = 0; i < n; ++i) {
    angles.push_back((2 * static_cast<double>(i) + 1 - static_cast<double>(n)) * 45 /
                     static_cast<double>(n));
  }
  Hdf5Dataset dataset = root.create_dataset(name, angles);
  dataset.make_scale(name);
  dataset.set("long_name", "angle from the middle of the panel along its axis " + name);
  dataset.set("units", "degrees");
  dataset.set("axis", name == "x" ? "X" : "Y");
  return dataset;
}

}  // namespace

std::uint64_t panel_coordinate_bytes(const SnapshotSummary& snapshot) {
  const std::uint64_t n = static_cast<std::uint64_t>(snapshot.blocks[0][0]);
  return 3 * room_for(mesh::panels * n * n * sizeof(double));
}

void write_level_heights(Hdf5Group& root, const Hdf5Dataset& level,
                         const std::vector<double>& faces, const std::string& units,
                         const Hdf5Dataset* ends) {
  if (faces.empty()) return;
  std::vector<double> middles, bounds;
  for (std::size_t k = 0; k + 1 < faces.size(); ++k) {
    middles.push_back(0.5 * (faces[k] + faces[k + 1]));
    bounds.insert(bounds.end(), {faces[k], faces[k + 1]});
  }
  Hdf5Dataset heights = root.create_dataset(level_height_name, middles);
  heights.attach_scale(0, level);
  heights.set("long_name", "height of the middle of the layer where the ground is at 0");
  heights.set("units", units);
  heights.set("positive", "up");
  if (!ends) return;
  const std::string name = std::string(level_height_name) + "_bnds";
  heights.set("bounds", name);
  Hdf5Dataset both =
      root.create_dataset(name, ElementType::float64, {middles.size(), std::uint64_t{2}});
  both.write(bounds.data(), ElementType::float64);
  both.attach_scales({&level, ends});
}

void write_panel_coordinates(Hdf5File& file, const SnapshotSummary& snapshot,
                             const SphereShape& sphere) {
  const std::int64_t n = snapshot.blocks[0][0];
  const auto cells = static_cast<std::uint64_t>(n);
  const auto levels = static_cast<std::uint64_t>(snapshot.blocks[0][2]);
  require(std::ssize(snapshot.blocks) == mesh::panels && snapshot.blocks[0][1] == n,
          "a cubed sphere has six panels");
  Hdf5Group& root = file.root();
  const Hdf5Dataset face =
      root.create_number_scale("face", mesh::panels, "panel of the cubed sphere");
  const Hdf5Dataset level = root.create_number_scale("level", levels, "layer of cells, upwards");
  const Hdf5Dataset y = write_angles(root, "y", n), x = write_angles(root, "x", n);
  write_level_heights(root, level, sphere.level_faces, snapshot.length_units);
  std::vector<double> lon, lat, area;
  const double step = 2 * std::numbers::pi / 4 / static_cast<double>(n);
  const auto angle = [&](std::int64_t i, double offset) {
    return (static_cast<double>(i) + offset) * step - std::numbers::pi / 4;
  };
  for (int panel = 0; panel < mesh::panels; ++panel) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        const mesh::LonLat at =
            mesh::lon_lat(mesh::panel_position(panel, angle(i, 0.5), angle(j, 0.5)));
        lon.push_back(at.lon * degrees);
        lat.push_back(at.lat * degrees);
        area.push_back(sphere.radius * sphere.radius *
                       mesh::panel_area(angle(i, 0), angle(i, 1), angle(j, 0), angle(j, 1)));
      }
    }
  }
  const auto write = [&](const std::string& name, const std::string& long_name,
                         const std::string& standard_name, const std::string& units,
                         const std::vector<double>& values) {
    Hdf5Dataset dataset =
        root.create_dataset(name, ElementType::float64, {mesh::panels, cells, cells});
    dataset.write(values.data(), ElementType::float64);
    dataset.attach_scales({&face, &y, &x});
    dataset.set("long_name", long_name);
    if (!standard_name.empty()) dataset.set("standard_name", standard_name);
    dataset.set("units", units);
  };
  write("lat", "latitude", "latitude", "degrees_north", lat);
  write("lon", "longitude", "longitude", "degrees_east", lon);
  write("cell_area", "area of the cells on the sphere", "cell_area",
        snapshot.length_units == "1" ? "1" : snapshot.length_units + "2", area);
  std::vector<Hdf5Dataset> component;
  const bool has_height = std::any_of(snapshot.fields.begin(), snapshot.fields.end(),
                                      [](const FieldSummary& f) { return f.name == "height"; });
  for (const FieldSummary& field : snapshot.fields) {
    Extents extents = {mesh::panels, levels, cells, cells};
    if (field.components > 1) extents.push_back(static_cast<std::uint64_t>(field.components));
    std::vector<Hdf5Group::Source> sources;
    for (int b = 0; b < mesh::panels; ++b) {
      sources.push_back({".", fmt::format("/blocks/{}/{}", block_group(b), field.name)});
    }
    Hdf5Dataset dataset =
        root.create_virtual(field.name, element_type(field.precision), extents, sources);
    dataset.attach_scales({&face, &level, &y, &x});
    if (field.components == 3) {
      if (component.empty()) {
        component.push_back(root.create_number_scale(
            "component", 3, "Cartesian component: x points to longitude 0, z to the north"));
      }
      dataset.attach_scale(4, component[0]);
    }
    dataset.set("long_name", field.long_name);
    dataset.set("units", field.units);
    if (!field.standard_name.empty()) dataset.set("standard_name", field.standard_name);
    std::string coordinates = "lon lat time";
    if (!sphere.level_faces.empty()) {
      coordinates = fmt::format("{} {}", level_height_name, coordinates);
    }
    if (has_height && field.name != "height") coordinates += " height";
    dataset.set("coordinates", coordinates);
    dataset.set("cell_measures", "area: cell_area");
  }
}

}  // namespace watersmeet::io
