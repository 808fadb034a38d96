// Mesh files: what is written is read back, and every fault is placed. Neutral map files.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/files/nmf.hpp"
#include "mesh/files/plot3d.hpp"
#include "mesh/generators/catalogue.hpp"
#include "meshes.hpp"
#include "support/temporary.hpp"

namespace watersmeet::mesh {
namespace {

class MeshFile : public Folder {
 protected:
  std::string write(const std::string& name, const std::string& content) {
    std::ofstream(in(name), std::ios::binary) << content;
    return in(name);
  }
  std::string message_of(const std::string& path) {
    try {
      load_mesh(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(MeshFile, GeneratedMeshesAreReadBackAsTheyWere) {
  for (const std::string& kind : generator_names()) {
    std::vector<std::string> small;
    if (kind == "naca4") small = {"mesh.cells=[32, 12]"};
    if (kind == "wavybox") {
      small = {"mesh.cells=[4, 5, 6]", "mesh.blocks=[2, 1, 2]", "mesh.periodic=true"};
    }
    const MultiBlockMesh mesh = generate_mesh(kind, small).mesh;
    write("m.xyz", plot3d_text(mesh.blocks, {Plot3dForm::Kind::binary}));
    const LoadedMesh back = load_mesh(write("m.toml", mesh_file_text(mesh, "m.xyz", kind)));
    ASSERT_EQ(back.mesh.blocks.size(), mesh.blocks.size()) << kind;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      EXPECT_EQ(back.mesh.blocks[b].x, mesh.blocks[b].x);
    }
    EXPECT_EQ(back.mesh.patches, mesh.patches) << kind;
    EXPECT_EQ(back.mesh.links.size(), mesh.links.size()) << kind;
    for (const NodeLink& link : mesh.links) {
      EXPECT_NE(std::find(back.mesh.links.begin(), back.mesh.links.end(), link),
                back.mesh.links.end());
    }
    EXPECT_TRUE(back.notes.empty());
  }
}

constexpr const char* boundaries = R"(
[[boundary]]
name = "left"
kind = "farfield"
block = 0
face = "i_lower"
[[boundary]]
name = "right"
kind = "farfield"
block = 1
face = "i_upper"
)";

std::string two_blocks() {
  return plot3d_text({box_block({4, 3, 1}, {0, 0, 0}), box_block({3, 3, 1}, {3, 0, 0})},
                     {Plot3dForm::Kind::ascii});
}

TEST_F(MeshFile, LinksAreFoundWhereTheFileGivesNone) {
  write("m.fmt", two_blocks());
  const LoadedMesh loaded = load_mesh(write(
      "m.toml", "[mesh]\nfile = \"m.fmt\"\nperiods = [[0, 2, 0]]\n" + std::string(boundaries)));
  EXPECT_EQ(loaded.mesh.links.size(), 6u);
  ASSERT_EQ(loaded.notes.size(), 1u);
  EXPECT_EQ(loaded.notes[0], "3 links were found by coordinates");
  EXPECT_TRUE(has(message_of(write("n.toml", "[mesh]\nfile = \"m.fmt\"\nconnect = false\n" +
                                                 std::string(boundaries))),
                  "block 0, i_upper, nodes (3, 0, 0) to (3, 2, 0) from (3, 0, 0) to (3, 2, 0) has "
                  "no boundary"));
}

TEST_F(MeshFile, ALinkMayBeToldFromBothSides) {
  write("m.fmt", two_blocks());
  const std::string once =
      "[[link]]\nblock = 0\nface = \"i_upper\"\nneighbour = 1\nneighbour_face = \"i_lower\"\n"
      "axes = [\"i\", \"j\", \"k\"]\n";
  const std::string back =
      "[[link]]\nblock = 1\nface = \"i_lower\"\nneighbour = 0\nneighbour_face = \"i_upper\"\n"
      "axes = [\"i\", \"j\", \"k\"]\n";
  const LoadedMesh loaded =
      load_mesh(write("m.toml", "[mesh]\nfile = \"m.fmt\"\nperiods = [[0, 2, 0]]\n" +
                                    (boundaries + once) + once + back));
  EXPECT_EQ(loaded.mesh.links.size(), 6u);
}

TEST_F(MeshFile, LeftHandedBlocksAreTurned) {
  write("m.fmt",
        plot3d_text({box_block({4, 3, 1}, {0, 2, 0}, {1, -1, 1})}, {Plot3dForm::Kind::ascii}));
  const LoadedMesh loaded =
      load_mesh(write("m.toml", "[mesh]\nfile = \"m.fmt\"\nperiods = [[0, 2, 0], [3, 0, 0]]\n"));
  EXPECT_EQ(loaded.notes.at(0), "j was reversed in left-handed blocks: 0");
  EXPECT_GT(cell_volume(loaded.mesh.blocks[0], {0, 0, 0}), 0);
}

TEST_F(MeshFile, FaultsAreGatheredWithTheirPlaces) {
  write("m.fmt", two_blocks());
  const std::string text = message_of(write("m.toml", R"([mesh]
file = "m.fmt"
[[boundary]]
name = "left"
kind = "farfield"
block = 2
face = "i_lower"
[[boundary]]
name = "low"
kind = "farfield"
block = 0
face = "j_lower"
begin = [0, 0, 0]
end = [9, 0, 0]
[[link]]
block = 0
face = "i_upper"
neighbour = 1
neighbour_face = "i_lower"
axes = ["i", "i"]
)"));
  EXPECT_TRUE(has(text, "there is no block 2; the mesh has 2, counted from 0")) << text;
  EXPECT_TRUE(has(text, "m.toml:6:9"));
  EXPECT_TRUE(
      has(text, "nodes (0, 0, 0) to (9, 0, 0) is not a rectangle on face j_lower of block 0"));
  EXPECT_TRUE(has(text, "m.toml:13:9"));
  EXPECT_TRUE(has(text, "must be each of i, j, k once"));
  EXPECT_TRUE(has(text, "3 errors"));
}

TEST_F(MeshFile, UnknownKindsOfBoundariesHaveTheirPlaces) {
  write("m.fmt", two_blocks());
  std::string wrong = boundaries;
  wrong.replace(wrong.rfind("farfield"), 8, "farfeld");
  const std::string text = message_of(write("m.toml", "[mesh]\nfile = \"m.fmt\"\n" + wrong));
  EXPECT_TRUE(has(text,
                  "boundary `right` on block 1, i_upper, nodes (2, 0, 0) to (2, 2, 0) from "
                  "(5, 0, 0) to (5, 2, 0): no kind `farfeld`; did you mean `farfield`?"))
      << text;
  EXPECT_TRUE(has(text, "m.toml:11:8")) << text;
  EXPECT_TRUE(has(text, "1 error in ")) << text;
}

TEST_F(MeshFile, BoundariesGetNamesThatACaseCanUse) {
  write("m.fmt", two_blocks());
  const auto named = [&](const std::string& left, const std::string& right) {
    std::string text = boundaries;
    text.replace(text.find("left"), 4, left);
    text.replace(text.find("right"), 5, right);
    return write("m.toml", "[mesh]\nfile = \"m.fmt\"\nperiods = [[0, 2, 0]]\n" + text);
  };
  const LoadedMesh loaded = load_mesh(named("Far-Field, left", "2nd/side"));
  EXPECT_EQ(loaded.mesh.patch_names(), (std::vector<std::string>{"Far_Field__left", "_2nd_side"}));
  ASSERT_EQ(loaded.notes.size(), 3u);
  EXPECT_EQ(loaded.notes[0],
            "boundary \"Far-Field, left\" is called `Far_Field__left`: names have letters, digits "
            "and _");
  const std::string both = message_of(named("a b", "a_b"));
  EXPECT_TRUE(has(both, "\"a b\" and \"a_b\" would both be `a_b`; rename one of them")) << both;
  EXPECT_TRUE(
      has(message_of(named("", "right")),
          "boundary \"\" on block 0, i_lower, nodes (0, 0, 0) to (0, 2, 0) from (0, 0, 0) to "
          "(0, 2, 0): a name has 1 to 100 characters"));
}

TEST_F(MeshFile, UnknownWordsAreAnsweredWithTheNearest) {
  const std::string kind = message_of(write("m.toml", "[mesh]\nkind = \"nacaa4\"\n"));
  EXPECT_TRUE(has(kind, "did you mean \"naca4\"")) << kind;
  const std::string key =
      message_of(write("m.toml", "[mesh]\nkind = \"bump\"\ndigits = \"0012\"\n"));
  EXPECT_TRUE(has(key, "mesh kind \"bump\" has no key `digits`")) << key;
  EXPECT_TRUE(has(key, "m.toml:3:"));
  const std::string count = message_of(write("m.toml", "[mesh]\nkind = \"bump\"\ncells = [4]\n"));
  EXPECT_TRUE(has(count, "mesh.cells needs 2 whole numbers here, not 1")) << count;
  EXPECT_TRUE(has(message_of(write("m.toml", "[mesh]\n")), "a mesh needs a generator"));
  EXPECT_TRUE(has(message_of("missing.xyz"), "no file `missing.xyz`"));
}

// Nodes beyond the end of a block were read while links were looked for.
TEST_F(MeshFile, BlocksOfTwoAndThreeDimensionsAreRefusedFirst) {
  const std::string corpus = WATERSMEET_TEST_SOURCE "/fuzz/corpus/plot3d/";
  const std::string text = bytes_of(corpus + "blocks-of-2-and-3-dimensions");
  EXPECT_TRUE(has(message_of(write("m.xyz", text)),
                  "is not a valid mesh:\n  block 1 has 3 x 2 x 1 nodes; a 3-D mesh"));
}

TEST_F(MeshFile, APlanarMeshHasOneHeight) {
  CurvilinearBlock block = box_block({3, 3, 1}, {0, 0, 7});
  block.set({1, 2, 0}, {1, 2, 8});
  const std::string text =
      message_of(write("m.fmt", plot3d_text({block}, {Plot3dForm::Kind::ascii})));
  EXPECT_TRUE(has(text, "block 0, node (1, 2, 0) has 8 instead of 7")) << text;
}

// Two blocks that share a face, the second with its axes (i, j, k) along (k, -i, -j) of the first.
MultiBlockMesh turned_pair() {
  MultiBlockMesh mesh;
  mesh.blocks = {box_block({4, 3, 5}, {0, 0, 0}), box_block({3, 3, 5}, {3, 0, 0})};
  reorient(mesh, 1, Orientation{{1, 2, 0}, {-1, -1, 1}});
  return mesh;
}

constexpr const char* map = R"(# made by hand
2
1 4 3 5
2 5 3 3

ONE_TO_ONE  1 4  1 3 1 5   2 6  3 1 1 5  FALSE \
'WALL'      1 3  1 3 1 5
FARFIELD    1 1  1 4 1 3
FARFIELD    1 2  1 4 1 3
SYMMETRY_Y  1 5  1 5 1 4
SYMMETRY_Y  1 6  1 5 1 4
FARFIELD    2 5  1 3 1 5
FARFIELD    2 1  1 5 1 3
FARFIELD    2 2  1 5 1 3
FARFIELD    2 3  1 3 1 3
FARFIELD    2 4  1 3 1 3
)";

TEST(Nmf, LinksAndBoundariesOfTurnedBlocks) {
  // Block 2: i runs along z, j along -x, k along -y. Its face j upper (6) is the one at x = 3;
  // there the ranges run along k, from 3 to 1 where y runs from 1 to 3, and along i, as z does.
  MultiBlockMesh mesh = turned_pair();
  ASSERT_EQ(mesh.blocks[1].n, (Index3{5, 3, 3}));
  read_nmf(map, "m.nmf", mesh);
  EXPECT_EQ(joined(validate(mesh)), "");
  EXPECT_EQ(mesh.patch_names(), (std::vector<std::string>{"wall", "farfield", "symmetry_y"}));
  EXPECT_EQ(mesh.patches[0].kind, "slip_wall");
}

TEST(Nmf, FaultsHaveTheirLines) {
  const auto message = [&](const std::string& from, const std::string& to) {
    std::string text = map;
    text.replace(text.find(from), from.size(), to);
    MultiBlockMesh mesh = turned_pair();
    try {
      read_nmf(text, "m.nmf", mesh);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_TRUE(
      has(message("'WALL' ", "'WAL' "),
          "m.nmf:7: unknown boundary `WAL`; did you mean WALL? It is on block 0, i_lower, nodes "
          "(0, 0, 0) to (0, 2, 4) from (0, 0, 0) to (0, 2, 4), counted from 0 (known: "));
  EXPECT_TRUE(has(message("2 5 3 3", "2 5 3 4"),
                  "m.nmf:4: block 2 has (5, 3, 4) nodes here and "
                  "(5, 3, 3) in the mesh"));
  EXPECT_TRUE(has(message("1 3  1 3 1 5", "1 7  1 3 1 5"), "there is no face 7"));
  EXPECT_TRUE(has(message("1 3  1 3 1 5", "1 3  1 9 1 5"), "the range 1 to 9 along j leaves face"));
  EXPECT_TRUE(has(message("FALSE", "MAYBE"), "`MAYBE` is neither TRUE nor FALSE"));
  EXPECT_TRUE(has(message("1 3  1 3 1 5", "1 3  1 3"), "the line ends before a range"));
  EXPECT_TRUE(has(message("2\n1 4", "3\n1 4"), "m.nmf:2: the map is for 3 blocks, the mesh has 2"));
  const auto whole = [&](const std::string& text) {
    MultiBlockMesh mesh = turned_pair();
    try {
      read_nmf(text, "m.nmf", mesh);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_TRUE(has(whole(std::string("\x02\0\0\0\x04\0\0\0", 8)),
                  "m.nmf: this is a binary file and not a neutral map file (NMF), which is text"));
  EXPECT_TRUE(has(whole("$MeshFormat\n2.2 0 8\n"), "m.nmf: this is a Gmsh mesh and not a neutral"));
  EXPECT_TRUE(has(whole("9 17 2\n0 0.5 1"), "m.nmf:1: the number of blocks must stand alone"));
}

}  // namespace
}  // namespace watersmeet::mesh
