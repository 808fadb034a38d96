#pragma once
// Coarse levels of a mesh for multigrid: of each direction of each block some nodes are kept, the
// two ends always.
//
//        9 intervals   o--o--o--o--o--o--o--o--o--o      an even number: every second node
//                      |     |     |  |     |     |      an odd one: one interval stays single,
//        5 coarse      o-----o-----o--o-----o-----o      in the middle or beside it
//
// Directions of blocks that links join keep the same nodes. Ends of links and patches are kept, so
// a direction is cut there into segments; links join segments to segments, forwards or backwards,
// and those joined form a class that is coarsened once for all its members. Nodes that coincide on
// the fine level are thus both kept or both dropped, in any orientation, also on parts of faces.
//
// Values go between the levels direction by direction. Up by P, linear in the index of the finer
// level; residuals down by R = Hc^-1 P^T Hf with the quadratures H of the two levels, so that
// sum Hc R r = sum Hf r: the pair that keeps summation by parts (Ruggiu, Weinerfelt & Nordstrom
// 2018).

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"

namespace watersmeet::mesh {

struct CoarsenOptions {
  int levels = 32;        // at most so many, the finest included
  double least_drop = 2;  // a level must have fewer nodes than the finer one by this factor: W
                          // cycles visit it twice as often
  // A direction of so many nodes or fewer stays as it is; and one that leads away from a patch of
  // the kind slip_wall.
  std::int64_t stop = 3;
  std::int64_t stop_at_wall = 5;
};

// Nodes of the finer level that are kept, in rising order: [block][axis].
using KeptNodes = std::vector<std::array<std::vector<std::int64_t>, 3>>;

// The mesh must be valid. Directions that cannot be coarsened keep all nodes.
KeptNodes kept_nodes(const MultiBlockMesh& mesh, const CoarsenOptions& options = {});

// The nodes that are kept in a direction of this many intervals. `symmetric`: the same nodes from both ends, for which
// three intervals stay single where one cannot stand in the middle.
std::vector<std::int64_t> kept_of(std::int64_t intervals, bool symmetric = false);

// Kept nodes with their coordinates, links and patches between them.
MultiBlockMesh coarse_mesh(const MultiBlockMesh& mesh, const KeptNodes& kept);

struct CoarseLevel {
  MultiBlockMesh mesh;
  KeptNodes kept;  // of the next finer level
};
struct Hierarchy {
  std::vector<CoarseLevel> levels;  // from fine to coarse, without the finest
  std::string end;                  // why there are no more
};

// Levels until a rule of the options or a cell without positive volume ends them.
Hierarchy coarsen(const MultiBlockMesh& mesh, const CoarsenOptions& options = {});

// P: a node of the finer level has (1 - weight) u[below] + weight u[below + 1]. below + 1 is a node
// too where there are two or more.
struct Between {
  std::int64_t below = 0;
  double weight = 0;
};
std::vector<Between> prolongation(const std::vector<std::int64_t>& kept);

// R: coarse node c has w[0] r[kept[c] - 1] + w[1] r[kept[c]] + w[2] r[kept[c] + 1]; weights of
// nodes that do not exist are 0. `fine`, `coarse`: diagonals of H, as long as the two levels have
// nodes.
std::vector<std::array<double, 3>> restriction(const std::vector<std::int64_t>& kept,
                                               std::span<const double> fine,
                                               std::span<const double> coarse);

}  // namespace watersmeet::mesh
