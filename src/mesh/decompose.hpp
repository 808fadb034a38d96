#pragma once
// How the box of a one-block mesh is shared out over ranks: in one, two or three directions,
// whichever has the least modelled time per stage; along the slowest index where times are equal,
// because those faces are contiguous in memory.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mesh/partition.hpp"

namespace watersmeet::mesh {

// Time of one stage on a rank:
//   cells / (speed of the rank) + messages * latency + bytes / bandwidth,
// the last two counted only as far as the computation of the core does not hide them when `overlap`.
struct StageCost {
  double seconds_per_cell = 1e-9;  // of a rank of weight 1
  double latency = 2e-5;           // seconds a message
  double bandwidth = 2e11;         // bytes/s out of one rank
  double bytes_per_cell = 16;      // of one ghost cell in a message
  bool overlap = true;
};

// Parts may end between cells that are multiples of `cells` apart along each axis, and every rank
// then computes `repeated` further cells by itself.
struct CutUnit {
  Index3 cells{1, 1, 1};
  double repeated = 0;
};

// Where a grid may be cut.
struct CuttingRule {
  int halo = 3;  // ghost layers that a part needs, and so the thinnest part along a cut axis
  // The axis along which cells need nothing of each other, as the panels of a sphere: parts may be
  // one cell thick there, and no ghosts pass; -1: none.
  int loose_axis = -1;
  // Axes that are never cut, because lines of cells are solved for as a whole.
  std::array<bool, 3> whole{};
  // The axis along which a grid is cut unless the user says more; -1: whichever takes least time.
  int usual_axis = -1;
  // To choose from; each divides the cells. The first allows whatever the others allow.
  std::vector<CutUnit> units{CutUnit{}};

  int halo_along(int axis) const { return axis == loose_axis ? 0 : halo; }
  int thinnest(int axis) const { return halo_along(axis) > 1 ? halo_along(axis) : 1; }
};

struct SharingOut : CuttingRule {
  Index3 cells{1, 1, 1};
  std::array<bool, 3> periodic{true, true, true};
  std::vector<double> weights = {};  // speed of each rank relative to the others; all > 0
  // The user's choice; its product is the number of ranks.
  std::optional<std::array<int, 3>> ranks_along = {};
  // The slowest ranks may be left without cells when the others are faster alone. Of equally fast
  // ranks none is left out for that.
  bool may_leave_out = true;
  StageCost cost = {};
};

struct Shares {
  std::vector<Part> parts;  // one a rank that computes, in the order of the ranks
  std::array<int, 3> ranks_along{1, 1, 1};
  double seconds_per_stage = 0;      // modelled
  std::vector<std::string> remarks;  // sentences for the user: ranks left out, and why
};

// Error{user_input} when `ranks_along` does not fit the number of ranks or makes parts thinner than
// the halo or cuts an axis of one cell. Ranks for which no cut leaves parts as thick as the halo
// are left out, the slowest first, with a remark; their parts are missing. Equal weights (within 1
// %): boxes whose sizes along an axis differ by one unit at most. Unequal weights: slabs along one
// axis in proportion, or such boxes at the pace of the slowest rank where the model finds them
// faster. Of several units that with the least modelled time.
Shares share_out(const SharingOut& request);

}  // namespace watersmeet::mesh
