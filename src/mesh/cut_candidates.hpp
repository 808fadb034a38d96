#pragma once
// Ways to cut a box into parts for ranks, each with the modelled time of a stage.
//
//        a part, cut along both axes:    skin  cells within `halo` of a cut face: computed when
//        +-----------------+                   the ghosts have come
//        |  +-----------+  |             core  computed meanwhile, when `overlap`
//        |  |   core    |  |
//        |  +-----------+  |             time = max(core, messages) + skin
//        |      skin       |
//        +-----------------+

#include <array>
#include <vector>

#include "mesh/decompose.hpp"

namespace watersmeet::mesh {

inline constexpr double equal_within = 1.01;  // ratio of times or of speeds that count as equal

// The thinnest part along an axis, in units, and in cells of the first unit.
std::int64_t thinnest_units(const SharingOut& request, const CutUnit& unit, int axis);
std::int64_t thinnest_cells(const SharingOut& request, int axis);

using Counts = std::array<int, 3>;  // along x, y and z

// The numbers of parts that a mesh allows.
class Cuts {
 public:
  Cuts(const SharingOut& request, const CutUnit& unit);

  std::int64_t most_along(int axis) const { return most_[axis]; }
  double all() const { return all_; }     // parts at most
  int n_axes() const { return n_axes_; }  // axes that can be cut

  // The ways to cut into so many equal boxes.
  std::vector<Counts> into(int n_parts) const;

 private:
  Index3 most_{1, 1, 1};
  double all_ = 1;
  int n_axes_ = 0;
};

struct Candidate {
  std::vector<int> ranks;  // that compute, ascending
  Counts along{1, 1, 1};
  std::array<std::vector<std::int64_t>, 3> sizes;
  bool in_proportion = false;
  double seconds = 0;
};

bool equal_speeds(const std::vector<int>& ranks, const SharingOut& request);
// Equal boxes, at the pace of the slowest rank.
Candidate boxes(const std::vector<int>& ranks, const Counts& along, const CutUnit& unit,
                const SharingOut& request);
// Slabs along one axis in proportion to the speeds.
Candidate slabs(const std::vector<int>& ranks, int axis, const CutUnit& unit,
                const SharingOut& request);
// All of them for these ranks, in every unit.
void add_candidates(const std::vector<int>& ranks, const SharingOut& request,
                    std::vector<Candidate>& candidates);
// The best of the candidates with the least time: the most ranks, work in proportion, the fewest cut axes;
// then x least cut (whole rows, whole lines of cache), then y.
const Candidate& best_of(const std::vector<Candidate>& candidates);

}  // namespace watersmeet::mesh
