#pragma once
// Judges of ghost plans of placed blocks, by position and by value, and ways to cut a box into
// parts.

#include <gtest/gtest.h>
#include <cstdint>

#include <cmath>
#include <limits>
#include <random>

#include "placed_blocks.hpp"

namespace watersmeet::mesh {

inline constexpr std::array<Location, 8> all_locations{
    Location::cell,   Location::x_face, Location::y_face, Location::z_face,
    Location::x_edge, Location::y_edge, Location::z_edge, Location::node};

inline const double unset = std::numeric_limits<double>::quiet_NaN();

// Any function without symmetry will do: component c of a vector at a position (doubled, wrapped).
inline double field(const Index3& x, int c) {
  return std::sin(1.0 + 0.7 * static_cast<double>(x[0]) + 1.9 * c) +
         std::cos(0.3 * static_cast<double>(x[1] * (c + 1))) +
         0.01 * static_cast<double>(x[2] * x[2] + x[0] * x[1]);
}

// Component c, along the block's own axes, of the field at a point of the block; an axial vector
// changes its sign where the block's axes are left-handed.
inline double local_field(const PlacedMesh& world, const PlacedBlock& block, const Index3& index,
                          Location where, Kind kind, int c) {
  const Orientation& o = block.orientation;
  const Index3 x = world.wrapped(block.position(index, where));
  if (kind == Kind::scalar || kind == Kind::cartesian) return field(x, c);
  return o.sign[c] * field(x, o.axis[c]) * (kind == Kind::pseudo ? o.determinant() : 1);
}

// The points of a location that a copy to these cells of a block of n cells fills. A block stores its points on both end faces (0 and n)
// itself, so below the block the points on the lower faces of the cells are filled, above it those on the upper faces, and alongside it
// those on both; over a whole plan each point once.
inline Box filled_points(Box cells, const Index3& n, Location where) {
  for (int a = 0; a < 3; ++a) {
    if (!staggered(where, a)) continue;
    if (cells.lower[a] >= n[a]) ++cells.lower[a];
    if (cells.upper[a] >= n[a]) ++cells.upper[a];
  }
  return cells;
}

// Every point is filled once, from the interior, from the point at the same position.
inline void expect_positions_agree(const PlacedMesh& world, const Mesh& mesh, const GhostPlan& plan,
                                   std::span<const Index3> width, int most_axes) {
  for (const Location where : all_locations) {
    std::vector<BlockArray> filled;
    for (std::size_t b = 0; b < width.size(); ++b) {
      filled.emplace_back(mesh.block(static_cast<int>(b)).n, width[b], 0.0);
    }
    for (const GhostCopy& copy : plan.copies) {
      const PlacedBlock& dst = world.placed[static_cast<std::size_t>(copy.dst_block)];
      const PlacedBlock& src = world.placed[static_cast<std::size_t>(copy.src_block)];
      for_each_index(filled_points(copy.dst, dst.n(), where), [&](const Index3& index) {
        const GhostPoint from = copy.map(index, where);
        for (int a = 0; a < 3; ++a) {
          ASSERT_GE(from.index[a], 0);
          ASSERT_LT(from.index[a], src.n()[a] + (staggered(from.location, a) ? 1 : 0));
        }
        ASSERT_EQ(world.wrapped(src.position(from.index, from.location)),
                  world.wrapped(dst.position(index, where)));
        filled[static_cast<std::size_t>(copy.dst_block)][index] += 1;
      });
    }
    for (const auto& regions : {plan.absent, plan.open}) {
      for (const GhostRegion& region : regions) {
        for_each_index(filled_points(region.box, mesh.block(region.block).n, where),
                       [&](const Index3& index) {
                         filled[static_cast<std::size_t>(region.block)][index] += 1;
                       });
      }
    }
    for (std::size_t b = 0; b < width.size(); ++b) {
      Index3 last =
          mesh.block(static_cast<int>(b)).n;  // points inside or on the faces: 0 .. last-1
      for (int a = 0; a < 3; ++a) last[a] += staggered(where, a) ? 1 : 0;
      Box box = filled[b].box;
      for (int a = 0; a < 3; ++a) box.upper[a] -= staggered(where, a) ? 0 : 1;
      for_each_index(box, [&](const Index3& index) {
        const int axes = axes_outside(index, last);
        ASSERT_EQ(filled[b][index], axes > 0 && axes <= most_axes ? 1 : 0)
            << "block " << b << " location " << static_cast<int>(where) << " at " << index[0] << " "
            << index[1] << " " << index[2];
      });
    }
  }
}

// Fills the interiors with a vector in local components, runs the plan and looks at the ghosts.
inline void expect_values_agree(const PlacedMesh& world, const GhostPlan& plan,
                                std::span<const Index3> width) {
  for (const Kind kind : {Kind::scalar, Kind::cartesian, Kind::local, Kind::pseudo}) {
    std::vector<std::array<BlockArray, 3>> arrays;
    for (std::size_t b = 0; b < world.placed.size(); ++b) {
      const PlacedBlock& block = world.placed[b];
      const BlockArray empty(block.n(), width[b], unset);
      arrays.push_back({empty, empty, empty});
      for_each_index({{0, 0, 0}, block.n()}, [&](const Index3& index) {
        for (int c = 0; c < 3; ++c) {
          arrays[b][c][index] = local_field(world, block, index, Location::cell, kind, c);
        }
      });
    }
    for (const GhostCopy& copy : plan.copies) {
      for_each_index(copy.dst, [&](const Index3& index) {
        for (int c = 0; c < 3; ++c) {
          const Component from = copy.to_src.orientation.component(kind, c);
          arrays[static_cast<std::size_t>(copy.dst_block)][c][index] =
              from.sign * arrays[static_cast<std::size_t>(copy.src_block)][from.component]
                                [copy.map(index).index];
        }
      });
    }
    for (const GhostCopy& copy : plan.copies) {
      const std::size_t b = static_cast<std::size_t>(copy.dst_block);
      for_each_index(copy.dst, [&](const Index3& index) {
        for (int c = 0; c < 3; ++c) {
          ASSERT_EQ(arrays[b][c][index],
                    local_field(world, world.placed[b], index, Location::cell, kind, c));
        }
      });
    }
  }
}

// Cuts a box at random, each part again, into n_parts boxes; seams need not run through.
inline std::vector<Box> random_parts(const Box& whole, int n_parts, std::mt19937& random) {
  std::vector<Box> parts{whole};
  while (static_cast<int>(parts.size()) < n_parts) {
    const std::size_t p = random() % parts.size();
    const int a = static_cast<int>(random() % 3);
    if (parts[p].size(a) < 2) continue;
    const std::int64_t cut =
        parts[p].lower[a] + 1 + static_cast<std::int64_t>(random()) % (parts[p].size(a) - 1);
    Box upper = parts[p];
    upper.lower[a] = cut;
    parts[p].upper[a] = cut;
    parts.push_back(upper);
  }
  return parts;
}

// Cuts a box at the given positions along each axis.
inline std::vector<Box> regular_parts(const std::array<std::vector<std::int64_t>, 3>& cuts) {
  std::vector<Box> parts;
  for (std::size_t k = 0; k + 1 < cuts[2].size(); ++k)
    for (std::size_t j = 0; j + 1 < cuts[1].size(); ++j)
      for (std::size_t i = 0; i + 1 < cuts[0].size(); ++i) {
        parts.push_back({{cuts[0][i], cuts[1][j], cuts[2][k]},
                         {cuts[0][i + 1], cuts[1][j + 1], cuts[2][k + 1]}});
      }
  return parts;
}

}  // namespace watersmeet::mesh
