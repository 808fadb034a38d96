// Snapshots and checkpoints of the ranks of an MPI launch, written through whatever HDF5 there is
// (parallel HDF5 where the build has it) and gathered by rank 0, against the file of one process.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "io/hdf5_file.hpp"
#include "io/run_directory.hpp"
#include "io/shared_file.hpp"
#include "io/writer.hpp"
#include "support/parallel.hpp"
#include "support/shared_files.hpp"

namespace watersmeet::io {
namespace {

using test::Observed;
using test::SampleState;
using test::world;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder that rank 0 makes and removes. Both ways of writing are tested: the team's own, and
// without its MPI_Comm.
class Files : public ::testing::TestWithParam<bool> {
 protected:
  Files() : team(world(), GetParam()) {
    char name[4096] = "";
    if (world().rank() == 0) {
      std::string pattern = (std::filesystem::temp_directory_path() / "watersmeet-XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
      std::strncpy(name, pattern.c_str(), sizeof name - 1);
    }
    world().broadcast(name, sizeof name, 0);
    folder = name;
  }
  ~Files() override {
    world().barrier();
    if (world().rank() == 0) std::filesystem::remove_all(folder);
  }

  std::string in(const std::string& name) const { return folder + "/" + name; }
  std::size_t rank() const { return static_cast<std::size_t>(world().rank()); }
  // Whether any file is in the folder, once all ranks are here.
  bool empty() {
    world().barrier();
    const bool nothing = std::filesystem::is_empty(folder);
    world().barrier();
    return nothing;
  }
  void expect_equal(const std::string& a, const std::string& b) {
    world().barrier();
    if (rank() == 0) {
      EXPECT_TRUE(bytes_of(a) == bytes_of(b)) << a << " and " << b << " differ";
      EXPECT_FALSE(bytes_of(a).empty());
    }
    world().barrier();
  }
  // What all ranks threw, which must be the same.
  std::string message_of_all(ErrorKind kind, const std::function<void()>& call) {
    char text[1024] = "";
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      std::strncpy(text, error.what(), sizeof text - 1);
    }
    std::vector<char> all(sizeof text * static_cast<std::size_t>(world().size()));
    world().all_gather(text, sizeof text, all.data());
    for (int r = 0; r < world().size(); ++r) {
      EXPECT_STREQ(&all[static_cast<std::size_t>(r) * sizeof text], text);
    }
    return text;
  }

  Observed team;
  std::string folder;
};

TEST_P(Files, TheWayOfWritingIsSaid) {
  const std::string method = writing_method({&team, {1, 1, 1}, {}}, folder);
  if (world().size() == 1) {
    EXPECT_EQ(method, "one process");
  } else {
    EXPECT_EQ(method, GetParam() && hdf5_is_parallel() ? "parallel HDF5" : "gathered by rank 0");
  }
}

TEST_P(Files, HaveTheBytesOfOneProcess) {
  for (const Index3& n : {Index3{7, 6, 11}, Index3{16, 5, 1}, Index3{64, 48, 50}}) {
    const Share whole = whole_share(n);
    if (rank() == 0) {
      const SampleState state(n, whole.mine);
      state.write_checkpoint(in("one.h5"), whole);
      state.write_snapshot(in("one.vtkhdf"), whole);
      state.write_snapshot(in("one_single.vtkhdf"), whole, "single");
      state.write_snapshot(in("one_double.vtkhdf"), whole, "double");
    }
    std::vector<std::vector<Box>> all = test::partitions(n, world().size());
    if (n[0] == 64) all = {all.back()};  // files of more than 1 MiB, which take longest
    for (const std::vector<Box>& boxes : all) {
      const Share share{&team, n, boxes[rank()]};
      const SampleState mine(n, share.mine);
      mine.write_checkpoint(in("many.h5"), share);
      mine.write_snapshot(in("many.vtkhdf"), share);
      mine.write_snapshot(in("many_single.vtkhdf"), share, "single");
      mine.write_snapshot(in("many_double.vtkhdf"), share, "double");
      for (const std::string name : {".h5", ".vtkhdf", "_single.vtkhdf", "_double.vtkhdf"}) {
        expect_equal(in("many" + name), in("one" + name));
      }
    }
  }
}

// Ranks with more and fewer pieces, and with none.
TEST_P(Files, SmallPiecesMakeTheSameFile) {
  const Index3 n{9, 8, 7};
  const auto write = [&](const std::string& path, const Share& share, std::size_t limit) {
    const auto values = test::values_in<double>(share.mine, 3, 4);
    const auto describe = [&](Hdf5File& file) {
      file.root().create_dataset("a", ElementType::float64, {7, 8, 9, 3});
      file.root().create_dataset("b", ElementType::float32, {7, 8, 9, 3});
    };
    write_shared_file(path, 1000, describe,
                      {{"/a", 3, Precision::double_, Precision::double_, values.data()},
                       {"/b", 3, Precision::double_, Precision::single_, values.data()}},
                      share, nullptr, limit);
  };
  if (rank() == 0) write(in("one.h5"), whole_share(n), largest_piece);
  std::vector<std::vector<Box>> all = test::partitions(n, world().size());
  all.emplace_back(static_cast<std::size_t>(world().size()));
  all.back().back() = {{0, 0, 0}, n};  // the last rank has everything, the others nothing
  for (const std::vector<Box>& boxes : all) {
    for (const std::size_t limit : {1u, 1000u}) {
      write(in("many.h5"), {&team, n, boxes[rank()]}, limit);
      expect_equal(in("many.h5"), in("one.h5"));
    }
  }
}

TEST_P(Files, AreReadWithAnyOtherPartition) {
  const Index3 n{12, 13, 14};
  const std::string path = checkpoint_path(folder, 25);
  const Share writer{&team, n, test::random_boxes(n, world().size(), 4)[rank()]};
  SampleState(n, writer.mine).write_checkpoint(path, writer);
  EXPECT_EQ(newest_good_checkpoint(folder, nullptr, &team), path);
  for (const std::vector<Box>& boxes : test::partitions(n, world().size())) {
    const Share share{&team, n, boxes[rank()]};
    CheckpointReader reader(path, &team);
    std::vector<double> ux(static_cast<std::size_t>(share.mine.count()));
    reader.read("ux", Precision::double_, ux.data(), share);
    EXPECT_EQ(ux, test::values_in<double>(share.mine, 1, 0));
  }
  // On fewer ranks: the first one by itself.
  if (rank() == 0) {
    const Box whole{{0, 0, 0}, n};
    std::vector<float> lnrho(static_cast<std::size_t>(whole.count()));
    CheckpointReader(path).read("lnrho", Precision::single_, lnrho.data());
    EXPECT_EQ(lnrho, test::values_in<float>(whole, 1, 1));
  }
}

TEST_P(Files, OneRanksFaultIsEverybodysAndLeavesNothing) {
  const Index3 n{6, 6, 6};
  const int last = world().size() - 1;
  const Share share{&team, n, test::regular_boxes(n, {1, 1, world().size()})[rank()]};
  std::string message = message_of_all(ErrorKind::io, [&] {
    SampleState(n, share.mine).write_snapshot(in("none/f.vtkhdf"), share);
  });
  EXPECT_NE(message.find(std::strerror(ENOENT)), std::string::npos) << message;
  message = message_of_all(ErrorKind::diverged, [&] {
    SampleState state(n, share.mine);
    if (team.rank() == last) state.ux.back() = INFINITY;
    state.write_checkpoint(in("c.h5"), share);
  });
  EXPECT_EQ(message, "checkpoint not written: ux is inf at (i, j, k) = (5, 5, 5)");
  message = message_of_all(ErrorKind::internal, [&] {
    SampleState state(n, share.mine);
    if (team.rank() == last) state.checkpoint.arrays[1].values = nullptr;
    state.write_checkpoint(in("c.h5"), share);
  });
  EXPECT_NE(message.find("an array needs values"), std::string::npos) << message;
  EXPECT_TRUE(empty());
}

// No rank can write beyond the first bytes, from the moment on when rank 0 has made the file.
TEST_P(Files, AFailedWriteEndsAllRanksAndLeavesNothing) {
  const Index3 n{64, 64, 32};
  const int size = world().size();
  if (size == 1) GTEST_SKIP() << "needs two ranks";
  signal(SIGXFSZ, SIG_IGN);
  const Share share{&team, n, test::regular_boxes(n, {1, 1, size})[rank()]};
  const auto values = test::values_in<double>(share.mine, 1, 0);
  const auto limit_files = [](rlim_t bytes) {
    const rlimit limit{bytes, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  bool made = false;
  Observed limited(world(), GetParam(), [&](int, const char* what) {
    if (world().rank() != 0) return;
    const bool stopping = std::strcmp(what, "send") == 0;  // rank 0 has had its error, and closes
    if (made) limit_files(stopping ? RLIM_INFINITY : 1 << 12);
    if (stopping) made = false;
  });
  if (world().rank() != 0) limit_files(1 << 12);
  const std::string message = message_of_all(ErrorKind::io, [&] {
    write_shared_file(
        in("a.h5"), 0,
        [&](Hdf5File& file) {
          file.root().create_dataset("a", ElementType::float64, {32, 64, 64});
          made = true;
        },
        {{"/a", 1, Precision::double_, Precision::double_, values.data()}},
        {&limited, n, share.mine}, nullptr, 1 << 16);
  });
  limit_files(RLIM_INFINITY);
  EXPECT_NE(message.find("a.h5"), std::string::npos) << message;
  EXPECT_NE(message.find(std::strerror(EFBIG)), std::string::npos) << message;
  EXPECT_TRUE(empty());
  // And nothing is in the way of the next file.
  const SampleState mine(n, share.mine);
  mine.write_checkpoint(in("c.h5"), share);
  EXPECT_NO_THROW(CheckpointReader(in("c.h5"), &team).verify(&team));
}

// As a run does it: the solver's messages continue while the writers' threads work with a communicator
// of their own.
TEST_P(Files, WriterThreadsWriteWhileOthersTalk) {
  if (!world().concurrent()) GTEST_SKIP() << "this MPI lets one thread in at a time";
  const Index3 n{40, 40, 40};
  const auto inner = world().duplicate();
  Observed own(*inner, GetParam());
  const Share share{&own, n, test::regular_boxes(n, {1, 1, world().size()})[rank()]};
  const SampleState mine(n, share.mine);
  {
    Writer writer;
    for (int file = 0; file < 6; ++file) {
      writer.submit([&, file] { mine.write_checkpoint(checkpoint_path(folder, file), share); });
      for (int round = 0; round < 50; ++round) {
        std::int64_t sum[1] = {1};
        world().all_reduce_sum(std::span<std::int64_t>(sum));
        EXPECT_EQ(sum[0], world().size());
      }
    }
    writer.submit([&] { prune_checkpoints(folder, 2, -1, &own); });
    writer.drain();
  }
  EXPECT_EQ(newest_good_checkpoint(folder, nullptr, &team), checkpoint_path(folder, 5));
  EXPECT_EQ(list_checkpoints(folder).size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Ways, Files, ::testing::Values(true, false), [](const auto& parameter) {
  return parameter.param ? "AsBuilt" : "Gathered";
});

}  // namespace
}  // namespace watersmeet::io
