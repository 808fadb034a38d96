// Splitting a mesh against truths that know no links: links read off the positions of the placed
// parts, ghost cells at the right place in space, and the ghost plan of the whole.
#include "mesh/partition.hpp"

#include <map>
#include <tuple>

#include "core/error.hpp"
#include "ghost_judge.hpp"
#include "mesh/box.hpp"
#include "mesh/box_algebra.hpp"

namespace watersmeet::mesh {
namespace {

// Cuts every block of a mesh at random, in up to most_parts parts, and shuffles them.
std::vector<Part> random_cuts(const Mesh& whole, int most_parts, std::mt19937& random) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < whole.blocks().size(); ++b) {
    const Box interior = whole.blocks()[b].interior();
    const int limit = static_cast<int>(std::min<std::int64_t>(most_parts, interior.count()));
    const int n_parts = 1 + static_cast<int>(random() % static_cast<unsigned>(limit));
    for (const Box& box : random_parts(interior, n_parts, random)) {
      parts.push_back({static_cast<int>(b), box, static_cast<int>(random() % 5)});
    }
  }
  std::shuffle(parts.begin(), parts.end(), random);
  return parts;
}

// The parts as placed blocks.
PlacedMesh placed_parts(const PlacedMesh& world, const std::vector<Part>& parts) {
  PlacedMesh result{{}, world.period};
  for (const Part& part : parts) {
    const PlacedBlock& parent = world.placed[static_cast<std::size_t>(part.parent)];
    result.placed.push_back({parent.to_global().box(part.box), parent.orientation});
  }
  return result;
}

void expect_blocks_are_the_parts(const Mesh& whole, const std::vector<Part>& parts,
                                 const Mesh& mesh) {
  ASSERT_EQ(mesh.blocks().size(), parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Block& block = mesh.blocks()[p];
    EXPECT_EQ(block.owner_rank, parts[p].rank);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(block.n[a], parts[p].box.size(a));
      EXPECT_EQ(block.origin[a], whole.block(parts[p].parent).origin[a] + parts[p].box.lower[a]);
    }
  }
}

// What a plan says of each ghost cell, in the index spaces of the blocks of the whole.
struct Source {
  char answer = 'f';  // found, open, absent
  int block = -1;
  Index3 cell{0, 0, 0};
  Orientation orientation;
  bool operator==(const Source&) const = default;
};
using GhostCell = std::tuple<int, int, Index3>;  // part, block of the whole, cell

std::map<GhostCell, Source> sources(const GhostPlan& plan, const std::vector<Part>& parts) {
  const auto of_parent = [&](int p, Index3 cell) {
    for (int a = 0; a < 3; ++a) cell[a] += parts[static_cast<std::size_t>(p)].box.lower[a];
    return cell;
  };
  const auto parent = [&](int p) { return parts[static_cast<std::size_t>(p)].parent; };
  std::map<GhostCell, Source> result;
  for (const GhostCopy& copy : plan.copies) {
    for_each_index(copy.dst, [&](const Index3& cell) {
      result[{copy.dst_block, parent(copy.dst_block), of_parent(copy.dst_block, cell)}] = {
          'f', parent(copy.src_block), of_parent(copy.src_block, copy.map(cell).index),
          copy.to_src.orientation};
    });
  }
  for (const bool open : {true, false}) {
    for (const GhostRegion& region : open ? plan.open : plan.absent) {
      for_each_index(region.box, [&](const Index3& cell) {
        result[{region.block, parent(region.block), of_parent(region.block, cell)}] = {
            open ? 'o' : 'a', -1, {}, {}};
      });
    }
  }
  return result;
}

std::vector<Part> uncut(const Mesh& whole) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < whole.blocks().size(); ++b) {
    parts.push_back({static_cast<int>(b), whole.blocks()[b].interior(), 0});
  }
  return parts;
}

// Ghost cells of parts that are ghost cells of the whole have the same source; those inside the
// parent have themselves. Returns how many ghost cells of the whole were met.
int expect_plans_agree(const Mesh& whole, const std::vector<Part>& parts, const Mesh& mesh,
                       GhostReach reach) {
  std::map<std::pair<int, Index3>, Source> truth;
  for (const auto& [ghost, source] : sources(plan_ghosts(whole, 2, reach), uncut(whole))) {
    truth[{std::get<1>(ghost), std::get<2>(ghost)}] = source;
  }
  int compared = 0;
  for (const auto& [ghost, source] : sources(plan_ghosts(mesh, 2, reach), parts)) {
    const auto& [part, block, cell] = ghost;
    if (axes_outside(cell, whole.block(block).n) == 0) {
      EXPECT_EQ(source, (Source{'f', block, cell, {}}));
      continue;
    }
    const auto found = truth.find({block, cell});
    if (found == truth.end()) continue;
    ++compared;
    EXPECT_EQ(source, found->second)
        << "part " << part << " of block " << block << ", cell " << cell[0] << " " << cell[1] << " "
        << cell[2] << ": " << source.answer << " not " << found->second.answer;
  }
  return compared;
}

void expect_split_is_invisible(const PlacedMesh& world, const std::vector<Part>& parts) {
  const Mesh whole = world.mesh();
  const Mesh mesh = split(whole, parts);
  expect_blocks_are_the_parts(whole, parts, mesh);
  const PlacedMesh placed = placed_parts(world, parts);
  ASSERT_EQ(mesh.links(), placed.mesh().links());

  for (const GhostReach reach : {GhostReach::faces, GhostReach::edges, GhostReach::corners}) {
    // No cell of these meshes is alone along an axis, so none may become so by a cut.
    std::vector<Index3> width;
    for (const Block& block : mesh.blocks()) {
      width.push_back(block.ghosts(2));
      ASSERT_EQ(width.back(), (Index3{2, 2, 2}));
    }
    expect_positions_agree(placed, mesh, plan_ghosts(mesh, width, reach), width,
                           1 + static_cast<int>(reach));
    EXPECT_GT(expect_plans_agree(whole, parts, mesh, reach), 0);
  }
  expect_values_agree(
      placed, plan_ghosts(mesh, std::vector<Index3>(parts.size(), {3, 3, 3}), GhostReach::corners),
      std::vector<Index3>(parts.size(), {3, 3, 3}));
}

TEST(Split, RandomCutsOfRandomTurnedMeshesAreInvisible) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 40; ++trial) {
    const Index3 n{4 + trial % 5, 3 + trial % 4, 2 + trial % 6};
    PlacedMesh world;
    for (int a = 0; a < 3; ++a) world.period[a] = trial % 4 == 3 && random() % 2 == 0 ? 0 : n[a];
    for (const Box& where : random_parts({{0, 0, 0}, n}, 1 + trial % 5, random)) {
      world.placed.push_back({where, Orientation::from_index(static_cast<int>(random() % 48))});
    }
    expect_split_is_invisible(world, random_cuts(world.mesh(), 6, random));
    if (HasFailure()) FAIL() << "in trial " << trial;
  }
}

// Around a re-entrant corner the whole has regions without a value; they stay without one.
TEST(Split, ReentrantCornersStayAbsent) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 12; ++trial) {
    PlacedMesh world;
    for (const Box& where :
         {Box{{0, 0, 0}, {4, 4, 3}}, Box{{4, 0, 0}, {8, 4, 3}}, Box{{0, 4, 0}, {4, 8, 3}}}) {
      world.placed.push_back({where, Orientation::from_index(static_cast<int>(random() % 48))});
    }
    const Mesh whole = world.mesh();
    const std::vector<Part> parts = random_cuts(whole, 5, random);
    const Mesh mesh = split(whole, parts);
    ASSERT_EQ(mesh.links(), placed_parts(world, parts).mesh().links());
    ASSERT_FALSE(plan_ghosts(whole, 2, GhostReach::corners).absent.empty());
    ASSERT_FALSE(plan_ghosts(mesh, 2, GhostReach::corners).absent.empty());
    expect_plans_agree(whole, parts, mesh, GhostReach::corners);
    if (HasFailure()) FAIL() << "in trial " << trial;
  }
}

// A block joined to itself through parts of two different faces, in every way those can be joined;
// no picture of it exists in space.
TEST(Split, LinksOfPartsOfFacesInAllOrientations) {
  std::mt19937 random(13);
  int meshes = 0;
  for (int o = 0; o < 48; ++o) {
    const Orientation orientation = Orientation::from_index(o);
    for (const int other_axis : {0, 1, 2}) {
      for (const Side side : {Side::lower, Side::upper}) {
        const Face face{0, Side::upper}, other_face{other_axis, side};
        if (face == other_face || orientation.axis[0] != other_axis ||
            orientation.sign[0] != -other_face.outward()) {
          continue;
        }
        const Index3 n{6, 7, 8};
        const Box box{{5, 1, 2}, {6, 4, 7}};  // of 7 x 8 cells of the upper x face
        const Index3 size = orientation.size({1, 3, 5});
        Box other_box = face_layer(n, other_face);
        for (int a = 0; a < 3; ++a) {
          if (a != other_axis) other_box.lower[a] = 1;
          other_box.upper[a] = other_box.lower[a] + size[a];
        }
        const Link link{0, face, box, 0, other_face, other_box, orientation};
        const Mesh whole({Block{n, {10, 20, 30}}}, {link, link.inverse()});
        const std::vector<Part> parts = random_cuts(whole, 9, random);
        const Mesh mesh = split(whole, parts);
        expect_blocks_are_the_parts(whole, parts, mesh);
        EXPECT_GE(expect_plans_agree(whole, parts, mesh, GhostReach::faces), 2 * 2 * 15);
        ++meshes;
        if (HasFailure()) FAIL() << "orientation " << o << ", axis " << other_axis;
      }
    }
  }
  EXPECT_EQ(meshes, 40);  // 48 orientations; 8 lead from the face into itself
}

// A link that is its own inverse: the face is folded onto itself.
TEST(Split, FoldedFace) {
  std::mt19937 random(14);
  const Index3 n{8, 5, 3};
  const Face top{1, Side::upper};
  const Box layer = face_layer(n, top);
  const Link fold{0, top, layer, 0, top, layer, {{0, 1, 2}, {-1, -1, 1}}};
  ASSERT_EQ(fold.inverse(), fold);
  const Mesh whole({Block{n}}, {fold});
  for (int trial = 0; trial < 10; ++trial) {
    const std::vector<Part> parts = random_cuts(whole, 7, random);
    const Mesh mesh = split(whole, parts);
    EXPECT_GT(expect_plans_agree(whole, parts, mesh, GhostReach::faces), 0);
  }
}

TEST(Split, TwoPartsOnAPeriodicAxisMeetTwice) {
  const Mesh whole = make_box({8, 4, 1}, {0, 0, 0}, {8, 4, 1}, {true, true, true});
  const std::vector<Part> parts{{0, {{0, 0, 0}, {5, 4, 1}}, 0}, {0, {{5, 0, 0}, {8, 4, 1}}, 1}};
  const Mesh mesh = split(whole, parts);
  EXPECT_EQ(mesh.links().size(), 4u + 8u);  // x: both faces of both; y and z: each to itself
  for (const Side side : {Side::lower, Side::upper}) {
    ASSERT_EQ(mesh.links(0, {0, side}).size(), 1u);
    EXPECT_EQ(mesh.links(0, {0, side})[0].neighbour, 1);
  }
  for (int p = 0; p < 2; ++p) {
    EXPECT_TRUE(mesh.block(p).degenerate(2));
    EXPECT_FALSE(mesh.block(p).degenerate(0));
  }
  EXPECT_EQ(mesh.geometry().spacing, whole.geometry().spacing);
}

TEST(Split, PartsOfOneCellAreNotDegenerateWhereTheWholeIsNot) {
  const Mesh whole = make_box({4, 3, 1}, {0, 0, 0}, {1, 1, 1}, {true, false, true});
  std::vector<Part> parts;
  for_each_index(whole.block(0).interior(), [&](const Index3& i) {
    parts.push_back({0, {i, {i[0] + 1, i[1] + 1, i[2] + 1}}, 0});
  });
  const Mesh mesh = split(whole, parts);
  for (const Block& block : mesh.blocks()) {
    EXPECT_EQ(block.ghosts(3), (Index3{3, 3, 0}));
  }
  EXPECT_GT(expect_plans_agree(whole, parts, mesh, GhostReach::corners), 0);
}

TEST(Split, OnePartABlockIsTheMeshItself) {
  std::mt19937 random(15);
  PlacedMesh world;
  world.period = {6, 5, 4};
  for (const Box& where : random_parts({{0, 0, 0}, world.period}, 5, random)) {
    world.placed.push_back({where, Orientation::from_index(static_cast<int>(random() % 48))});
  }
  const Mesh whole = world.mesh();
  EXPECT_EQ(split(whole, uncut(whole)).links(), whole.links());
}

TEST(Split, TenThousandParts) {
  const std::int64_t side = 4;
  const Index3 count{25, 20, 20};
  const Index3 n{count[0] * side, count[1] * side, count[2] * side};
  const Mesh whole = make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
  std::vector<Part> parts;
  for_each_index({{0, 0, 0}, count}, [&](const Index3& i) {
    parts.push_back({0,
                     {{side * i[0], side * i[1], side * i[2]},
                      {side * (i[0] + 1), side * (i[1] + 1), side * (i[2] + 1)}},
                     0});
  });
  const Mesh mesh = split(whole, parts);
  EXPECT_EQ(mesh.links().size(), 60000u);  // 6 faces each
  for (const Link& link : mesh.links()) {
    const Index3& here = mesh.block(link.block).origin;
    const Index3& there = mesh.block(link.neighbour).origin;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t step = a == link.face.axis ? side * link.face.outward() : 0;
      ASSERT_EQ(there[a], (here[a] + step + n[a]) % n[a]);
    }
  }
}

void expect_refused(const Mesh& whole, const std::vector<Part>& parts,
                    const std::vector<std::string>& words) {
  try {
    split(whole, parts);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "'" << word << "' is missing in: " << error.what();
    }
  }
}

TEST(Split, PartsMustCoverEveryCellOnce) {
  const Mesh whole({Block{{8, 4, 2}}, Block{{4, 4, 4}}}, {});
  const Part first{0, {{0, 0, 0}, {8, 4, 2}}, 0};
  expect_refused(whole, {first}, {"block 1", "[0, 4) x [0, 4) x [0, 4)", "no part"});
  const Part lower{1, {{0, 0, 0}, {4, 4, 2}}, 0};
  expect_refused(whole, {first, lower, {1, {{0, 0, 2}, {3, 4, 4}}, 0}},
                 {"block 1", "[3, 4) x [0, 4) x [2, 4)", "no part"});
  expect_refused(whole, {first, lower, {1, {{0, 0, 1}, {4, 4, 4}}, 0}},
                 {"block 1", "[0, 4) x [0, 4) x [1, 2)", "part 1", "part 2"});
  // As many cells as the block has, but not each once.
  expect_refused(whole, {first, lower, lower}, {"block 1", "[0, 4) x [0, 4) x [0, 2)"});
  expect_refused(whole, {first, {1, {{0, 0, 0}, {4, 4, 5}}, 0}}, {"part 1", "[0, 5)", "block 1"});
  expect_refused(whole, {first, {1, {{0, 0, 0}, {4, 0, 4}}, 0}}, {"part 1", "[0, 0)"});
  expect_refused(whole, {first, {2, {{0, 0, 0}, {4, 4, 4}}, 0}}, {"part 1", "block 2", "has 2"});
}

// Cells that part a takes from part b.
std::map<std::pair<int, int>, std::int64_t> taken(const Mesh& mesh, std::int64_t layers,
                                                  GhostReach reach) {
  std::map<std::pair<int, int>, std::int64_t> cells;
  for (const GhostCopy& copy : plan_ghosts(mesh, layers, reach).copies) {
    cells[{copy.dst_block, copy.src_block}] += copy.dst.count();
  }
  return cells;
}

// Cells of b and of its periodic images in the frame of ghost cells around a.
std::int64_t in_frame(const Box& a, const Box& b, const Index3& n, std::int64_t layers) {
  Box grown = a;
  for (int d = 0; d < 3; ++d) {
    grown.lower[d] -= layers;
    grown.upper[d] += layers;
  }
  std::int64_t cells = 0;
  for_each_index({{-4, -4, -4}, {5, 5, 5}}, [&](const Index3& image) {
    Box b_image = b;
    for (int d = 0; d < 3; ++d) {
      b_image.lower[d] += image[d] * n[d];
      b_image.upper[d] += image[d] * n[d];
    }
    if (b_image != a) cells += intersection(grown, b_image).count();
  });
  return cells;
}

TEST(Split, EveryPartTakesFromEveryOtherWhatLiesInItsFrame) {
  std::mt19937 random(16);
  for (int trial = 0; trial < 20; ++trial) {
    const Index3 n{6 + trial % 5, 3 + trial % 4, 2 + trial % 7};
    const Mesh whole = make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
    const std::vector<Part> parts = random_cuts(whole, 8, random);
    auto cells = taken(split(whole, parts), 3, GhostReach::corners);
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t q = 0; q < parts.size(); ++q) {
        ASSERT_EQ((cells[{static_cast<int>(p), static_cast<int>(q)}]),
                  in_frame(parts[p].box, parts[q].box, n, 3));
      }
  }
}

// Through faces, also with hanging seams; over edges and corners where seams run through. Parts
// must be at least as thick as the layers: a thinner one has less to give than it takes.
TEST(Split, PairsOfThickPartsGiveWhatTheyTake) {
  std::mt19937 random(17);
  const Index3 n{20, 16, 12};
  const Mesh whole = make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
  for (int trial = 0; trial < 30; ++trial) {
    const bool hanging = trial % 2 == 0;
    std::vector<Part> parts;
    if (hanging) {  // cut at random a box of 10 x 8 x 6, then double it: two cells at least
      for (Box box : random_parts({{0, 0, 0}, {n[0] / 2, n[1] / 2, n[2] / 2}}, 9, random)) {
        for (int a = 0; a < 3; ++a) {
          box.lower[a] *= 2;
          box.upper[a] *= 2;
        }
        parts.push_back({0, box, 0});
      }
    } else {
      std::array<std::vector<std::int64_t>, 3> cuts;
      for (int a = 0; a < 3; ++a) {
        cuts[a] = {0};
        while (n[a] - cuts[a].back() >= 4 && random() % 4 != 0) {
          cuts[a].push_back(cuts[a].back() + 2 +
                            static_cast<std::int64_t>(random()) % (n[a] - cuts[a].back() - 3));
        }
        cuts[a].push_back(n[a]);
      }
      for (const Box& box : regular_parts(cuts)) parts.push_back({0, box, 0});
    }
    auto cells = taken(split(whole, parts), 2, hanging ? GhostReach::faces : GhostReach::corners);
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t q = 0; q < p; ++q) {
        const int a = static_cast<int>(p), b = static_cast<int>(q);
        ASSERT_EQ((cells[{a, b}]), (cells[{b, a}])) << "trial " << trial;
      }
  }
}

}  // namespace
}  // namespace watersmeet::mesh
