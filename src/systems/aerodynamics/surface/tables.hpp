#pragma once
// What lies on the faces of the blocks of a rank: the lists of surface.hpp made from the links and
// patches of a mesh, the table of outer states, and the nodes whose states other ranks need. Host
// code, done once for every level.
//
// A node on several patches of one face belongs to each by the part of the cells around it that
// lies in the patch, so that the penalty of a face is applied once in all:
//
//        o-----o-----o-----o-----o     patches A and B of one face: node n belongs to A by 1/2
//        |  A  |  A  |  B  |  B  |     and to B by 1/2
//        o-----o-----n-----o-----o

#include <span>
#include <string>
#include <vector>

#include "mesh/curvilinear/multi_block_mesh.hpp"
#include "systems/aerodynamics/solver/solver.hpp"
#include "systems/aerodynamics/surface/surface.hpp"

namespace watersmeet::aerodynamics {

// The blocks of a rank in its pool.
struct RankBlocks {
  std::vector<int> number;  // of each, in the mesh
  std::vector<std::int64_t> first;
  std::vector<int> local;  // of every block of the mesh: its place in `number`, or -1
  std::int64_t nodes = 0;

  RankBlocks(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, int rank);
};

// A node in a patch: forces and surface files.
struct PatchNode {
  int condition = 0;
  int block = 0;  // of the mesh
  Index3 node{};
  std::int32_t at = 0;  // in the pool
  Surface surface;
  double weight = 1;  // of the node's area: H along the face, and its part in the patch
  Area<double> area;  // N, outward
};

// Where an outer state is taken.
struct OuterPlace {
  int condition = 0;
  Real3 x{};
};

// Nodes of a patch whose condition reads the flow: entries first .. first + count - 1 of the list of such nodes, with values in as many rows
// of a table, from `row` on: of outer states, or of what boundaries give.
struct SideRun {
  int condition = 0;
  bool outer = false;
  std::int64_t first = 0, count = 0, row = 0;
};

struct Peer {
  int rank = 0;
  std::vector<std::int32_t> send;  // nodes of the pool, in the order of the message
  std::int64_t first_received = 0, received = 0;
};

struct SurfaceTables {
  std::vector<std::int32_t> node, first;
  std::vector<Surface> surfaces;
  std::vector<PatchNode> patches;  // in the order of the mesh
  std::vector<OuterPlace> outer;
  std::vector<std::int32_t> side_nodes;  // places in the pool
  std::vector<Real3> side_places;        // where they are
  std::vector<SideRun> side_runs;
  // Rows of the table of what boundaries give, behind those of the conditions and that of interfaces: the condition of each.
  std::vector<int> side_given;
  std::vector<Peer> peers;
  std::int64_t received = 0;
};

// `orders`: of every block of the rank, along its directions.
SurfaceTables make_surfaces(const mesh::MultiBlockMesh& mesh, std::span<const int> ranks, int rank,
                            const RankBlocks& blocks, std::span<const exec::NodeBlock> orders,
                            const exec::NodeOperators<double>& operators,
                            std::span<const Condition> conditions);

// H of a node along a direction.
double norm_along(const exec::NodeOperators<double>& operators, int order, int i, int n);

// What is wrong with a state beyond a boundary of this kind, if anything.
std::string outer_state_fault(const Primitive<double>& flow, SurfaceKind kind,
                              const Gas<double>& gas);

// States of a table of outer places at a time, [variable][place].
std::vector<double> outer_states(std::span<const OuterPlace> places,
                                 std::span<const Condition> conditions, const Gas<double>& gas,
                                 double t);

}  // namespace watersmeet::aerodynamics
