#pragma once
// What the loops look up by the cells of a part: levels, columns over the terrain, the profile of
// the reference, sponges, coordinates. Made on the host in double, rounded once, kept where the
// kernels run. Every number depends on the place in the whole grid alone, so that ranks agree.

#include <array>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "core/device.hpp"
#include "memory/buffer.hpp"
#include "mesh/geometry.hpp"
#include "systems/atmosphere/loops.hpp"
#include "systems/atmosphere/settings/levels.hpp"
#include "systems/atmosphere/settings/reference.hpp"

namespace watersmeet::atmosphere {

// The ground above z_0 = geometry.lower[2], by corners of columns: corner (i, j) lies at the lower
// sides of column (i, j). Corners beyond the grid are those of the other side where the axis is
// periodic, else mirror images; along an axis of one cell there is one number.
struct Ground {
  mesh::Uniform geometry;
  Index3 cells{1, 1, 1};
  std::array<bool, 3> periodic{true, true, true};
  std::string text;  // empty: flat
  config::Constants constants;

  // [j][i] of the corners first[a] <= index < end[a].
  std::vector<double> corners(const std::array<std::int64_t, 2>& first,
                              const std::array<std::int64_t, 2>& end) const;
};

// A layer in which the flow is drawn towards the reference: rate sin^2(pi/2 s), s from 0 at its
// inner edge to 1 at the side.
struct Sponge {
  double width = 0, rate = 0;
  bool on() const { return width > 0 && rate > 0; }
};

// The rate of a sponge in a cell at this distance from the side.
inline constexpr double usual_sponge_rate = 0.05;  // physics.sponge.*.rate
double sponge_rate(const Sponge& sponge, double from_side);

struct TableRequest {
  Ground ground;
  std::vector<double> z_faces;  // above the bottom, of stretched levels; else none
  double kappa = 1.0 / 3;       // what these are reconstructed with
  ReferenceState reference;
  Sponge top, sides[2];

  Levels levels() const {
    if (!z_faces.empty()) return Levels(z_faces);
    return Levels(ground.cells[2], ground.geometry.spacing[2]);
  }
};

// ColumnValue of the columns between corners at `heights`, [j][i] with corners_x in a row and dx
// and dy apart; to values[value stride_value + j stride_j + i].
void put_columns(const std::vector<double>& heights, std::int64_t corners_x, double dx, double dy,
                 double* values, std::int64_t stride_j, std::int64_t stride_value);

// Buffers with tables on the device.
class TableStore {
 public:
  TableStore() = default;
  TableStore(Precision precision, const Queue& queue) : precision_(precision), queue_(queue) {}

  // Where entry `first` of a table lies for the kernels.
  TableAddress<double> keep(const std::vector<double>& values, std::int64_t first = 0);
  // Device memory of this many bytes.
  void* keep_space(std::size_t bytes);

 private:
  Precision precision_ = Precision::double_;
  Queue queue_;
  std::vector<memory::Buffer> buffers_;
};

// What both meshes look up by level: LevelValue of the levels first <= k < end above `bottom`.
std::vector<double> level_table(const ReferenceState& reference, const Levels& levels,
                                double bottom, std::int64_t first, std::int64_t end);
// Over terrain: the reference as a function of z for ground not below `lowest`, above the bottom.
void keep_profile(const ReferenceState& reference, const Levels& levels, double lowest,
                  Medium<double>& medium, TableStore& store);
// Entries behind the last one of a row of columns: the CPU's loops read up to two packs further.
constexpr std::int64_t row_padding = 64;

class Tables {
 public:
  Tables() = default;
  // `part`: cells of the whole grid. Sets the addresses of the tables in `of`, and the numbers of its medium that depend on them.
  Tables(const TableRequest& request, const Box& part, Precision precision, const Queue& queue,
         BoxCase& of);

 private:
  TableStore store_;
};

// The numbers of `medium` that no part changes.
Medium<double> medium_of(const TableRequest& request);

}  // namespace watersmeet::atmosphere
