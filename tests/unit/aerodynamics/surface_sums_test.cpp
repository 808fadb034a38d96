// Sums of penalties before a right-hand side: numbers of nodes on faces in closed form, and tables
// whose entries give every node the penalties of its own list, to the last bit.
#include "systems/aerodynamics/surface/sums.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mesh/generators/glider15.hpp"
#include "mesh/generators/wavybox.hpp"
#include "systems/aerodynamics/functors.hpp"
#include "systems/aerodynamics/solver/level.hpp"
#include "systems/aerodynamics/surface/sum_tables.hpp"

using namespace watersmeet;
using namespace watersmeet::aerodynamics;

namespace {

TEST(SurfaceSums, NumbersOfNodesOnFacesFollowThePool) {
  std::vector<exec::NodeBlock> blocks;
  std::int64_t nodes = 0;
  int on_faces = 0;
  for (const std::array<int, 3>& n : std::vector<std::array<int, 3>>{{5, 4, 3},
                                                                     {2, 2, 2},
                                                                     {7, 1, 1},
                                                                     {1, 6, 1},
                                                                     {1, 1, 4},
                                                                     {9, 5, 1},
                                                                     {1, 4, 5},
                                                                     {6, 1, 3},
                                                                     {2, 7, 5},
                                                                     {4, 2, 6},
                                                                     {1, 1, 1},
                                                                     {3, 8, 2}}) {
    exec::NodeBlock b;
    b.first = nodes;
    for (std::size_t a = 0; a < 3; ++a) b.n[a] = n[a];
    nodes += std::int64_t{n[0]} * n[1] * n[2];
    exec::number_faces(b, on_faces);
    on_faces += exec::face_nodes_of(b);
    blocks.push_back(b);
  }
  int next = 0;
  for (const exec::NodeBlock& b : blocks) {
    EXPECT_EQ(next, b.first_face);
    for (int k = 0; k < b.n[2]; ++k) {
      for (int j = 0; j < b.n[1]; ++j) {
        for (int i = 0; i < b.n[0]; ++i) {
          const exec::NodePoint p = exec::node_point(&b, i, j, k);
          if (!p.on_face()) {
            EXPECT_EQ(exec::face_number(p), -1);
            continue;
          }
          EXPECT_EQ(exec::face_number(p), next) << b.n[0] << " x " << b.n[1] << " x " << b.n[2]
                                                << " at " << i << ' ' << j << ' ' << k;
          ++next;
        }
      }
    }
  }
  EXPECT_EQ(next, on_faces);
}

Condition condition_of(const std::string& patch, SurfaceKind kind) {
  Condition c;
  c.patch = patch;
  c.kind = kind;
  c.stream = {1, {{0.7, 0.1, -0.2}}, 0.8};
  c.given.reservoir = {1.1, 1.6, {{1, 0, 0}}};
  c.given.pressure = 0.65;
  // Its own state at every node.
  if (kind == SurfaceKind::farfield) {
    c.outside = [](const Real3& x, double) {
      return Primitive<double>{1 + 0.01 * std::sin(x[0]), {{0.5, 0.1 * std::cos(x[1]), 0}}, 0.7};
    };
  }
  return c;
}

// A level of the mesh on the CPU, with noise as its state.
struct NoisyBlocks {
  mesh::MultiBlockMesh mesh;
  comm::Team team{Queue{}};
  Level level;
  std::vector<double> w;

  NoisyBlocks(const mesh::MultiBlockMesh& of, int order, const std::vector<Condition>& conditions)
      : mesh(of),
        level(mesh, std::vector<int>(mesh.blocks.size(), 0), options_of(order), conditions,
              Precision::double_, Queue{}, &team) {
    const FlowModel<double>& model = level.parameters().model;
    const std::int64_t pitch = level.parameters().pitch;
    w.resize(static_cast<std::size_t>(n_variables * pitch));
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> noise(-0.2, 0.2);
    for (std::int64_t node = 0; node < level.nodes(); ++node) {
      Primitive<double> f{1 + noise(generator), {}, 0.7 + noise(generator)};
      for (int m = 0; m < 3; ++m) f.u[m] = 0.3 + noise(generator);
      const Conserved<double> state = conserved_of(f, model.gas);
      for (int v = 0; v < n_variables; ++v)
        w[static_cast<std::size_t>(v * pitch + node)] = state[v];
    }
  }
  static LevelOptions options_of(int order) {
    LevelOptions options;
    options.order = order;
    options.model.gas = {1.4, 1e-10};
    options.model.coupling.entropy_fix = 0.05;
    options.model.coupling.wall = WallPressure::exact;
    return options;
  }

  StageCall call() const {
    StageCall c;
    c.in = {w.data()};
    return c;
  }
  // As the level makes them on a GPU.
  SumTables tables() const {
    const SurfaceTables& surfaces = level.tables();
    std::vector<Area<double>> areas(surfaces.surfaces.size());
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      const mesh::CurvilinearBlock& block = mesh.blocks[b];
      const exec::NodeBlock& orders = level.node_blocks()[b];
      mesh::MetricOperators operators;
      for (std::size_t a = 0; a < 3; ++a) {
        const int order = orders.order[a];
        operators.inner_order[a] = order == 0 ? 0 : schemes::scheme_order(order).inner;
      }
      set_areas(areas, surfaces, orders,
                mesh::metrics_of({block.n, block.x[0], block.x[1], block.x[2]}, operators));
    }
    return make_sums(surfaces, areas, level.node_blocks());
  }
};

// Every node on faces: what the entries of its number add up to, and its own list.
void expect_lists(const NoisyBlocks& run) {
  const SumTables tables = run.tables();
  const SurfaceTables& lists = run.level.tables();
  const exec::NodeBlock& last = run.level.node_blocks().back();
  const auto numbers = static_cast<std::size_t>(last.first_face + exec::face_nodes_of(last));
  std::vector<NodeSum<double>> sums(numbers, NodeSum<double>{});
  SurfaceSums<double> body = surface_sums_of(run.level.parameters(), run.call());
  body.entries = tables.entries.data();
  body.count = static_cast<std::int64_t>(tables.entries.size());
  body.areas = {tables.areas.data()};
  body.factors = {tables.factors.data()};
  body.sums = {sums.data()};
  ASSERT_EQ(body.count % sum_group, 0);
  std::vector<int> kinds(8, 0), sizes(8, 0);
  for (std::int64_t at = 0; at < body.count; ++at) {
    const SumEntry& entry = tables.entries[static_cast<std::size_t>(at)];
    if (entry.count == 0) continue;
    ++sizes[entry.count];
    EXPECT_LE(at % sum_group + entry.count, sum_group) << "a node in two warps";
    Conserved<double> sum = body.term(entry, body.area_of(at));
    ++kinds[static_cast<std::size_t>(entry.kind)];
    for (int m = 1; m < entry.count; ++m) {
      const SumEntry& next = tables.entries[static_cast<std::size_t>(at + m)];
      EXPECT_EQ(next.node, entry.node);
      EXPECT_EQ(next.count, 0);
      const Conserved<double> term = body.term(next, body.area_of(at + m));
      for (int v = 0; v < n_variables; ++v) sum[v] += term[v];
    }
    body.store(entry, sum);
  }
  EXPECT_GT(sizes[1], 0);
  EXPECT_GT(sizes[2], 0);
  EXPECT_GT(sizes[3], 0);
  EXPECT_GT(kinds[static_cast<std::size_t>(SurfaceKind::interface)], 0);
  EXPECT_GT(kinds[static_cast<std::size_t>(SurfaceKind::slip_wall)], 0);
  EXPECT_EQ(kinds[static_cast<std::size_t>(SurfaceKind::supersonic_outflow)], 0);

  const SurfaceArrays<double> surfaces = surface_arrays_of(run.level.parameters(), run.call());
  std::size_t list = 0, number = 0;
  for (const exec::NodeBlock& block : run.level.node_blocks()) {
    for (int k = 0; k < block.n[2]; ++k) {
      for (int j = 0; j < block.n[1]; ++j) {
        for (int i = 0; i < block.n[0]; ++i) {
          const exec::NodePoint p = exec::node_point(&block, i, j, k);
          if (!p.on_face()) continue;
          Conserved<double> expected{};
          if (list < lists.node.size() && lists.node[list] == p.node) {
            const Conserved<double> w = surfaces.load(surfaces.in, surfaces.pitch, p.node);
            expected = penalties_of(surfaces, w, p.node, lists.first[list], lists.first[list + 1],
                                    run.level.parameters().model);
            ++list;
          }
          for (int v = 0; v < n_variables; ++v) {
            ASSERT_EQ(sums[number].value[v], expected[v])
                << "node " << p.node << ", variable " << v;
          }
          ++number;
        }
      }
    }
  }
  EXPECT_EQ(list, lists.node.size());
}

TEST(SurfaceSums, AreTheListsOfTurnedBlocks) {
  mesh::WavyBox box;
  box.cells = {9, 13, 6};
  box.blocks = {2, 2, 2};
  mesh::MultiBlockMesh mesh = mesh::make_wavybox(box);
  // A face that two patches share, whose nodes between them belong to both.
  mesh::BoundaryPatch& patch = mesh.patches.front();
  const std::size_t along = patch.face.axis == 0 ? 1 : 0;
  mesh::BoundaryPatch other = patch;
  other.box.lower[along] += 3;
  patch.box.upper[along] = other.box.lower[along] + 1;
  other.name = "wall";
  mesh.patches.push_back(other);
  for (const int order : {1, 3, 5}) {
    expect_lists(NoisyBlocks(mesh, order,
                             {condition_of("outer", SurfaceKind::farfield),
                              condition_of("wall", SurfaceKind::slip_wall)}));
  }
}

TEST(SurfaceSums, AreTheListsOfAVehicle) {
  mesh::Glider15 glider;
  glider.size = "small";
  const mesh::MultiBlockMesh mesh = mesh::make_glider15(glider);
  for (const bool supersonic : {true, false}) {
    const auto kind = [&](SurfaceKind fast, SurfaceKind slow) { return supersonic ? fast : slow; };
    expect_lists(NoisyBlocks(
        mesh, 1,
        {condition_of("vehicle", SurfaceKind::slip_wall),
         condition_of("base", kind(SurfaceKind::slip_wall, SurfaceKind::inflow_total)),
         condition_of("symmetry", SurfaceKind::slip_wall),
         condition_of("inflow", kind(SurfaceKind::supersonic_inflow, SurfaceKind::farfield)),
         condition_of("outflow",
                      kind(SurfaceKind::supersonic_outflow, SurfaceKind::outflow_pressure))}));
  }
}

}  // namespace
