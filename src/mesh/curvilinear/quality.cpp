#include "mesh/curvilinear/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::mesh {

namespace {

void keep(Extreme& extreme, bool better, double value, int block, const Index3& at) {
  if (better) extreme = {value, block, at};
}

// Edges without length (collapsed faces) have no direction and are left out.
void look_at_cell(const CurvilinearBlock& block, int number, const Index3& cell, MeshQuality& q) {
  const int dimensions = block.dimensions();
  const double volume = cell_volume(block, cell);
  keep(q.smallest_volume, volume < q.smallest_volume.value, volume, number, cell);
  keep(q.largest_volume, volume > q.largest_volume.value, volume, number, cell);
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (int corner = 0; corner < (dimensions == 2 ? 4 : 8); ++corner) {
    Index3 node = cell;
    std::array<Real3, 3> edge{{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}};
    bool has_length = true;
    for (int a = 0; a < dimensions; ++a) node[a] += corner >> a & 1;
    for (int a = 0; a < dimensions; ++a) {
      // Along the axis, whichever end of the cell the corner is.
      Index3 low = node, high = node;
      low[a] = cell[a];
      high[a] = cell[a] + 1;
      const Real3 e = difference_of(block.at(high), block.at(low));
      const double length = length_of(e);
      has_length = has_length && length > 0;
      if (length > 0) {
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
        edge[a] = scaled(1 / length, e);
      }
    }
    if (!has_length) continue;
    const double skew = 1 - dot_product(cross_product(edge[0], edge[1]), edge[2]);
    if (skew > 1) ++q.folded_corners;
    keep(q.skewness, skew > q.skewness.value, skew, number, cell);
    for (int a = 0; a < dimensions; ++a) {
      for (int b = 0; b < a; ++b) {
        const double cosine = std::min(1.0, std::abs(dot_product(edge[a], edge[b])));
        const double angle = std::acos(cosine) * 180 / M_PI;
        keep(q.smallest_angle, angle < q.smallest_angle.value, angle, number, cell);
      }
    }
  }
  if (longest > 0) {
    const double aspect = longest / shortest;
    keep(q.aspect_ratio, aspect > q.aspect_ratio.value, aspect, number, cell);
  }
}

void look_at_lines(const CurvilinearBlock& block, int number, MeshQuality& q) {
  for (int a = 0; a < block.dimensions(); ++a) {
    if (block.n[a] < 3) continue;
    Box inner = block.nodes();
    ++inner.lower[a];
    --inner.upper[a];
    for_each_node(inner, [&](const Index3& node) {
      Index3 before = node, after = node;
      --before[a];
      ++after[a];
      const double first = distance(block.at(before), block.at(node));
      const double second = distance(block.at(node), block.at(after));
      if (!(first > 0 && second > 0)) return;
      const double ratio = std::max(first / second, second / first);
      keep(q.stretching, ratio > q.stretching.value, ratio, number, node);
    });
  }
}

// Normal of a face at a node, by the differences along it; 0 where they vanish.
Real3 face_normal(const CurvilinearBlock& block, Face face, const Box& box, const Index3& node) {
  std::array<Real3, 2> along{{{0, 0, 1}, {0, 0, 1}}};
  std::size_t found = 0;
  for (int a = 0; a < block.dimensions(); ++a) {
    if (a == face.axis) continue;
    Index3 before = node, after = node;
    before[a] = std::max(node[a] - 1, box.lower[a]);
    after[a] = std::min(node[a] + 1, box.upper[a] - 1);
    along[found++] = difference_of(block.at(after), block.at(before));
  }
  const Real3 normal = cross_product(along[0], along[1]);
  const double length = length_of(normal);
  return length > 0 ? scaled(1 / length, normal) : Real3{0, 0, 0};
}

void look_at_walls(const MultiBlockMesh& mesh, MeshQuality& q) {
  for (const std::string& name : mesh.patch_names()) {
    FirstCells cells{name, std::numeric_limits<double>::infinity(), 0, 0};
    double sum = 0;
    std::int64_t count = 0;
    for (const BoundaryPatch& patch : mesh.patches) {
      if (patch.name != name || patch.kind != "slip_wall") continue;
      const CurvilinearBlock& block = mesh.block(patch.block);
      for_each_node(patch.box, [&](const Index3& node) {
        Index3 next = node;
        next[patch.face.axis] -= patch.face.outward();
        const Real3 step = difference_of(block.at(next), block.at(node));
        const double height =
            std::abs(dot_product(step, face_normal(block, patch.face, patch.box, node)));
        if (!(height > 0)) return;
        cells.smallest = std::min(cells.smallest, height);
        cells.largest = std::max(cells.largest, height);
        sum += height;
        ++count;
      });
    }
    if (count == 0) continue;
    cells.mean = sum / static_cast<double>(count);
    q.first_cells.push_back(cells);
  }
}

}  // namespace

MeshQuality quality_of(const MultiBlockMesh& mesh) {
  MeshQuality q;
  q.smallest_volume.value = std::numeric_limits<double>::infinity();
  q.smallest_angle.value = 90;
  q.stretching.value = 1;
  q.aspect_ratio.value = 1;
  for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b) {
    const CurvilinearBlock& block = mesh.block(b);
    for_each_node(block.cells(), [&](const Index3& cell) { look_at_cell(block, b, cell, q); });
    look_at_lines(block, b, q);
  }
  look_at_walls(mesh, q);
  return q;
}

}  // namespace watersmeet::mesh
