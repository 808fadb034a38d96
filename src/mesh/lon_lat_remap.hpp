#pragma once
// From the cells of a cubed sphere to the cells of a regular grid of longitudes and latitudes:
// bilinear interpolation in the angles of the panel that holds the middle of a cell of the grid.
//
//        o---o---o | g       Beyond the edge of a panel lie ghosts, linear between two cells of the
//        | * |   | |         neighbour's first line (ghost_line of mesh/cubed_sphere.hpp); at a
//        o---o---o | g       corner, where there is no ghost, the triangle of the cell and its two
//                            ghosts takes the place of the square.
//
// The remap is of second order everywhere. Weights are not negative and their sum is 1, so that nothing is
// exceeded; integrals are kept to that order only.

#include <cstdint>
#include <vector>

#include "mesh/cubed_sphere.hpp"

namespace watersmeet::mesh {

// Middles and edges of the cells in degrees: longitudes from 0 eastwards, latitudes from the south
// pole.
struct LonLatGrid {
  std::int64_t nlon = 0, nlat = 0;
  std::vector<double> lon() const;
  std::vector<double> lat() const;
  std::vector<double> lon_edges() const;  // one more
  std::vector<double> lat_edges() const;
};

class LonLatRemap {
 public:
  // Panels of n x n cells, n >= 4.
  LonLatRemap(std::int64_t n, const LonLatGrid& grid);

  const LonLatGrid& grid() const { return grid_; }
  std::int64_t n() const { return n_; }
  // values: [panel][level][j][i][component]; returns [level][lat][lon][component].
  std::vector<double> apply(const std::vector<double>& values, std::int64_t levels,
                            std::int64_t components) const;

 private:
  struct Entry {
    std::int32_t cell;  // (panel n + j) n + i
    double weight;
  };
  void add(std::int64_t panel, std::int64_t i, std::int64_t j, double weight);
  void add_ghost(std::int64_t panel, int side, std::int64_t m, double weight);

  std::int64_t n_;
  LonLatGrid grid_;
  Mesh mesh_;  // its links
  std::vector<GhostStencil> line_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> first_;  // of each cell of the grid, and the end
};

}  // namespace watersmeet::mesh
