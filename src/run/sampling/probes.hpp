#pragma once
// Probes of a case, [[output.probe]]: values of fields in the cell nearest to a place, columns of
// the time series. On a sphere, and over terrain, that is the column of cells at the place and in
// it the level that holds the height.

#include <string>
#include <vector>

#include "config/input.hpp"
#include "run/engine.hpp"
#include "systems/observation.hpp"

namespace watersmeet::run {

// The cell of a box that is nearest to a coordinate along an axis, and its centre.
struct NearestAlong {
  std::int64_t cell = 0;
  double centre = 0;
  bool inside = true;  // of the grid's bounds; along an axis of one cell there is no choice
};
NearestAlong nearest_along(const mesh::GridDescription& grid, std::size_t axis, double wanted);
double cell_centre(const mesh::GridDescription& grid, std::size_t axis, std::int64_t cell);
// The lower face of a cell, or of the last one the upper.
double cell_face(const mesh::GridDescription& grid, std::size_t axis, std::int64_t cell);
// "the grid is from 0 to 1 along x", of a box.
std::string extent_text(const mesh::GridDescription& grid, std::size_t axis);

// The cell of a sphere, of panels of n x n cells, that lies in a direction, in radians: its panel is the one whose outward axis is nearest to the
// direction, and cells are equidistant in the panel's angles (mesh/cubed_sphere.hpp).
struct PanelPlace {
  int panel = 0;
  std::int64_t i = 0, j = 0;
};
PanelPlace panel_place(std::int64_t n, double longitude, double latitude);

// Records faults of the probes of a case whose system is configured; part of loading.
void check_probes(config::Input& input, const mesh::GridDescription& grid,
                  const systems::Observation& system);

// NAME_FIELD of each probe; of vectors NAME_FIELD_x, _y and _z.
std::vector<systems::SeriesColumn> probe_columns(const config::Input& input,
                                                 const systems::Observation& system);

class Probes {
 public:
  Probes(const config::Input& input, const mesh::GridDescription& grid,
         const systems::Observation& system);

  // Those of probe_columns().
  const std::vector<systems::SeriesColumn>& columns() const { return columns_; }
  // Values of the columns, the same on all ranks, which all call; waits for the device.
  std::vector<double> values(Engine& engine) const;
  // "probe wall at (0.47, 0.5, 0.5)", where its cell is.
  std::vector<std::string> place_texts() const;

 private:
  struct Probe {
    Index3 cell;
    Real3 place;
    std::string name;
    std::vector<systems::QuantityInfo> fields;
  };
  std::vector<Probe> probes_;
  std::vector<systems::SeriesColumn> columns_;
};

}  // namespace watersmeet::run
