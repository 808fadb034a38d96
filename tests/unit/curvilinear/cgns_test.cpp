// CGNS files written by the library itself: links in any orientation, families, periodic faces; and
// files of our own writer, read back.
#ifdef WATERSMEET_TEST_CGNS
#include <cgnslib.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/files/cgns.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/generators/catalogue.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/wavybox.hpp"
#include "meshes.hpp"
#include "support/temporary.hpp"

namespace watersmeet::mesh {
namespace {

class Cgns : public Folder {
 protected:
  static std::array<cgsize_t, 6> range_of(const Box& box, int d) {
    std::array<cgsize_t, 6> range{};
    for (int a = 0; a < d; ++a) {
      range[static_cast<std::size_t>(a)] = static_cast<cgsize_t>(box.lower[a] + 1);
      range[static_cast<std::size_t>(a + d)] = static_cast<cgsize_t>(box.upper[a]);
    }
    return range;
  }

  // With every link in both zones. All boundaries belong to the family `skin`, whose type is given.
  // Links call their zones by `donor`.
  void write(const MultiBlockMesh& mesh, CGNS_ENUMT(BCType_t) type,
             const std::string& donor = "Zone") {
    const int d = mesh.dimensions();
    int file = 0, base = 0, zone = 0, number = 0;
    ASSERT_EQ(cg_open(path_.c_str(), CG_MODE_WRITE, &file), CG_OK);
    ASSERT_EQ(cg_base_write(file, "Base", d, 3, &base), CG_OK);
    int family = 0, condition = 0;
    cg_family_write(file, base, "skin", &family);
    cg_fambc_write(file, base, family, "FamBC", type, &condition);
    const auto name = [](int block) { return "Zone" + std::to_string(block + 1); };
    for (int b = 0; b < static_cast<int>(mesh.blocks.size()); ++b) {
      const CurvilinearBlock& block = mesh.block(b);
      std::array<cgsize_t, 9> size{};
      for (int a = 0; a < d; ++a) {
        size[static_cast<std::size_t>(a)] = static_cast<cgsize_t>(block.n[a]);
        size[static_cast<std::size_t>(a + d)] = static_cast<cgsize_t>(block.n[a] - 1);
      }
      cg_zone_write(file, base, name(b).c_str(), size.data(), CGNS_ENUMV(Structured), &zone);
      const char* const coordinates[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
      for (int m = 0; m < 3; ++m) {
        cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), coordinates[m], block.x[m].data(),
                       &number);
      }
    }
    int count = 0;
    for (const NodeLink& link : mesh.links) {
      const auto range = range_of(link.box, d);
      // The donor range begins where the first node goes.
      const Index3 begin = link.map().cell(link.box.lower);
      auto donor_range = range_of(link.neighbour_box, d);
      std::array<int, 3> transform{};
      for (int a = 0; a < d; ++a) {
        transform[static_cast<std::size_t>(a)] =
            link.orientation.sign[a] * (link.orientation.axis[a] + 1);
        auto& low = donor_range[static_cast<std::size_t>(a)];
        if (low != static_cast<cgsize_t>(begin[a] + 1)) {
          std::swap(low, donor_range[static_cast<std::size_t>(a + d)]);
        }
      }
      const std::string title = "Link" + std::to_string(++count);
      ASSERT_EQ(cg_1to1_write(file, base, link.block + 1, title.c_str(),
                              (donor + std::to_string(link.neighbour + 1)).c_str(), range.data(),
                              donor_range.data(), transform.data(), &number),
                CG_OK);
      if (link.periodic()) {
        const float zero[3] = {0, 0, 0};
        float shift[3];
        for (std::size_t m = 0; m < 3; ++m) shift[m] = static_cast<float>(link.shift[m]);
        cg_1to1_periodic_write(file, base, link.block + 1, number, zero, zero, shift);
      }
    }
    for (const BoundaryPatch& patch : mesh.patches) {
      const auto range = range_of(patch.box, d);
      const std::string title = "Patch" + std::to_string(++count);
      ASSERT_EQ(
          cg_boco_write(file, base, patch.block + 1, title.c_str(), CGNS_ENUMV(FamilySpecified),
                        CGNS_ENUMV(PointRange), 2, range.data(), &number),
          CG_OK);
      cg_goto(file, base, "Zone_t", patch.block + 1, "ZoneBC_t", 1, "BC_t", number, "end");
      cg_famname_write("skin");
    }
    ASSERT_EQ(cg_close(file), CG_OK);
  }

  std::string message() const {
    try {
      load_mesh(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing is wrong";
  }

  void expect_same_links(const MultiBlockMesh& read, const MultiBlockMesh& mesh) {
    ASSERT_EQ(read.links.size(), mesh.links.size());
    for (NodeLink link : mesh.links) {
      const bool found = std::any_of(read.links.begin(), read.links.end(), [&](NodeLink other) {
        const bool near = distance(other.shift, link.shift) < 1e-12;
        other.shift = link.shift;
        return near && other == link;
      });
      EXPECT_TRUE(found);
    }
  }

  const std::string path_ = in("mesh.cgns");
};

TEST_F(Cgns, TurnedBlocksInSpaceWithAFamily) {
  const MultiBlockMesh mesh = make_wavybox({.cells = {4, 5, 6}, .blocks = {2, 2, 2}, .seed = 3});
  write(mesh, CGNS_ENUMV(BCWallViscous));
  const LoadedMesh loaded = load_mesh(path_);
  ASSERT_EQ(loaded.mesh.blocks.size(), 8u);
  for (std::size_t b = 0; b < 8; ++b) EXPECT_EQ(loaded.mesh.blocks[b].x, mesh.blocks[b].x);
  expect_same_links(loaded.mesh, mesh);
  EXPECT_EQ(loaded.mesh.patch_names(), std::vector<std::string>{"skin"});
  EXPECT_EQ(loaded.mesh.patches.size(), 24u);
  EXPECT_EQ(loaded.mesh.patches[0].kind, "slip_wall");
  EXPECT_EQ(loaded.notes, std::vector<std::string>{"viscous wall `skin` is taken for a slip wall"});
}

TEST_F(Cgns, PeriodicInThePlane) {
  const MultiBlockMesh mesh =
      make_wavybox({.cells = {6, 5}, .blocks = {2, 2}, .seed = 2, .periodic = true});
  write(mesh, CGNS_ENUMV(BCFarfield));
  const LoadedMesh loaded = load_mesh(path_);
  EXPECT_EQ(loaded.mesh.dimensions(), 2);
  expect_same_links(loaded.mesh, mesh);
}

TEST_F(Cgns, LinksOfPartsOfFaces) {
  const MultiBlockMesh mesh = make_glider15({.size = "small"});
  write(mesh, CGNS_ENUMV(BCInflowSupersonic));
  const LoadedMesh loaded = load_mesh(path_);
  expect_same_links(loaded.mesh, mesh);
  EXPECT_TRUE(loaded.notes.empty());
  EXPECT_EQ(loaded.mesh.patches[0].kind, "supersonic_inflow");
}

TEST_F(Cgns, LinksAndTurnsAreFoundWhereTheFileHasNone) {
  MultiBlockMesh mesh = make_wavybox({.cells = {4, 5, 6}, .blocks = {2, 1, 1}});
  mesh.links.clear();
  reorient(mesh, 1, {{0, 1, 2}, {1, -1, 1}});
  write(mesh, CGNS_ENUMV(BCFarfield));
  const LoadedMesh loaded = load_mesh(path_);
  EXPECT_EQ(loaded.mesh.links.size(), 2u);
  EXPECT_TRUE(says(loaded.notes, {"k was reversed in left-handed blocks: 1"}));
  EXPECT_TRUE(says(loaded.notes, {"1 link was found by coordinates"}));
}

TEST_F(Cgns, TypesWithoutCounterpartAreRefused) {
  const MultiBlockMesh mesh = make_wavybox({.cells = {4, 4}, .blocks = {1, 1}});
  write(mesh, CGNS_ENUMV(BCGeneral));
  EXPECT_TRUE(says({message()}, {"boundary `Patch1` of zone `Zone1`", "BCGeneral"}));
}

TEST_F(Cgns, RangesAndZonesThatDoNotFitAreRefused) {
  MultiBlockMesh mesh = make_wavybox({.cells = {4, 4}, .blocks = {1, 1}});
  mesh.patches[0].box = {{0, 0, 0}, {3, 5, 1}};
  write(mesh, CGNS_ENUMV(BCFarfield));
  EXPECT_TRUE(says({message()}, {"boundary `Patch1` of zone `Zone1`", "(0, 0, 0) to (2, 4, 0)",
                                 "not a rectangle on a face"}));
  mesh = make_wavybox({.cells = {4, 4}, .blocks = {2, 1}});
  write(mesh, CGNS_ENUMV(BCFarfield), "Zane");
  EXPECT_TRUE(says({message()},
                   {"connection `Link1` of zone `Zone1`", "leads to zone `Zane2`", "not there"}));
}

// Whatever a mesh has must come back: nodes to the last bit, links, patches with name and kind.
TEST_F(Cgns, GeneratedMeshesAreWrittenAndReadBackAsTheyWere) {
  for (const std::string& kind : generator_names()) {
    std::vector<std::string> small;
    if (kind == "naca4") small = {"mesh.cells=[32, 12]"};
    if (kind == "glider15") small = {"mesh.size=\"small\""};
    if (kind == "wavybox") {  // sides that single precision has not
      small = {"mesh.cells=[4, 5, 6]", "mesh.blocks=[2, 1, 2]", "mesh.periodic=true"};
    }
    MultiBlockMesh mesh = generate_mesh(kind, small).mesh;
    write_cgns(path_, mesh, kind);
    const LoadedMesh back = load_mesh(path_);
    ASSERT_EQ(back.mesh.blocks.size(), mesh.blocks.size()) << kind;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      EXPECT_EQ(back.mesh.blocks[b].x, mesh.blocks[b].x) << kind << b;
      EXPECT_EQ(back.zones[b], "Block" + std::to_string(b));
    }
    EXPECT_EQ(back.mesh.links.size(), mesh.links.size()) << kind;
    for (const NodeLink& link : mesh.links) {
      EXPECT_NE(std::find(back.mesh.links.begin(), back.mesh.links.end(), link),
                back.mesh.links.end());
    }
    EXPECT_EQ(back.mesh.patch_names(), mesh.patch_names()) << kind;
    ASSERT_EQ(back.mesh.patches.size(), mesh.patches.size()) << kind;
    for (const BoundaryPatch& patch : mesh.patches) {
      EXPECT_NE(std::find(back.mesh.patches.begin(), back.mesh.patches.end(), patch),
                back.mesh.patches.end())
          << kind << " " << patch.name;
    }
    EXPECT_TRUE(back.notes.empty()) << kind;
    std::filesystem::remove(path_);
  }
}

TEST_F(Cgns, AllOrientationsAndPartsOfFacesComeBack) {
  // A small box on a part of a larger one's face, in each of the 24 turns that keep it
  // right-handed.
  int turns = 0;
  for (int number = 0; number < 48; ++number) {
    const Orientation turn = Orientation::from_index(number);
    if (turn.determinant() != 1) continue;
    ++turns;
    MultiBlockMesh mesh;
    mesh.blocks = {box_block({4, 5, 7}, {0, 0, 0}), box_block({3, 3, 4}, {3, 1, 2})};
    EXPECT_TRUE(connect(mesh).empty());
    close_faces(mesh);
    reorient(mesh, 1, turn);
    ASSERT_EQ(mesh.links.size(), 2u);
    write_cgns(path_, mesh, "two boxes");
    const LoadedMesh back = load_mesh(path_);
    EXPECT_EQ(back.mesh.blocks[1].x, mesh.blocks[1].x);
    EXPECT_EQ(back.mesh.links[0], mesh.links[0]);
    EXPECT_EQ(back.mesh.links[1], mesh.links[1]);
    EXPECT_EQ(back.mesh.patches.size(), mesh.patches.size());
    EXPECT_TRUE(back.notes.empty());  // the link was read, not found
    std::filesystem::remove(path_);
  }
  EXPECT_EQ(turns, 24);
}

TEST_F(Cgns, NamesThatAFileCannotHoldAreRefused) {
  for (const char* const name : {"", "a/b", "a name of more than thirty-two characters"}) {
    MultiBlockMesh mesh = make_wavybox({.cells = {4, 4}, .blocks = {1, 1}});
    mesh.patches[0].name = name;
    try {
      write_cgns(path_, mesh, "");
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
      EXPECT_TRUE(says({error.what()}, {name, "1 to 32 characters"}));
    }
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
}

TEST_F(Cgns, AMismatchIsToldWithTheNamesOfZones) {
  MultiBlockMesh mesh = make_wavybox({.cells = {4, 4}, .blocks = {2, 1}, .turns = "none"});
  const Index3 moved{4, 2, 0};  // on the link of both blocks
  Real3 x = mesh.blocks[0].at(moved);
  x[1] += 0.01;
  mesh.blocks[0].set(moved, x);
  write_cgns(path_, mesh, "");
  EXPECT_TRUE(says({message()},
                   {"block 0 (zone `Block0`)", "block 1 (zone `Block1`)", "(4, 2, 0)", "apart"}));
}

// What others write and our writer does not.
class ForeignCgns : public Cgns {
 protected:
  // One box of 5 x 4 x 3 nodes whose six faces are set by edit(file, base, zone).
  template <class Edit>
  void box(const Edit& edit) {
    const CurvilinearBlock block = box_block({5, 4, 3}, {0, 0, 0});
    const cgsize_t size[] = {5, 4, 3, 4, 3, 2, 0, 0, 0};
    int file = 0, base = 0, zone = 0, number = 0;
    ASSERT_EQ(cg_open(path_.c_str(), CG_MODE_WRITE, &file), CG_OK);
    ASSERT_EQ(cg_base_write(file, "Base", 3, 3, &base), CG_OK);
    ASSERT_EQ(cg_zone_write(file, base, "Box", size, CGNS_ENUMV(Structured), &zone), CG_OK);
    const char* const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    for (int m = 0; m < 3; ++m) {
      const auto& x = block.x[static_cast<std::size_t>(m)];
      cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[m], x.data(), &number);
    }
    edit(file, base, zone);
    ASSERT_EQ(cg_close(file), CG_OK);
  }
  static void face(int file, int zone, const char* name, std::array<cgsize_t, 6> range,
                   CGNS_ENUMT(GridLocation_t) location = CGNS_ENUMV(Vertex)) {
    int number = 0;
    EXPECT_EQ(cg_boco_write(file, 1, zone, name, CGNS_ENUMV(BCFarfield), CGNS_ENUMV(PointRange), 2,
                            range.data(), &number),
              CG_OK);
    EXPECT_EQ(cg_boco_gridlocation_write(file, 1, zone, number, location), CG_OK);
  }
  static void six_faces(int file, int zone) {
    face(file, zone, "west", {1, 1, 1, 1, 4, 3});
    face(file, zone, "east", {5, 1, 1, 5, 3, 2}, CGNS_ENUMV(IFaceCenter));
    face(file, zone, "south", {1, 1, 1, 5, 1, 3});
    face(file, zone, "north", {4, 4, 1, 1, 4, 2}, CGNS_ENUMV(JFaceCenter));  // from its end
    face(file, zone, "below", {1, 1, 1, 5, 4, 1});
    face(file, zone, "above", {1, 1, 3, 4, 3, 3}, CGNS_ENUMV(KFaceCenter));
  }
};

TEST_F(ForeignCgns, RangesOfFaceCentres) {
  box([](int file, int, int zone) { six_faces(file, zone); });
  const LoadedMesh loaded = load_mesh(path_);  // refused unless the six are the whole faces
  ASSERT_EQ(loaded.mesh.patches.size(), 6u);
  EXPECT_TRUE(loaded.notes.empty());
  std::filesystem::remove(path_);
  box([](int file, int, int zone) {
    face(file, zone, "all", {1, 1, 1, 1, 3, 2}, CGNS_ENUMV(CellCenter));
  });
  EXPECT_TRUE(says({message()}, {"boundary `all` of zone `Box`", "CellCenter", "IFaceCenter"}));
}

TEST_F(ForeignCgns, UnitsAreNoted) {
  const auto units = [](CGNS_ENUMT(LengthUnits_t) length) {
    cg_units_write(CGNS_ENUMV(Kilogram), length, CGNS_ENUMV(Second), CGNS_ENUMV(Kelvin),
                   CGNS_ENUMV(Radian));
  };
  box([&](int file, int base, int zone) {
    six_faces(file, zone);
    cg_goto(file, base, "end");
    units(CGNS_ENUMV(Foot));
  });
  EXPECT_TRUE(says(load_mesh(path_).notes, {"coordinates are taken as they are", "Foot"}));
  std::filesystem::remove(path_);
  box([&](int file, int base, int zone) {
    six_faces(file, zone);
    cg_goto(file, base, "end");
    units(CGNS_ENUMV(Foot));
    cg_goto(file, base, "Zone_t", zone, "GridCoordinates_t", 1, "end");
    units(CGNS_ENUMV(Meter));
  });
  EXPECT_TRUE(says({message()}, {"zone `Box` has lengths in Meter, the base in Foot"}));
}

TEST_F(ForeignCgns, GeneralConnections) {
  const auto connect_by = [&](CGNS_ENUMT(GridConnectivityType_t) type) {
    box([&](int file, int base, int zone) {
      six_faces(file, zone);
      const cgsize_t points[] = {1, 1, 1, 1, 2, 1}, donor[] = {5, 1, 1, 5, 2, 1};
      int number = 0;
      ASSERT_EQ(cg_conn_write(file, base, zone, "loop", CGNS_ENUMV(Vertex), type,
                              CGNS_ENUMV(PointList), 2, points, "Box", CGNS_ENUMV(Structured),
                              CGNS_ENUMV(PointListDonor), CGNS_ENUMV(Integer), 2, donor, &number),
                CG_OK);
    });
  };
  connect_by(CGNS_ENUMV(Abutting1to1));
  EXPECT_TRUE(says(load_mesh(path_).notes, {"connection `loop` of zone `Box`", "not read"}));
  std::filesystem::remove(path_);
  connect_by(CGNS_ENUMV(Abutting));
  EXPECT_TRUE(says({message()}, {"connection `loop` of zone `Box`", "type Abutting", "node by"}));
}

TEST_F(Cgns, OtherFilesAreRefused) {
  EXPECT_TRUE(says({message()}, {"no file `", path_.c_str()}));
  std::ofstream(path_) << "no mesh at all";
  EXPECT_TRUE(says({message()}, {path_.c_str(), "neither an HDF5 nor an ADF file"}));
  std::ofstream(path_) << "\x89HDF\r\n\x1a\n and no more";
  EXPECT_TRUE(says({message()}, {"the CGNS library reports", "Is this file CGNS, and complete?"}));
  std::ofstream(path_) << "$MeshFormat\n2.2 0 8\n";
  EXPECT_TRUE(says({message()}, {"this is a Gmsh mesh and so not a CGNS file"}));
  int file = 0, base = 0, zone = 0;
  const cgsize_t size[] = {8, 1, 0};  // vertices, cells, boundary vertices
  cg_open(path_.c_str(), CG_MODE_WRITE, &file);
  cg_base_write(file, "Base", 3, 3, &base);
  cg_zone_write(file, base, "Hexahedra", size, CGNS_ENUMV(Unstructured), &zone);
  cg_close(file);
  EXPECT_TRUE(says({message()}, {"zone `Hexahedra` is not structured"}));
  cg_open(path_.c_str(), CG_MODE_MODIFY, &file);
  cg_base_write(file, "Another", 3, 3, &base);
  cg_close(file);
  EXPECT_TRUE(says({message()}, {"the file has 2 bases; one is allowed"}));
}

}  // namespace
}  // namespace watersmeet::mesh
#endif
