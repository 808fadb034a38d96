#pragma once
// The map from the grid of a checkpoint or snapshot to the grid of a case: reads what each piece of a part needs, maps it axis after axis
// (schemes/resample.hpp) and stores it. A box is mapped along its axes, a panel of a sphere along its angles and across its levels:
//
//     values       times the exact areas of their cells    along alpha   along beta   across levels    over the exact areas
//     u - u_0  ->  a density in the angles             ->                                         ->   v, and v + u_0 is stored
//
// so that sums of values times areas are kept, and a uniform field stays uniform: both grids have the same whole area. Panels are mapped one by
// one. Vectors are mapped by the components that are stored, those of a panel along its angles.
//
// Curvilinear blocks are mapped one by one as well: a node has the value of the place in the other block where it lies
// (mesh/curvilinear/block_place.hpp).

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/state_file.hpp"
#include "schemes/resample.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

// A variable as a sum of arrays of the file.
struct Source {
  int variable = 0;
  std::vector<std::pair<std::string, double>> terms;
};
// What the variables of this system are of those of the other one. Error{user_input} where they are not of the same kind.
std::vector<Source> sources(const systems::SetUp& before, const systems::SetUp& now);
std::vector<double> read_source(const StateFile& reader, const Source& source, const Box& box);

// Whether an axis of a box is closed; the faces of its n cells. Where points are cells they are the lower ends of them.
bool periodic(const mesh::GridDescription& grid, std::size_t axis);
std::vector<double> faces_of(const mesh::GridDescription& grid, std::size_t axis);

class GridMap {
 public:
  // The grids must fit each other (other_grid.cpp). centred: as StateFile has it.
  GridMap(const systems::System& before, const systems::System& now, bool centred);

  // Sets the cells `part` of the whole grid, which are this rank's.
  void fill(const StateFile& reader, systems::System& now, const Box& part,
            const Queue& queue) const;
  // The same where both grids are one: what the file has.
  void copy(const StateFile& reader, systems::System& now, const Box& part,
            const Queue& queue) const;

 private:
  void fill_blocks(const StateFile& reader, systems::System& now, const Box& part,
                   const Queue& queue) const;
  // The map of one axis; without one it stays as it is.
  struct AxisMap {
    std::optional<schemes::AverageMap> averages;
    std::optional<schemes::PointMap> points;
    schemes::IndexRange needed(schemes::IndexRange to) const;
    void apply(schemes::Arrays& values, schemes::IndexRange have, schemes::IndexRange to,
               const schemes::Lines& lines, const schemes::Limits& limits, int threads) const;
  };
  // Variables at one location, mapped together.
  struct Group {
    Location location = Location::cell;
    std::vector<Source> sources;
    std::array<AxisMap, 3> maps;
  };
  AxisMap map_of(std::size_t axis, Location location, const systems::Transfer& transfer,
                 bool centred) const;
  schemes::Arrays map_piece(const StateFile& reader, const Group& group, const Box& to,
                            const schemes::Limits& limits, int threads) const;
  schemes::Arrays map_panel_piece(const StateFile& reader, const Group& group, int panel,
                                  const Box& to, int threads) const;
  static void along_axes(schemes::Arrays& values, const Group& group, const Box& have,
                         const Box& want, const schemes::Limits& limits, int threads);
  static Box needed(const Group& group, const Box& to);

  const mesh::GridDescription& from_;
  const mesh::GridDescription& to_;
  std::vector<Group> groups_;
};

}  // namespace watersmeet::run
