// Snapshots on curvilinear blocks: one array per block, the same bytes on any number of ranks; the
// mesh file; the index; comparison.
#include <cstring>

#include "commands/comparison.hpp"
#include "commands/run_target.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5_file.hpp"
#include "io/mesh_h5.hpp"
#include "io/run_directory.hpp"
#include "io/snapshot.hpp"
#include "io/xdmf.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "support/temporary.hpp"
#include "support/thread_team.hpp"
#include "unit/curvilinear/meshes.hpp"

namespace watersmeet::io {
namespace {

// Three blocks of different sizes in a row; values are functions of the node's number.
class BlockSnapshots : public Folder {
 protected:
  BlockSnapshots() {
    blocks.blocks = {mesh::box_block({3, 4, 2}, {0, 0, 0}), mesh::box_block({5, 4, 2}, {2, 0, 0}),
                     mesh::box_block({2, 4, 2}, {6, 0, 0})};
    mesh::close_faces(blocks);
    for (const mesh::CurvilinearBlock& b : blocks.blocks) grid.blocks.push_back(b.n);
    grid.n = {blocks.node_count(), 1, 1};
    for (int n = 0; n < static_cast<int>(grid.n[0]); ++n) {
      rho.push_back(1 + 0.1 * n);
      for (int c = 0; c < 3; ++c) velocity.push_back(static_cast<float>(10 * n + c));
    }
    provenance.program = "watersmeet";
  }

  void write(const std::string& path, const Share& share, const std::string& precision = "") {
    const auto first = static_cast<std::size_t>(share.mine.lower[0]);
    const std::vector<SnapshotField> fields = {
        {"rho", "density", "kg m-3", "", 1, Precision::double_, rho.data() + first},
        {"velocity", "velocity", "m s-1", "", 3, Precision::single_, velocity.data() + 3 * first}};
    write_snapshot(path, grid, 0.5, 7, 0.1, 1, fields, provenance, precision, share);
  }

  mesh::MultiBlockMesh blocks;
  SnapshotGrid grid;
  std::vector<double> rho;
  std::vector<float> velocity;
  Provenance provenance;
};

TEST_F(BlockSnapshots, HoldAnArrayOfEachBlock) {
  const std::string path = snapshot_path(folder, 7, true);
  EXPECT_EQ(path, in("fields_000007.h5"));
  write(path, whole_share(grid.n));
  const Hdf5File file = Hdf5File::open(path);
  const Hdf5Group second = file.root().open_group("blocks").open_group("block_001");
  EXPECT_EQ(second.integers("nodes"), (std::vector<std::int64_t>{5, 4, 2}));
  const Hdf5Dataset stored = second.open_dataset("velocity");
  EXPECT_EQ(stored.extents(), (Extents{2, 4, 5, 3}));
  EXPECT_EQ(stored.type(), ElementType::float32);
  std::vector<float> values(120);
  stored.read(values.data(), ElementType::float32);
  EXPECT_EQ(std::memcmp(values.data(), velocity.data() + 3 * 24, 120 * sizeof(float)), 0);
  EXPECT_EQ(list_snapshots(folder), std::vector<std::string>{path});
  EXPECT_EQ(commands::target_of(path), commands::Target::snapshot);
  const SnapshotSummary summary = read_snapshot_summary(path);
  EXPECT_EQ(summary.blocks, grid.blocks);
  EXPECT_EQ(summary.n, grid.n);
  EXPECT_EQ(summary.step, 7);
  EXPECT_EQ(summary.time, 0.5);
  ASSERT_EQ(summary.fields.size(), 2u);
  EXPECT_EQ(summary.fields[1].components, 3);
  EXPECT_EQ(summary.fields[1].units, "m s-1");
}

TEST_F(BlockSnapshots, HaveTheSameBytesOnAnyNumberOfRanks) {
  write(in("one.h5"), whole_share(grid.n));
  write(in("one_single.h5"), whole_share(grid.n), "single");
  for (const int ranks : {2, 3}) {
    const mesh::Shares shares = mesh::share_blocks(blocks, ranks);
    ASSERT_EQ(shares.parts.size(), static_cast<std::size_t>(ranks));
    test::ThreadTeam::run(ranks, [&](comm::Communicator& team) {
      const Share share{&team, grid.n, shares.parts[static_cast<std::size_t>(team.rank())].box};
      write(in("many.h5"), share);
      write(in("many_single.h5"), share, "single");
    });
    EXPECT_TRUE(bytes_of(in("many.h5")) == bytes_of(in("one.h5"))) << ranks;
    EXPECT_TRUE(bytes_of(in("many_single.h5")) == bytes_of(in("one_single.h5"))) << ranks;
  }
}

TEST_F(BlockSnapshots, AreCompared) {
  write(in("a.h5"), whole_share(grid.n));
  rho[30] += 0.25;  // of the second block
  write(in("b.h5"), whole_share(grid.n));
  const commands::Comparison result = commands::compare_snapshots(in("a.h5"), in("b.h5"));
  ASSERT_EQ(result.arrays.size(), 2u);
  EXPECT_EQ(result.arrays[0].count, 80);
  EXPECT_EQ(result.arrays[0].differing, 1);
  EXPECT_NEAR(result.arrays[0].largest, 0.25, 1e-15);
  EXPECT_TRUE(result.arrays[1].bitwise_equal());
  EXPECT_TRUE(commands::compare_snapshots(in("a.h5"), in("a.h5")).equal());
  std::swap(grid.blocks[0], grid.blocks[2]);
  write(in("c.h5"), whole_share(grid.n));
  EXPECT_FALSE(commands::compare_snapshots(in("a.h5"), in("c.h5")).remarks.empty());
}

TEST_F(BlockSnapshots, TheMeshFileIsWrittenOnce) {
  write_mesh_file(folder, blocks, provenance);
  {
    const Hdf5File file = Hdf5File::open(in("mesh.h5"));
    EXPECT_EQ(file.root().integer("dimensions"), 3);
    const Hdf5Dataset xyz =
        file.root().open_group("blocks").open_group("block_002").open_dataset("xyz");
    EXPECT_EQ(xyz.extents(), (Extents{2, 4, 2, 3}));
    std::vector<double> x(48);
    xyz.read(x.data(), ElementType::float64);
    EXPECT_EQ(x[3], 7.0);  // x of node (1, 0, 0)
    EXPECT_EQ(x[7], 1.0);  // y of node (0, 1, 0)
    const Hdf5Group patch = file.root().open_group("patches").open_group("patch_000");
    EXPECT_EQ(patch.text("name"), "outer");
    EXPECT_EQ(patch.integers("end").size(), 3u);
  }
  const std::string before = bytes_of(in("mesh.h5"));
  blocks.blocks[2].x[0][1] *= 1 + 1e-15;
  write_mesh_file(folder, blocks, provenance);
  // A run does not continue with another mesh.
  const auto refusal = [&] {
    return message_of(ErrorKind::user_input, [&] { write_mesh_file(folder, blocks, provenance); });
  };
  blocks.blocks[2].x[0][1] = 7.5;
  EXPECT_HAS(refusal(), "mesh.h5: a node of block 2 was at (7, 0, 0) and is now at (7.5, 0, 0)");
  std::swap(blocks.blocks[1], blocks.blocks[2]);
  EXPECT_HAS(refusal(), "block 1 now has other numbers of nodes");
  blocks.blocks.pop_back();
  EXPECT_HAS(refusal(), "it had 3 blocks, and the case now has 2");
  EXPECT_TRUE(bytes_of(in("mesh.h5")) == before);
}

TEST_F(BlockSnapshots, TheIndexNamesEveryBlock) {
  write(snapshot_path(folder, 7, true), whole_share(grid.n));
  write_xdmf(folder, scan_snapshots(folder));
  const std::string text = read_text_file(in("fields.xmf"));
  EXPECT_HAS(text, "CollectionType=\"Spatial\"");
  EXPECT_HAS(text, "TopologyType=\"3DSMesh\" Dimensions=\"2 4 5\"");
  EXPECT_HAS(text, "Dimensions=\"2 4 5 3\">mesh.h5:/blocks/block_001/xyz<");
  EXPECT_HAS(text, "Center=\"Node\"");
  EXPECT_HAS(text, "fields_000007.h5:/blocks/block_002/velocity<");
  EXPECT_HAS(message_of(ErrorKind::unsupported, [&] { write_series_vtkhdf(folder); }),
             "fields.xmf");
}

}  // namespace
}  // namespace watersmeet::io
