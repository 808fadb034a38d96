// CGNS files written by the library itself: links in any orientation, families, periodic faces.
#ifdef WATERSMEET_TEST_CGNS
#include <cgnslib.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "mesh/curvilinear/connect.hpp"
#include "mesh/files/mesh_file.hpp"
#include "mesh/generators/glider15.hpp"
#include "mesh/generators/wavybox.hpp"
#include "meshes.hpp"

namespace watersmeet::mesh {
namespace {

class Cgns : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() /
             ("watersmeet-" + std::to_string(::getpid()) + ".cgns"))
                .string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

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

  std::string path_;
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
                                 "no rectangle on a face"}));
  mesh = make_wavybox({.cells = {4, 4}, .blocks = {2, 1}});
  write(mesh, CGNS_ENUMV(BCFarfield), "Zane");
  EXPECT_TRUE(says({message()},
                   {"connection `Link1` of zone `Zone1`", "leads to zone `Zane2`", "not there"}));
}

TEST_F(Cgns, OtherFilesAreRefused) {
  EXPECT_TRUE(says({message()}, {".cgns: no such file"}));
  std::ofstream(path_) << "no mesh at all";
  EXPECT_TRUE(says({message()}, {path_.c_str(), "the CGNS library says"}));
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
