#include "run/sampling/picture_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "mesh/cubed_sphere.hpp"
#include "mesh/curvilinear/nodes.hpp"
#include "run/sampling/case_faults.hpp"
#include "run/sampling/probes.hpp"

namespace watersmeet::run {
namespace {

using config::FaultKind;

// Pictures are as wide as this where the case does not say it, or as the number of cells where that lies between.
constexpr double least_width = 400, most_width = 2000;
constexpr double width_of_blocks = 1000;
constexpr double longest_side = 16384;  // of what common viewers show

// Reads the pictures of a case one after the other.
class PictureReader : EntryReader {
 public:
  PictureReader(const config::Input& input, const systems::System& system, Report report)
      : EntryReader(input, std::move(report)), system_(system), quantities_(system.quantities()) {}

  std::vector<PictureCase> all() {
    each("output.picture", {"name", "field"},
         {"every", "every_steps", "x", "y", "z", "limits", "colormap", "scale"},
         [this] { read(); });
    return std::move(result_);
  }

 private:
  void read() {
    one_ = {};
    read_name_and_schedule(input_, path_, "picture", names_, report_, one_.part);
    one_.name = one_.part.name;
    one_.field = read_expression(input_, path_ + ".field", quantities_, report_, one_.part);
    one_.colours = input_.text(path_ + ".colormap");
    one_.limits = read_limits(input_, path_, report_);
    if (input_.has_faults()) return;  // without a grid there are no cells
    const mesh::GridDescription& grid = system_.grid();
    const bool good = grid.blocks                                 ? read_blocks(*grid.blocks)
                      : grid.kind == mesh::GridKind::cubed_sphere ? read_sphere(grid)
                                                                  : read_plane(grid);
    if (good) result_.push_back(one_);
  }

  bool refuse_key(const std::string& key, const std::string& message,
                  const std::string& suggestion = "remove this key") {
    return refuse(FaultKind::conflict, key, message, suggestion);
  }

  // Pixels, from the number of cells along the width; heights are in proportion, but where a plane is long or high beyond use.
  bool set_size(double cells) {
    double width =
        cells < least_width ? std::ceil(least_width / cells) * cells : std::min(cells, most_width);
    if (input_.is_set(path_ + ".scale")) width = input_.real(path_ + ".scale") * cells;
    const double proportion = (one_.upper[1] - one_.lower[1]) / (one_.upper[0] - one_.lower[0]);
    const double height = width * std::clamp(proportion, 1.0 / 8, 2.0);
    if (std::max(width, height) > longest_side || std::min(width, height) < 1) {
      return refuse(
          FaultKind::range, ".scale",
          fmt::format("picture `{}` would have {:.0f} x {:.0f} pixels", one_.name, width, height),
          fmt::format("there are {:.0f} cells along its width; its sides may have 1 to {:.0f} "
                      "pixels",
                      cells, longest_side));
    }
    one_.width = static_cast<int>(std::lround(width));
    one_.height = static_cast<int>(std::lround(height));
    return true;
  }

  // A plane of cells of a box; where none of its sides is one cell, and the case does not name a plane, that in the middle of z.
  bool read_plane(const mesh::GridDescription& grid) {
    PartCase& part = one_.part;
    bool good = true, named = false;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string key = std::string(".") + "xyz"[a];
      good =
          read_axis(input_, path_, "picture `" + one_.name + "`", grid, a, report_, part) && good;
      if (grid.n()[a] > 1 && input_.is_set(path_ + key))
        named = named || input_.reals(path_ + key).size() == 1;
    }
    if (!good) return false;
    const bool thick = part.n[0] > 1 && part.n[1] > 1 && part.n[2] > 1;
    if (thick && input_.is_set(path_ + ".z"))
      return refuse_key(".z", "picture `" + one_.name + "` is no plane",
                        "give one of x, y and z one coordinate, such as z = [0.5]");
    if (thick) {
      part.first[2] = grid.n()[2] / 2;
      part.n[2] = 1;
      named = true;
    }
    std::vector<int> axes;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      if (part.n[axis] > 1) {
        axes.push_back(a);
      } else if (named && grid.n()[axis] > 1) {
        const bool level = axis == 2 && grid.kind == mesh::GridKind::moved_box;
        one_.place = level ? fmt::format("level {}", part.first[2])
                           : fmt::format("{} = {:.6g}", "xyz"[axis],
                                         cell_centre(grid, axis, part.first[axis]));
      }
    }
    if (axes.size() < 2)
      return refuse_key(".name", "picture `" + one_.name + "` would be one row of cells",
                        "values along a line are drawn by `watersmeet plot`, and written by "
                        "[[output.part]]");
    one_.across = axes[0];
    one_.up = axes[1];
    for (std::size_t side = 0; side < 2; ++side) {
      const auto axis = static_cast<std::size_t>(axes[side]);
      one_.lower[side] = cell_face(grid, axis, part.first[axis]);
      one_.upper[side] = cell_face(grid, axis, part.first[axis] + part.n[axis]);
    }
    return set_size(static_cast<double>(part.n[static_cast<std::size_t>(one_.across)]));
  }

  // A level of all panels, on longitudes from 0 and latitudes, in degrees.
  bool read_sphere(const mesh::GridDescription& grid) {
    PartCase& part = one_.part;
    for (const char* const key : {".x", ".y"}) {
      if (input_.is_set(path_ + key))
        return refuse_key(key, "a sphere is drawn whole, on longitudes and latitudes");
    }
    std::int64_t level = 0;
    if (input_.is_set(path_ + ".z")) {
      const std::vector<double> height = input_.reals(path_ + ".z");
      const std::vector<double>& faces = grid.faces[2];
      if (faces.empty()) return refuse_key(".z", "this sphere has one level of cells");
      if (height.size() != 1 || height[0] < faces.front() || height[0] > faces.back())
        return refuse_key(".z", "this must be the height of one level",
                          fmt::format("heights are {:g} to {:g}", faces.front(), faces.back()));
      level = std::clamp<std::int64_t>(
          std::upper_bound(faces.begin(), faces.end(), height[0]) - faces.begin() - 1, 0,
          grid.levels - 1);
    }
    part.first = {0, 0, level};
    part.stride = {1, 1, grid.levels};
    part.n = {grid.n()[0], grid.n()[1], mesh::panels};
    if (grid.levels > 1) one_.place = fmt::format("level {}", level);
    one_.lower = {0, -90};
    one_.upper = {360, 90};
    return set_size(4 * static_cast<double>(grid.n()[0]));  // of the four panels round the equator
  }

  // All nodes of blocks in a plane.
  bool read_blocks(const mesh::MultiBlockMesh& mesh) {
    if (mesh.dimensions() == 3)
      return refuse_key(".name", "blocks in space have no plane of nodes to draw",
                        "remove [[output.picture]]; `watersmeet plot` draws snapshots of them");
    for (const char* const key : {".z", ".scale"}) {
      if (input_.is_set(path_ + key))
        return refuse_key(key, key == std::string(".z")
                                   ? "the blocks lie in one plane"
                                   : "the cells of curvilinear blocks have no common size; their "
                                     "pictures are 1000 pixels wide");
    }
    one_.part.n = {system_.grid().n()[0], 1, 1};
    const auto [least, most] = extent_shown(mesh);
    std::array<double, 2> lower{least[0], least[1]}, upper{most[0], most[1]};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::string key = std::string(".") + "xy"[side];
      if (!input_.is_set(path_ + key)) continue;
      const std::vector<double> range = input_.reals(path_ + key);
      if (range.size() != 2 || !(range[0] < range[1]))
        return refuse_key(key,
                          "of blocks in a plane this must be the lower and the upper end of "
                          "what is shown",
                          fmt::format("such as {} = [-0.5, 1.5]", "xy"[side]));
      lower[side] = range[0];
      upper[side] = range[1];
    }
    one_.lower = lower;
    one_.upper = upper;
    return set_size(width_of_blocks);
  }

  const systems::System& system_;
  std::vector<systems::QuantityInfo> quantities_;
  std::vector<PictureCase> result_;
  PictureCase one_;
};

}  // namespace

std::array<Real3, 2> extent_shown(const mesh::MultiBlockMesh& mesh) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Real3 lower{far, far, far}, upper{-far, -far, -far};
  const auto include = [&](const mesh::CurvilinearBlock& block, const Box& nodes) {
    mesh::for_each_node(nodes, [&](const Index3& node) {
      const Real3 x = block.at(node);
      for (std::size_t a = 0; a < 3; ++a) {
        lower[a] = std::min(lower[a], x[a]);
        upper[a] = std::max(upper[a], x[a]);
      }
    });
  };
  const auto longest = [&] {
    return std::max({upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]});
  };
  for (const mesh::BoundaryPatch& patch : mesh.patches)
    if (patch.kind == "slip_wall") include(mesh.block(patch.block), patch.box);
  const Real3 least = lower, most = upper;
  const double size = longest();
  for (const mesh::CurvilinearBlock& block : mesh.blocks) include(block, block.nodes());
  if (!(size > 0 && size <= 0.25 * longest())) return {lower, upper};
  for (std::size_t a = 0; a < 3; ++a) {
    const double middle = (least[a] + most[a]) / 2, reach = a == 0 ? size : 0.8 * size;
    lower[a] = middle - reach;
    upper[a] = middle + reach;
  }
  return {lower, upper};
}

std::optional<io::Limits> read_limits(const config::Input& input, const std::string& table,
                                      const Report& report) {
  if (!input.is_set(table + ".limits")) return std::nullopt;
  const std::vector<double> ends = input.reals(table + ".limits");
  if (ends.size() == 2 && ends[0] < ends[1]) return io::Limits{ends[0], ends[1]};
  report(FaultKind::bad_value, table + ".limits",
         "limits are two values, the lower one first: those of the first and the last colour",
         "such as limits = [0, 1]; without this key each picture has its own");
  return std::nullopt;
}

void check_pictures(config::Input& input, const systems::System& system) {
  PictureReader(input, system, report_into(input)).all();
}

std::vector<PictureCase> pictures_of(const config::Input& input, const systems::System& system) {
  return PictureReader(input, system, no_faults()).all();
}

}  // namespace watersmeet::run
