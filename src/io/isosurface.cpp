#include "io/isosurface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "core/error.hpp"
#include "io/hdf5_file.hpp"
#include "io/vtkhdf.hpp"

namespace watersmeet::io {
namespace {

// A simplex of a cube or square: its corners as sums of steps along the axes (1, 2, 4 for x, y, z), from the lowest on, and whether it is left-handed.
struct Simplex {
  std::vector<int> corners;
  bool left = false;
};

bool is_odd(const std::vector<int>& order) {
  int inversions = 0;
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = a + 1; b < order.size(); ++b) inversions += order[a] > order[b] ? 1 : 0;
  return inversions % 2 == 1;
}

std::vector<Simplex> simplices_of(std::vector<int> axes) {
  std::vector<Simplex> all;
  do {
    Simplex one{{0}, is_odd(axes)};
    for (const int axis : axes) one.corners.push_back(one.corners.back() + (1 << axis));
    all.push_back(std::move(one));
  } while (std::next_permutation(axes.begin(), axes.end()));
  return all;
}

// Finds the surface of one level in one lattice.
class March {
 public:
  March(Isosurface& surface, const Index3& n, std::int64_t first, std::span<const double> values,
        double level)
      : surface_(surface), first_(first), values_(values), level_(level) {
    for (int bits = 0; bits < 8; ++bits)
      step_[static_cast<std::size_t>(bits)] =
          (bits & 1) + n[0] * ((bits >> 1 & 1) + n[1] * std::int64_t{bits >> 2 & 1});
  }

  // `lowest`: the number of the lowest point of a cube.
  void add_cube(std::int64_t lowest, const std::vector<Simplex>& simplices) {
    for (const Simplex& one : simplices) {
      std::vector<int> inside, outside;
      for (int c = 0; c < static_cast<int>(one.corners.size()); ++c) {
        const std::int64_t at = lowest + step(one.corners[static_cast<std::size_t>(c)]);
        (value(at) > level_ ? inside : outside).push_back(c);
      }
      if (!inside.empty() && !outside.empty()) cut(lowest, one, inside, outside);
    }
  }

  double value(std::int64_t point) const { return values_[static_cast<std::size_t>(point)]; }

 private:
  std::int64_t step(int bits) const { return step_[static_cast<std::size_t>(bits)]; }

  void cut(std::int64_t lowest, const Simplex& one, const std::vector<int>& inside,
           const std::vector<int>& outside) {
    const auto edge = [&](std::size_t from, std::size_t to) {
      return point(lowest, one.corners[static_cast<std::size_t>(inside[from])],
                   one.corners[static_cast<std::size_t>(outside[to])]);
    };
    std::vector<std::int64_t> round;  // corners of the cut
    if (inside.size() == 1) {
      for (std::size_t o = 0; o < outside.size(); ++o) round.push_back(edge(0, o));
    } else if (outside.size() == 1) {
      for (std::size_t i = 0; i < inside.size(); ++i) round.push_back(edge(i, 0));
    } else {
      round = {edge(0, 0), edge(0, 1), edge(1, 1), edge(1, 0)};
    }
    // As drawn, the corners go round as wanted where the ones inside and then those outside are an even order of the corners of a right-handed
    // tetrahedron.
    std::vector<int> order = inside;
    order.insert(order.end(), outside.begin(), outside.end());
    if (is_odd(order) != one.left) std::reverse(round.begin(), round.end());
    if (surface_.corners == 2) {
      surface_.cells.insert(surface_.cells.end(), round.begin(), round.end());
      return;
    }
    for (std::size_t third = 2; third < round.size(); ++third)
      surface_.cells.insert(surface_.cells.end(), {round[0], round[third - 1], round[third]});
  }

  // The number of the point between two corners of a cube, one of which is inside.
  std::int64_t point(std::int64_t lowest, int a, int b) {
    const int low = a & b, high = a | b;  // one of the two each: a path never goes back
    const std::int64_t from = lowest + step(low), to = lowest + step(high);
    const auto [found, made] = known_.try_emplace(from * 8 + (high - low), 0);
    if (made) {
      found->second = std::ssize(surface_.points);
      // Halves, because the difference of two finite numbers may be none.
      const double share =
          (0.5 * level_ - 0.5 * value(from)) / (0.5 * value(to) - 0.5 * value(from));
      surface_.points.push_back({first_ + from, first_ + to, std::clamp(share, 0.0, 1.0)});
      surface_.levels.push_back(level_);
    }
    return found->second;
  }

  Isosurface& surface_;
  std::int64_t first_;
  std::span<const double> values_;
  double level_;
  std::array<std::int64_t, 8> step_{};
  std::unordered_map<std::int64_t, std::int64_t> known_;  // points by edge
};

}  // namespace

std::vector<double> Isosurface::at_points(const std::vector<double>& values, int components) const {
  std::vector<double> result;
  result.reserve(points.size() * static_cast<std::size_t>(components));
  for (const EdgePoint& point : points) {
    for (int c = 0; c < components; ++c) {
      const auto value = [&](std::int64_t at) {
        return values[static_cast<std::size_t>(at * components + c)];
      };
      result.push_back((1 - point.share) * value(point.from) + point.share * value(point.to));
    }
  }
  return result;
}

void add_isosurface(Isosurface& surface, const Index3& n, std::int64_t first,
                    std::span<const double> values, double level) {
  std::vector<int> axes;
  Index3 cubes{1, 1, 1};
  for (int a = 0; a < 3; ++a) {
    if (n[static_cast<std::size_t>(a)] < 2) continue;
    axes.push_back(a);
    cubes[static_cast<std::size_t>(a)] = n[static_cast<std::size_t>(a)] - 1;
  }
  require(axes.size() >= 2 && values.size() == static_cast<std::size_t>(n[0] * n[1] * n[2]),
          "a surface, or a line, needs values in space, or in a plane");
  require(surface.points.empty() || surface.corners == static_cast<int>(axes.size()),
          "surfaces and lines are not mixed");
  surface.corners = static_cast<int>(axes.size());
  const std::vector<Simplex> simplices = simplices_of(axes);
  March march(surface, n, first, values, level);
  std::vector<std::int64_t> corners;  // of a cube, from its lowest point
  for (int bits = 0; bits < 8; ++bits) {
    bool there = true;
    for (int a = 0; a < 3; ++a)
      there = there && (!(bits >> a & 1) || n[static_cast<std::size_t>(a)] > 1);
    if (there)
      corners.push_back((bits & 1) + n[0] * ((bits >> 1 & 1) + n[1] * std::int64_t{bits >> 2 & 1}));
  }
  for (std::int64_t k = 0; k < cubes[2]; ++k) {
    for (std::int64_t j = 0; j < cubes[1]; ++j) {
      for (std::int64_t i = 0; i < cubes[0]; ++i) {
        const std::int64_t lowest = i + n[0] * (j + n[1] * k);
        bool finite = true;
        std::size_t above = 0;
        for (const std::int64_t corner : corners) {
          const double value = march.value(lowest + corner);
          finite = finite && std::isfinite(value);
          above += value > level ? 1 : 0;
        }
        if (finite && above > 0 && above < corners.size()) march.add_cube(lowest, simplices);
      }
    }
  }
}

void write_isosurface(const std::string& path, const Isosurface& surface,
                      const std::vector<double>& places, const std::vector<PointValues>& values,
                      const IsosurfaceRun& run, const Provenance& provenance) {
  const auto corners = static_cast<std::size_t>(surface.corners);
  const std::size_t n = surface.points.size(), cells = surface.cells.size() / corners;
  std::uint64_t bytes =
      room_for(8 * places.size()) + room_for(8 * surface.cells.size()) + room_for(8 * (cells + 1));
  for (const PointValues& one : values) bytes += room_for(8 * one.values.size());
  Hdf5File file = Hdf5File::create(path, bytes);
  write_cf_attributes(file, provenance);
  Hdf5Group vtk = file.root().create_group("VTKHDF");
  vtk.set("Version", std::vector<std::int64_t>{2, 0});
  vtk.set("Type", "PolyData");
  const auto one_number = [](Hdf5Group& group, const std::string& name, std::size_t number) {
    group.create_dataset(name, std::vector<std::int64_t>{static_cast<std::int64_t>(number)});
  };
  const auto array = [](Hdf5Group& group, const std::string& name, const std::vector<double>& of,
                        std::uint64_t components) {
    Extents extents = {of.size() / components};
    if (components > 1) extents.push_back(components);
    Hdf5Dataset dataset = group.create_dataset(name, ElementType::float64, extents);
    if (!of.empty()) dataset.write(of.data(), ElementType::float64);
    return dataset;
  };
  one_number(vtk, "NumberOfPoints", n);
  array(vtk, "Points", places, 3).set("units", run.length_units);
  const std::string filled = surface.corners == 3 ? "Polygons" : "Lines";
  for (const std::string kind : {"Vertices", "Lines", "Polygons", "Strips"}) {
    Hdf5Group group = vtk.create_group(kind);
    const bool here = kind == filled;
    std::vector<std::int64_t> offsets = {0};
    for (std::size_t c = 0; here && c < cells; ++c)
      offsets.push_back(offsets.back() + surface.corners);
    one_number(group, "NumberOfCells", here ? cells : 0);
    one_number(group, "NumberOfConnectivityIds", here ? surface.cells.size() : 0);
    group.create_dataset("Connectivity", here ? surface.cells : std::vector<std::int64_t>{});
    group.create_dataset("Offsets", offsets);
  }
  Hdf5Group at_points = vtk.create_group("PointData");
  for (const PointValues& one : values)
    array(at_points, one.name, one.values, static_cast<std::uint64_t>(one.components))
        .set("units", one.units);
  Hdf5Group about = vtk.create_group("FieldData");
  about.create_dataset("TimeValue", std::vector<double>{run.time}).set("units", run.time_units);
  write_provenance(file, provenance);
  Hdf5Group of_run = file.root().open_group("run");
  of_run.set("step", run.step);
  of_run.set("t", run.time);
  file.finish();
}

}  // namespace watersmeet::io
