// Nodes and cells of one curvilinear block, and their texts.

#include "mesh/curvilinear/block.hpp"

#include <algorithm>
#include <cstdio>

#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

namespace {

double triple(const Real3& a, const Real3& b, const Real3& c) {
  return dot_product(a, cross_product(b, c));
}

std::string number_text(double value, const char* form) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

}  // namespace

double local_spacing(const CurvilinearBlock& block, const Index3& node) {
  const Real3 here = block.at(node);
  double shortest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (const int step : {-1, 1}) {
      Index3 next = node;
      next[a] += step;
      if (next[a] < 0 || next[a] >= block.n[a]) continue;
      const double length = distance(here, block.at(next));
      if (length > 0 && (shortest == 0 || length < shortest)) shortest = length;
    }
  }
  return shortest;
}

double cell_volume(const CurvilinearBlock& block, const Index3& cell) {
  if (block.n[2] == 1) {  // half the cross product of the diagonals
    const std::int64_t i = cell[0], j = cell[1], k = cell[2];
    const Real3 p = block.at({i, j, k}), q = block.at({i + 1, j, k});
    const Real3 r = block.at({i, j + 1, k}), s = block.at({i + 1, j + 1, k});
    return 0.5 * ((s[0] - p[0]) * (r[1] - q[1]) - (s[1] - p[1]) * (r[0] - q[0]));
  }
  const auto j = static_cast<std::size_t>(block.n[0]);
  const std::size_t corner = block.offset(cell), i = 1,
                    k = j * static_cast<std::size_t>(block.n[1]);
  const auto between = [&](std::size_t from, std::size_t to) {
    Real3 d;
    for (std::size_t m = 0; m < 3; ++m) d[m] = block.x[m][corner + to] - block.x[m][corner + from];
    return d;
  };
  // Of differences, so that far from the origin no digits are lost: Grandy, Efficient computation of volume of hexahedral cells (1997).
  const Real3 a = between(i, i + j + k), b = between(0, j + k);
  const Real3 c = between(j, i + j + k), d = between(0, i + k);
  const Real3 e = between(k, i + j + k), f = between(0, i + j);
  return (triple(sum_of(a, b), c, f) + triple(b, sum_of(c, d), e) + triple(a, d, sum_of(e, f))) /
         12;
}

CurvilinearBlock part_of(const CurvilinearBlock& block, const Box& nodes) {
  CurvilinearBlock part({nodes.size(0), nodes.size(1), nodes.size(2)});
  for (std::int64_t k = 0; k < part.n[2]; ++k) {
    for (std::int64_t j = 0; j < part.n[1]; ++j) {
      const Index3 first{nodes.lower[0], nodes.lower[1] + j, nodes.lower[2] + k};
      for (std::size_t m = 0; m < 3; ++m)
        std::copy_n(&block.x[m][block.offset(first)], part.n[0],
                    &part.x[m][part.offset({0, j, k})]);
    }
  }
  return part;
}

CurvilinearBlock reoriented(const CurvilinearBlock& block, const Orientation& orientation) {
  CurvilinearBlock turned(orientation.size(block.n));
  // Nodes are points as cells are: one of n, the last of which is n - 1.
  for_each_node(block.nodes(), [&](const Index3& node) {
    turned.set(orientation.cell(node, block.n), block.at(node));
  });
  return turned;
}

const std::vector<std::string>& face_names() {
  static const std::vector<std::string> names = {"i_lower", "i_upper", "j_lower",
                                                 "j_upper", "k_lower", "k_upper"};
  return names;
}

std::string face_name(Face face) {
  return face_names()[static_cast<std::size_t>(2 * face.axis + static_cast<int>(face.side))];
}

std::optional<Face> face_named(const std::string& name) {
  const auto found = std::find(face_names().begin(), face_names().end(), name);
  if (found == face_names().end()) return std::nullopt;
  const int number = static_cast<int>(found - face_names().begin());
  return Face{number / 2, number % 2 == 0 ? Side::lower : Side::upper};
}

std::vector<Face> faces_of(int dimensions) {
  std::vector<Face> faces;
  for (int axis = 0; axis < dimensions; ++axis) {
    faces.push_back({axis, Side::lower});
    faces.push_back({axis, Side::upper});
  }
  return faces;
}

std::string index_text(const Index3& index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " +
         std::to_string(index[2]) + ")";
}

std::string node_box_text(const Box& nodes) {
  return "nodes " + index_text(nodes.lower) + " to " +
         index_text({nodes.upper[0] - 1, nodes.upper[1] - 1, nodes.upper[2] - 1});
}

std::string point_text(const Real3& point) {
  return "(" + number_text(point[0], "%.7g") + ", " + number_text(point[1], "%.7g") + ", " +
         number_text(point[2], "%.7g") + ")";
}

std::string short_text(double value) { return number_text(value, "%.3g"); }

}  // namespace watersmeet::mesh
