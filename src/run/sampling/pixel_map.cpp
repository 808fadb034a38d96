// Which cell each pixel of a picture shows.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "mesh/cubed_sphere.hpp"
#include "run/sampling/picture_case.hpp"
#include "run/sampling/probes.hpp"

namespace watersmeet::run {
namespace {

// The middle of a pixel as a share of the side.
double middle(int pixel, int pixels) { return (pixel + 0.5) / pixels; }

// The cell of a part that each pixel along an axis shows, from the lower side.
std::vector<std::int64_t> cells_along(const PictureCase& picture, const mesh::GridDescription& grid,
                                      int axis, int pixels) {
  const auto a = static_cast<std::size_t>(axis);
  const std::int64_t n = picture.part.n[a], first = picture.part.first[a];
  const std::vector<double>& faces = grid.faces[a];
  std::vector<std::int64_t> cells;
  for (int p = 0; p < pixels; ++p) {
    const double share = middle(p, pixels);
    auto cell = static_cast<std::int64_t>(share * static_cast<double>(n));
    if (!faces.empty()) {
      const auto begin = faces.begin() + first;
      const double at = begin[0] + share * (begin[n] - begin[0]);
      cell = std::upper_bound(begin, begin + n, at) - begin - 1;
    }
    cells.push_back(std::clamp<std::int64_t>(cell, 0, n - 1));
  }
  return cells;
}

// Heights of the faces of levels over terrain in a plane that stands upright: at the place of each pixel along the width those of the levels of
// the part, from below. They are linear between the corners of a cell, and means over its two sides across the plane.
std::vector<std::vector<double>> faces_of_levels(const PictureCase& picture,
                                                 const mesh::GridDescription& grid,
                                                 const std::vector<std::int64_t>& columns) {
  const mesh::MultiBlockMesh corners = grid.corners();
  const mesh::CurvilinearBlock& block = corners.block(0);
  const PartCase& part = picture.part;
  const std::size_t across = static_cast<std::size_t>(picture.across), other = 1 - across;
  const double cells = static_cast<double>(part.n[across]);
  std::vector<std::vector<double>> faces;
  for (int p = 0; p < picture.width; ++p) {
    Index3 corner{0, 0, 0};
    corner[across] = part.first[across] + columns[static_cast<std::size_t>(p)];
    corner[other] = part.first[other];
    const auto of_column = [&](std::int64_t shift, std::int64_t k) {
      Index3 one = corner;
      one[across] += shift;
      one[2] = k;
      Index3 behind = one;
      behind[other] = std::min(one[other] + 1, block.n[other] - 1);
      return 0.5 * (block.at(one)[2] + block.at(behind)[2]);
    };
    double share = middle(p, picture.width) * cells -
                   static_cast<double>(columns[static_cast<std::size_t>(p)]);
    if (!grid.faces[across].empty()) {
      const double at =
          picture.lower[0] + middle(p, picture.width) * (picture.upper[0] - picture.lower[0]);
      const double left = cell_face(grid, across, corner[across]);
      share = (at - left) / (cell_face(grid, across, corner[across] + 1) - left);
    }
    faces.emplace_back();
    for (std::int64_t k = part.first[2]; k <= part.first[2] + part.n[2]; ++k)
      faces.back().push_back((1 - share) * of_column(0, k) + share * of_column(1, k));
  }
  return faces;
}

io::PixelMap of_plane(const PictureCase& picture, const mesh::GridDescription& grid) {
  io::PixelMap map{picture.width, picture.height, {}};
  const auto columns = cells_along(picture, grid, picture.across, map.width);
  const auto rows = cells_along(picture, grid, picture.up, map.height);
  const std::int64_t n = picture.part.n[static_cast<std::size_t>(picture.across)];
  std::vector<std::vector<double>> levels;
  double low = 0, high = 0;
  if (grid.kind == mesh::GridKind::moved_box && picture.up == 2) {
    levels = faces_of_levels(picture, grid, columns);
    low = levels[0].front();
    high = levels[0].back();
    for (const std::vector<double>& column : levels) {
      low = std::min(low, column.front());
      high = std::max(high, column.back());
    }
  }
  for (int row = 0; row < map.height; ++row) {
    const int above = map.height - 1 - row;
    for (std::size_t p = 0; p < columns.size(); ++p) {
      std::int64_t up = rows[static_cast<std::size_t>(above)];
      if (!levels.empty()) {
        const double height = low + middle(above, map.height) * (high - low);
        const std::vector<double>& faces = levels[p];
        up = std::upper_bound(faces.begin(), faces.end(), height) - faces.begin() - 1;
        if (up < 0 || up + 1 >= std::ssize(faces)) {
          map.cells.push_back(-1);
          continue;
        }
      }
      map.cells.push_back(static_cast<std::int32_t>(up * n + columns[p]));
    }
  }
  return map;
}

io::PixelMap of_sphere(const PictureCase& picture) {
  constexpr double radian = std::numbers::pi / 180;
  io::PixelMap map{picture.width, picture.height, {}};
  const std::int64_t n = picture.part.n[0];
  for (int row = 0; row < map.height; ++row) {
    for (int column = 0; column < map.width; ++column) {
      const PanelPlace at = panel_place(n, 360 * radian * middle(column, map.width),
                                        radian * (90 - 180 * middle(row, map.height)));
      map.cells.push_back(static_cast<std::int32_t>((at.panel * n + at.j) * n + at.i));
    }
  }
  return map;
}

// Each cell is two triangles, and shows its nodes in the pixels whose middles lie in one of them.
io::PixelMap of_blocks(const PictureCase& picture, const mesh::MultiBlockMesh& mesh) {
  io::PixelMap map{picture.width, picture.height, {}};
  map.cells.assign(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height), -1);
  using Place = std::array<double, 2>;  // in pixels from the left, from the top
  const double pixels_x = map.width / (picture.upper[0] - picture.lower[0]),
               pixels_y = map.height / (picture.upper[1] - picture.lower[1]);
  const auto twice_area = [](const Place& a, const Place& b, const Place& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  };
  const auto within = [&](const Place& p, const Place& a, const Place& b, const Place& c) {
    const double u = twice_area(a, b, p), v = twice_area(b, c, p), w = twice_area(c, a, p);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  };
  std::int64_t before = 0;  // nodes of the blocks before
  for (const mesh::CurvilinearBlock& block : mesh.blocks) {
    const Box cells = block.cells();
    for (std::int64_t j = 0; j < cells.upper[1]; ++j) {
      for (std::int64_t i = 0; i < cells.upper[0]; ++i) {
        std::array<Place, 4> corners;  // round the cell
        std::array<std::int64_t, 4> nodes{};
        Place low, high;
        for (std::size_t c = 0; c < 4; ++c) {
          const Index3 node{i + (c == 1 || c == 2 ? 1 : 0), j + (c >= 2 ? 1 : 0), 0};
          const Real3 x = block.at(node);
          corners[c] = {(x[0] - picture.lower[0]) * pixels_x, (picture.upper[1] - x[1]) * pixels_y};
          nodes[c] = before + static_cast<std::int64_t>(block.offset(node));
          for (std::size_t a = 0; a < 2; ++a) {
            low[a] = c == 0 ? corners[c][a] : std::min(low[a], corners[c][a]);
            high[a] = c == 0 ? corners[c][a] : std::max(high[a], corners[c][a]);
          }
        }
        const auto first = [](double end) { return static_cast<int>(std::ceil(end - 0.5)); };
        for (int row = first(std::max(low[1], 0.5)); row < map.height && row + 0.5 <= high[1];
             ++row) {
          for (int column = first(std::max(low[0], 0.5));
               column < map.width && column + 0.5 <= high[0]; ++column) {
            const Place p{column + 0.5, row + 0.5};
            std::int32_t& shown =
                map.cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.width) +
                          static_cast<std::size_t>(column)];
            if (shown >= 0 || !(within(p, corners[0], corners[1], corners[2]) ||
                                within(p, corners[0], corners[2], corners[3])))
              continue;
            const auto distance = [&](std::size_t c) {
              return std::hypot(corners[c][0] - p[0], corners[c][1] - p[1]);
            };
            std::size_t nearest = 0;
            for (std::size_t c = 1; c < 4; ++c)
              if (distance(c) < distance(nearest)) nearest = c;
            shown = static_cast<std::int32_t>(nodes[nearest]);
          }
        }
      }
    }
    before += block.count();
  }
  return map;
}

}  // namespace

io::PixelMap pixels_of(const PictureCase& picture, const mesh::GridDescription& grid) {
  const Index3& n = picture.part.n;
  require(n[0] * n[1] * n[2] < std::int64_t{1} << 31,
          "a picture is drawn of fewer than 2^31 cells");
  if (grid.blocks) return of_blocks(picture, *grid.blocks);
  if (grid.kind == mesh::GridKind::cubed_sphere) return of_sphere(picture);
  return of_plane(picture, grid);
}

}  // namespace watersmeet::run
