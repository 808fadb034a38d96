// Sources: CF conventions 1.9, chapters 4 (coordinates), 5.6 (grid mappings) and 7.1 (bounds); the
// netCDF-4 file format specification for dimensions without a variable.
#include "io/lon_lat_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/gather.hpp"
#include "io/hdf5_file.hpp"
#include "io/panel_coordinates.hpp"
#include "io/vtkhdf.hpp"

namespace watersmeet::io {

namespace {

const std::string east = "_east", north = "_north";

std::string stem_of(const std::string& name) {
  for (const std::string& ending : {east, north}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

// A field of the file.
struct Map {
  SnapshotField about;
  std::vector<double> values;  // [level][lat][lon]
};

// The part of a vector field along a direction at each place.
SnapshotField about_part(const SnapshotField& vector, const std::string& ending,
                         const std::string& words, const std::vector<SnapshotField>& parts) {
  const std::string name = vector.name + ending;
  for (const SnapshotField& part : parts) {
    if (part.name == name) return part;
  }
  SnapshotField part = vector;
  part.name = name;
  part.long_name = vector.long_name + " " + words;
  part.standard_name.clear();
  part.components = 1;
  return part;
}

// The part upwards of vectors in the cells: [panel][level][j][i][3] to [panel][level][j][i].
// Between cells the wind turns with the sphere, and interpolated winds would blow through the
// ground.
std::vector<double> upwards(const std::vector<double>& vectors, std::int64_t n,
                            std::int64_t levels) {
  const auto middle = [n](std::int64_t i) {
    return ((static_cast<double>(i) + 0.5) / static_cast<double>(n) - 0.5) * std::numbers::pi / 2;
  };
  std::vector<double> result;
  result.reserve(vectors.size() / 3);
  const double* v = vectors.data();
  for (int panel = 0; panel < mesh::panels; ++panel) {
    for (std::int64_t level = 0; level < levels; ++level) {
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < n; ++i, v += 3) {
          const Real3 out = mesh::panel_position(panel, middle(i), middle(j));
          result.push_back(v[0] * out[0] + v[1] * out[1] + v[2] * out[2]);
        }
      }
    }
  }
  return result;
}

// `values`: the Cartesian components on the grid.
void add_lateral(std::vector<Map>& maps, const SnapshotField& field,
                 const std::vector<SnapshotField>& parts, const std::vector<double>& values,
                 const mesh::LonLatGrid& grid, std::int64_t levels) {
  Map to_east{about_part(field, east, "to the east", parts), {}};
  Map to_north{about_part(field, north, "to the north", parts), {}};
  const std::vector<double> lons = grid.lon(), lats = grid.lat();
  const double* v = values.data();
  constexpr double radian = std::numbers::pi / 180;
  for (std::int64_t level = 0; level < levels; ++level) {
    for (const double lat : lats) {
      const double sin_lat = std::sin(lat * radian), cos_lat = std::cos(lat * radian);
      for (const double lon : lons) {
        const double sin_lon = std::sin(lon * radian), cos_lon = std::cos(lon * radian);
        const double outwards = cos_lon * v[0] + sin_lon * v[1];  // away from the axis
        to_east.values.push_back(cos_lon * v[1] - sin_lon * v[0]);
        to_north.values.push_back(cos_lat * v[2] - sin_lat * outwards);
        v += 3;
      }
    }
  }
  maps.push_back(std::move(to_east));
  maps.push_back(std::move(to_north));
}

// Coordinates along one axis with the edges of their cells.
Hdf5Dataset write_axis(Hdf5Group& root, const std::string& name, const std::string& long_name,
                       const std::string& units, const std::string& axis,
                       const std::vector<double>& middles, const std::vector<double>& edges,
                       const Hdf5Dataset& ends) {
  Hdf5Dataset dataset = root.create_dataset(name, middles);
  dataset.make_scale(name);
  dataset.set("long_name", long_name);
  dataset.set("standard_name", long_name);
  dataset.set("units", units);
  dataset.set("axis", axis);
  dataset.set("bounds", name + "_bnds");
  std::vector<double> bounds;
  for (std::size_t m = 0; m < middles.size(); ++m) {
    bounds.insert(bounds.end(), {edges[m], edges[m + 1]});
  }
  Hdf5Dataset both =
      root.create_dataset(name + "_bnds", ElementType::float64, {middles.size(), std::uint64_t{2}});
  both.write(bounds.data(), ElementType::float64);
  both.attach_scales({&dataset, &ends});
  return dataset;
}

void write_file(const std::string& path, const mesh::LonLatRemap& remap, const LonLatRun& run,
                const std::vector<Map>& maps, const Provenance& provenance,
                const std::string& precision_of_file) {
  const mesh::LonLatGrid& grid = remap.grid();
  std::uint64_t bytes = 0;
  for (const Map& map : maps) bytes += room_for(map.values.size() * sizeof(double));
  Hdf5File file = Hdf5File::create(path, bytes);
  Hdf5Group& root = file.root();
  write_cf_attributes(file, provenance);
  root.set("comment",
           fmt::format("remapped from a cubed sphere of 6 x {0} x {0} cells by bilinear "
                       "interpolation to the middles of the cells of this grid: of second order, "
                       "integrals are kept to that order only",
                       remap.n()));
  root.set("step", run.step);
  // A dimension without a variable, as netCDF-4 spells one.
  Hdf5Dataset ends = root.create_dataset("nv", ElementType::float32, {2});
  ends.make_scale(fmt::format("This is a netCDF dimension but not a netCDF variable.{:>10}", 2));
  Hdf5Dataset time = root.create_dataset("time", std::vector<double>{run.time});
  time.make_scale("time");
  time.set("long_name", "time since the beginning, whose date is arbitrary");
  time.set("standard_name", "time");
  time.set("units", run.si_units ? "seconds since 2000-01-01 00:00:00" : "1");
  if (run.si_units) time.set("calendar", "standard");
  time.set("axis", "T");
  std::vector<Hdf5Dataset> level;
  if (run.levels > 1) {
    level.push_back(root.create_number_scale("level", static_cast<std::uint64_t>(run.levels),
                                             "number of the layer of cells, upwards"));
    level[0].set("standard_name", "model_level_number");
    level[0].set("units", "1");
    level[0].set("positive", "up");
    level[0].set("axis", "Z");
    write_level_heights(root, level[0], run.sphere.level_faces, run.si_units ? "m" : "1", &ends);
  }
  const Hdf5Dataset lat =
      write_axis(root, "lat", "latitude", "degrees_north", "Y", grid.lat(), grid.lat_edges(), ends);
  const Hdf5Dataset lon =
      write_axis(root, "lon", "longitude", "degrees_east", "X", grid.lon(), grid.lon_edges(), ends);
  Hdf5Dataset sphere = root.create_dataset("sphere", ElementType::int64, {});
  sphere.set("grid_mapping_name", "latitude_longitude");
  sphere.set("earth_radius", run.sphere.radius);
  // Where it is written, the true height of the levels is a coordinate of all others.
  const bool has_height = std::any_of(maps.begin(), maps.end(),
                                      [](const Map& map) { return map.about.name == "height"; });
  for (const Map& map : maps) {
    const SnapshotField& about = map.about;
    Precision stored = about.precision;
    if (precision_of_file == "single") stored = Precision::single_;
    if (precision_of_file == "double") stored = Precision::double_;
    std::vector<const Hdf5Dataset*> scales = {&time};
    Extents extents = {1};
    if (run.levels > 1) {
      scales.push_back(&level[0]);
      extents.push_back(static_cast<std::uint64_t>(run.levels));
    }
    scales.insert(scales.end(), {&lat, &lon});
    extents.push_back(static_cast<std::uint64_t>(grid.nlat));
    extents.push_back(static_cast<std::uint64_t>(grid.nlon));
    Hdf5Dataset dataset = root.create_dataset(about.name, element_type(stored), extents);
    dataset.write(map.values.data(), ElementType::float64);
    for (std::size_t a = 0; a < scales.size(); ++a) {
      dataset.attach_scale(static_cast<int>(a), *scales[a]);
    }
    dataset.set("long_name", about.long_name.empty() ? about.name : about.long_name);
    dataset.set("units", about.units);
    if (!about.standard_name.empty()) dataset.set("standard_name", about.standard_name);
    dataset.set("grid_mapping", "sphere");
    std::string coordinates = run.sphere.level_faces.empty() ? "" : level_height_name;
    if (has_height && about.name != "height") {
      coordinates += coordinates.empty() ? "height" : " height";
    }
    if (!coordinates.empty()) dataset.set("coordinates", coordinates);
    dataset.set("cell_methods", "time: point lat: lon: point");
  }
  file.finish();
}

}  // namespace

std::string lon_lat_path(const std::string& directory, std::int64_t step) {
  return join(directory, fmt::format("latlon_{:06}.nc", step));
}

std::vector<std::string> lon_lat_sources(
    const std::vector<std::string>& wanted,
    const std::vector<std::pair<std::string, int>>& names_and_components) {
  std::vector<std::string> sources;
  std::set<std::string> taken;
  for (const std::string& name : wanted) {
    std::string source = name;
    for (const auto& [vector, components] : names_and_components) {
      if (components == 3 && !vector.empty() && vector == stem_of(name)) source = vector;
    }
    if (taken.insert(source).second) sources.push_back(source);
  }
  return sources;
}

void write_lon_lat(const std::string& path, const mesh::LonLatRemap* remap, const LonLatRun& run,
                   const std::vector<SnapshotField>& fields,
                   const std::vector<SnapshotField>& parts, const Provenance& provenance,
                   const std::string& precision_of_file, const Share& share) {
  const bool first = share.alone() || share.team->rank() == 0;
  std::vector<Map> maps;
  for (const SnapshotField& field : fields) {
    require(field.components == 1 || field.components == 3, "scalars and vectors are remapped");
    const std::size_t bytes = size_of(field.precision) * static_cast<std::size_t>(field.components);
    const std::vector<char> whole = gather_box(share, field.values, bytes);
    if (!first) continue;
    const std::vector<double> in_cells = as_doubles(whole, field.precision);
    std::vector<double> values = remap->apply(in_cells, run.levels, field.components);
    if (field.components == 1) {
      maps.push_back({field, std::move(values)});
      continue;
    }
    add_lateral(maps, field, parts, values, remap->grid(), run.levels);
    if (run.levels > 1) {
      maps.push_back({about_part(field, "_up", "upwards", parts),
                      remap->apply(upwards(in_cells, remap->n(), run.levels), run.levels, 1)});
    }
  }
  if (first) write_file(path, *remap, run, maps, provenance, precision_of_file);
}

}  // namespace watersmeet::io
