#include "run/sampling/isosurface_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "mesh/cubed_sphere.hpp"
#include "run/run_plan.hpp"
#include "run/sampling/case_faults.hpp"
#include "run/sampling/picture_case.hpp"
#include "run/sampling/probes.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

// Reads the iso-surfaces of a case one after the other.
class IsosurfaceReader : EntryReader {
 public:
  IsosurfaceReader(const config::Input& input, const systems::System& system, Report report)
      : EntryReader(input, std::move(report)), system_(system), quantities_(system.quantities()) {}

  std::vector<IsosurfaceCase> all() {
    each("output.isosurface", {"name", "field", "values"},
         {"every", "every_steps", "x", "y", "z", "stride", "fields", "view", "color", "limits",
          "colormap"},
         [this] { read(); });
    return std::move(result_);
  }

 private:
  void read() {
    one_ = {};
    read_name_and_schedule(input_, path_, "iso-surface", names_, report_, one_.part);
    one_.name = one_.part.name;
    one_.field = read_expression(input_, path_ + ".field", quantities_, report_, one_.part);
    one_.values = input_.reals(path_ + ".values");
    if (one_.values.empty())
      refuse(FaultKind::bad_value, ".values", "iso-surface `" + one_.name + "` has no value",
             "such as values = [1.0]");
    read_carried();
    read_picture();
    if (input_.has_faults()) return;  // without a grid there are no cells
    const mesh::GridDescription& grid = system_.grid();
    const bool good = grid.is_box() ? read_box(grid) : read_whole(grid);
    if (!good) return;
    if (one_.picture && !in_space(grid)) {
      refuse(FaultKind::conflict, ".view", "lines in a plane cannot be seen in space",
             "remove this key; [[output.picture]] draws planes");
      return;
    }
    result_.push_back(one_);
  }

  bool in_space(const mesh::GridDescription& grid) const {
    if (grid.blocks) return grid.blocks->dimensions() == 3;
    if (grid.kind == mesh::GridKind::cubed_sphere) return grid.levels > 1;
    return std::count(one_.part.n.begin(), one_.part.n.end(), 1) == 0;
  }

  void read_picture() {
    if (!input_.is_set(path_ + ".view")) {
      for (const char* const key : {".color", ".limits", ".colormap"}) {
        if (input_.is_changed(path_ + key))
          refuse(FaultKind::conflict, key, "this is a key of a picture, and there is none",
                 "give a view, such as view = [1, -2, 1], or remove this key");
      }
      return;
    }
    const Real3 towards = input_.reals3(path_ + ".view");
    if (!(std::hypot(towards[0], towards[1], towards[2]) > 0)) {
      refuse(FaultKind::bad_value, ".view",
             "a view is the direction of the viewer along x, y and z, which are not all 0",
             "such as view = [1, -2, 1]");
      return;
    }
    for (std::size_t p = 0; p < input_.count("output.picture"); ++p) {
      if (input_.text(fmt::format("output.picture[{}].name", p)) == one_.name)
        refuse(FaultKind::conflict, ".name", "a picture is called `" + one_.name + "` too",
               "their files would have the same names; choose another one");
    }
    IsosurfacePicture& picture = one_.picture.emplace();
    picture.towards = towards;
    if (input_.is_set(path_ + ".color"))
      picture.colour = read_expression(input_, path_ + ".color", quantities_, report_, one_.part);
    picture.colours = input_.text(path_ + ".colormap");
    picture.limits = read_limits(input_, path_, report_);
  }

  void read_carried() {
    if (!input_.is_set(path_ + ".fields")) return;
    std::vector<systems::QuantityInfo>& fields = one_.part.fields;
    for (const std::string& name : input_.texts(path_ + ".fields")) {
      const auto named = [&](const systems::QuantityInfo& q) { return q.name == name; };
      const auto quantity = std::find_if(quantities_.begin(), quantities_.end(), named);
      if (quantity == quantities_.end()) {
        refuse(FaultKind::bad_value, ".fields", "no field `" + name + "` to write",
               "the fields of " + input_.text("case.system") + " are " + names_of(quantities_));
        continue;
      }
      auto field = std::find_if(fields.begin(), fields.end(), named);
      if (field == fields.end()) field = fields.insert(fields.end(), *quantity);
      const auto number = static_cast<std::size_t>(field - fields.begin());
      const bool twice =
          std::find(one_.carried.begin(), one_.carried.end(), number) != one_.carried.end();
      if (twice || name == one_.value_name()) {
        refuse(FaultKind::bad_value, ".fields",
               "field `" + name + "` would be written more than once", "name each field once");
        continue;
      }
      one_.carried.push_back(number);
    }
  }

  bool read_box(const mesh::GridDescription& grid) {
    one_.part.stride = input_.integers3(path_ + ".stride");
    bool good = true;
    for (std::size_t a = 0; a < 3; ++a)
      good = read_axis(input_, path_, "iso-surface `" + one_.name + "`", grid, a, report_,
                       one_.part) &&
             good;
    if (good && std::count(one_.part.n.begin(), one_.part.n.end(), 1) > 1)
      return refuse(FaultKind::conflict, ".name",
                    "iso-surface `" + one_.name + "` would be of one row of cells",
                    "surfaces need cells in space, lines cells in a plane");
    return good;
  }

  bool read_whole(const mesh::GridDescription& grid) {
    for (const char* const key : {".x", ".y", ".z", ".stride"}) {
      if (input_.is_changed(path_ + key))
        return refuse(FaultKind::conflict, key,
                      grid.blocks ? "curvilinear blocks are taken whole: their nodes do not lie "
                                    "along axes"
                                  : "a sphere is taken whole: its cells do not lie along axes",
                      "remove this key");
    }
    one_.part.n = grid.n();
    return true;
  }

  const systems::System& system_;
  std::vector<systems::QuantityInfo> quantities_;
  std::vector<IsosurfaceCase> result_;
  IsosurfaceCase one_;
};

// The middle of a cell from its corners; of a block of one layer of nodes that of four.
Real3 middle_of(const mesh::CurvilinearBlock& corners, const Index3& cell) {
  Real3 sum{0, 0, 0};
  for (int bits = 0; bits < 8; ++bits) {
    Index3 corner = cell;
    for (std::size_t a = 0; a < 3; ++a)
      corner[a] = std::min(cell[a] + (bits >> a & 1), corners.n[a] - 1);
    const Real3 x = corners.at(corner);
    for (std::size_t a = 0; a < 3; ++a) sum[a] += x[a] / 8;
  }
  return sum;
}

Index3 split(std::int64_t point, const Index3& n) {
  return {point % n[0], point / n[0] % n[1], point / (n[0] * n[1])};
}

}  // namespace

std::string IsosurfaceCase::value_name() const {
  return field.units == "unknown" ? name : field.text;
}

void check_isosurfaces(config::Input& input, const systems::System& system) {
  IsosurfaceReader(input, system, report_into(input)).all();
}

std::vector<IsosurfaceCase> isosurfaces_of(const config::Input& input,
                                           const systems::System& system) {
  return IsosurfaceReader(input, system, no_faults()).all();
}

Lattices lattices_of(const PartCase& part, const mesh::GridDescription& grid) {
  if (grid.blocks) {
    Lattices all;
    std::vector<std::int64_t> ends;
    for (const mesh::CurvilinearBlock& block : grid.blocks->blocks) {
      all.n.push_back(block.n);
      ends.push_back((ends.empty() ? 0 : ends.back()) + block.count());
    }
    all.place = [ends, blocks = grid.blocks](std::int64_t point) {
      const auto b = std::upper_bound(ends.begin(), ends.end(), point) - ends.begin();
      const mesh::CurvilinearBlock& block = blocks->block(static_cast<int>(b));
      return block.at(split(point - ends[static_cast<std::size_t>(b)] + block.count(), block.n));
    };
    return all;
  }
  if (grid.kind == mesh::GridKind::cubed_sphere) {
    const Index3 panel = {part.n[0], part.n[1], grid.levels};
    const auto corners = std::make_shared<const mesh::MultiBlockMesh>(grid.corners());
    return {std::vector<Index3>(mesh::panels, panel), [panel, corners](std::int64_t point) {
              const std::int64_t cells = panel[0] * panel[1] * panel[2];
              const mesh::CurvilinearBlock& block = corners->block(static_cast<int>(point / cells));
              const Index3 cell = split(point % cells, panel);
              // The middle of the corners lies below the level, in its direction.
              Real3 x = middle_of(block, cell);
              const auto radius = [](const Real3& r) { return std::hypot(r[0], r[1], r[2]); };
              const std::int64_t top = std::min(cell[2] + 1, block.n[2] - 1);
              const double wanted =
                  0.5 * (radius(block.at(cell)) + radius(block.at({cell[0], cell[1], top})));
              const double factor = wanted / radius(x);
              for (double& coordinate : x) coordinate *= factor;
              return x;
            }};
  }
  const auto cell_of = [part](std::int64_t point) {
    Index3 cell = split(point, part.n);
    for (std::size_t a = 0; a < 3; ++a) cell[a] = part.first[a] + cell[a] * part.stride[a];
    return cell;
  };
  if (grid.kind == mesh::GridKind::moved_box) {
    const auto corners = std::make_shared<const mesh::MultiBlockMesh>(grid.corners());
    return {{part.n}, [cell_of, corners](std::int64_t point) {
              return middle_of(corners->block(0), cell_of(point));
            }};
  }
  return {{part.n}, [cell_of, &grid](std::int64_t point) {
            const Index3 cell = cell_of(point);
            return Real3{cell_centre(grid, 0, cell[0]), cell_centre(grid, 1, cell[1]),
                         cell_centre(grid, 2, cell[2])};
          }};
}

std::array<Real3, 2> extent_of(const Lattices& lattices) {
  constexpr std::int64_t most = 128;  // points along each axis
  std::array<Real3, 2> ends;
  std::int64_t first = 0;
  bool any = false;
  for (const Index3& n : lattices.n) {
    Index3 step;
    for (std::size_t a = 0; a < 3; ++a) step[a] = (n[a] + most - 1) / most;
    for (std::int64_t k = 0; k < n[2] + step[2] - 1; k += step[2]) {
      for (std::int64_t j = 0; j < n[1] + step[1] - 1; j += step[1]) {
        for (std::int64_t i = 0; i < n[0] + step[0] - 1; i += step[0]) {
          const std::int64_t row = std::min(k, n[2] - 1) * n[1] + std::min(j, n[1] - 1);
          const Real3 x = lattices.place(first + row * n[0] + std::min(i, n[0] - 1));
          if (!any) ends = {x, x};
          any = true;
          for (std::size_t a = 0; a < 3; ++a) {
            ends[0][a] = std::min(ends[0][a], x[a]);
            ends[1][a] = std::max(ends[1][a], x[a]);
          }
        }
      }
    }
    first += n[0] * n[1] * n[2];
  }
  return ends;
}

}  // namespace watersmeet::run
