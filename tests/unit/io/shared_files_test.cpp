// Files of several ranks (threads here, so gathered by rank 0) against those of one process: the
// same bytes, read back with any other partition, and one end for all ranks when one fails.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <limits>

#include "io/checksum.hpp"
#include "io/run_directory.hpp"
#include "io/shared_file.hpp"
#include "support/shared_files.hpp"
#include "support/temporary.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::io {
namespace {

using test::SampleState;
using test::ThreadTeam;

class SharedFiles : public Folder {
 protected:
  // Runs `work(team, share)` on every rank; the message that all threw, which must be the same, or
  // nothing.
  template <class Work>
  std::string message_of_all(const std::vector<Box>& boxes, ErrorKind kind, const Work& work) {
    const auto ranks = boxes.size();
    std::vector<std::string> messages(ranks);
    ThreadTeam::run(static_cast<int>(ranks), [&](comm::Communicator& team) {
      const auto rank = static_cast<std::size_t>(team.rank());
      const Share share{&team, n, boxes[rank]};
      try {
        work(team, share);
      } catch (const Error& error) {
        messages[rank] = error.what();
        EXPECT_EQ(error.kind(), kind) << error.what();
      }
    });
    for (const std::string& message : messages) EXPECT_EQ(message, messages[0]);
    return messages[0];
  }

  Index3 n{7, 6, 11};
};

TEST_F(SharedFiles, HaveTheSameBytesOnAnyNumberOfRanks) {
  const Share whole = whole_share(n);
  const SampleState state(n, whole.mine);
  state.write_checkpoint(in("one.h5"), whole);
  state.write_snapshot(in("one.vtkhdf"), whole);
  state.write_snapshot(in("one_single.vtkhdf"), whole, "single");
  state.write_snapshot(in("one_double.vtkhdf"), whole, "double");
  for (const int ranks : {1, 2, 3, 8}) {
    for (const std::vector<Box>& boxes : test::partitions(n, ranks)) {
      ThreadTeam::run(ranks, [&](comm::Communicator& team) {
        const Share share{&team, n, boxes[static_cast<std::size_t>(team.rank())]};
        const SampleState mine(n, share.mine);
        mine.write_checkpoint(in("many.h5"), share);
        mine.write_snapshot(in("many.vtkhdf"), share);
        mine.write_snapshot(in("many_single.vtkhdf"), share, "single");
        mine.write_snapshot(in("many_double.vtkhdf"), share, "double");
        EXPECT_EQ(writing_method(share, folder), ranks == 1 ? "one process" : "gathered by rank 0");
      });
      for (const std::string name : {".h5", ".vtkhdf", "_single.vtkhdf", "_double.vtkhdf"}) {
        EXPECT_TRUE(bytes_of(in("many" + name)) == bytes_of(in("one" + name))) << name << ranks;
      }
    }
  }
}

// The checksum attribute is the plain one of the values as zlib would make it.
TEST_F(SharedFiles, CheckpointsCarryTheChecksumOfTheWholeArray) {
  const std::vector<Box> boxes = test::random_boxes(n, 5, 17);
  ThreadTeam::run(5, [&](comm::Communicator& team) {
    const Share share{&team, n, boxes[static_cast<std::size_t>(team.rank())]};
    SampleState(n, share.mine).write_checkpoint(in("c.h5"), share);
  });
  const Box whole{{0, 0, 0}, n};
  const auto ux = test::values_in<double>(whole, 1, 0);
  const Hdf5File file = Hdf5File::open(in("c.h5"));
  const Hdf5Dataset stored = file.root().open_dataset("arrays/ux");
  EXPECT_EQ(stored.integer("crc32"), crc32(ux.data(), ux.size() * sizeof(double)));
  std::vector<double> values(ux.size());
  stored.read(values.data(), ElementType::float64);
  EXPECT_EQ(std::memcmp(values.data(), ux.data(), ux.size() * sizeof(double)), 0);
}

TEST_F(SharedFiles, PiecesCoverABoxInOrderWithinTheLimit) {
  const Box box{{3, 1, 2}, {8, 5, 9}};
  for (const std::size_t limit : {1u, 8u, 40u, 85u, 160u, 161u, 500u, 100000u}) {
    std::int64_t cells = 0;
    for (const Box& piece : pieces_of(box, 8, limit)) {
      // Contiguous in the box: it begins where the last one ended.
      EXPECT_EQ((piece.lower[2] - 2) * 20 + (piece.lower[1] - 1) * 5, cells);
      cells += piece.count();
      EXPECT_TRUE(piece.count() == 5 || static_cast<std::size_t>(piece.count()) * 8 <= limit);
    }
    EXPECT_EQ(cells, box.count());
  }
  EXPECT_EQ(pieces_of(box, 8, 100000).size(), 1u);
  EXPECT_EQ(pieces_of(box, 8, 320).size(), 4u);
  EXPECT_TRUE(pieces_of(Box{}, 8, 320).empty());
}

// Many pieces a rank, cut through planes.
TEST_F(SharedFiles, SmallPiecesMakeTheSameFile) {
  const auto write = [&](const std::string& path, const Share& share, std::size_t limit) {
    const auto values = test::values_in<double>(share.mine, 3, 4);
    const auto describe = [&](Hdf5File& file) {
      file.root().create_dataset("a", ElementType::float64, {11, 6, 7, 3});
      file.root().create_dataset("b", ElementType::float32, {11, 6, 7, 3});
    };
    write_shared_file(path, 1000, describe,
                      {{"/a", 3, Precision::double_, Precision::double_, values.data()},
                       {"/b", 3, Precision::double_, Precision::single_, values.data()}},
                      share, nullptr, limit);
  };
  write(in("one.h5"), whole_share(n), largest_piece);
  for (const std::size_t limit : {1u, 300u, 1000u}) {
    const std::vector<Box> boxes = test::random_boxes(n, 4, 5);
    ThreadTeam::run(4, [&](comm::Communicator& team) {
      write(in("many.h5"), {&team, n, boxes[static_cast<std::size_t>(team.rank())]}, limit);
    });
    EXPECT_TRUE(bytes_of(in("many.h5")) == bytes_of(in("one.h5"))) << limit;
  }
}

TEST_F(SharedFiles, CheckpointsOfSomeRanksAreReadByOthers) {
  const std::vector<Box> writers = test::random_boxes(n, 3, 9);
  ThreadTeam::run(3, [&](comm::Communicator& team) {
    const Share share{&team, n, writers[static_cast<std::size_t>(team.rank())]};
    SampleState(n, share.mine).write_checkpoint(checkpoint_path(folder, 25), share);
  });
  for (const int ranks : {1, 2, 8}) {
    for (const std::vector<Box>& boxes : test::partitions(n, ranks)) {
      ThreadTeam::run(ranks, [&](comm::Communicator& team) {
        const Share share{&team, n, boxes[static_cast<std::size_t>(team.rank())]};
        EXPECT_EQ(newest_good_checkpoint(folder, nullptr, &team), checkpoint_path(folder, 25));
        CheckpointReader reader(checkpoint_path(folder, 25), &team);
        const auto count = static_cast<std::size_t>(share.mine.count());
        std::vector<double> ux(count);
        reader.read("ux", Precision::double_, ux.data(), share);
        EXPECT_EQ(ux, test::values_in<double>(share.mine, 1, 0));
        std::vector<double> widened(count);
        reader.read("lnrho", Precision::double_, widened.data(), share);
        const auto floats = test::values_in<float>(share.mine, 1, 1);
        EXPECT_EQ(widened, std::vector<double>(floats.begin(), floats.end()));
        EXPECT_EQ(reader.integer("step"), 25);
      });
    }
  }
}

TEST_F(SharedFiles, EveryRankLearnsOfDamage) {
  const std::string path = checkpoint_path(folder, 25);
  SampleState(n, {{0, 0, 0}, n}).write_checkpoint(path, whole_share(n));
  std::filesystem::copy(path, checkpoint_path(folder, 24));
  const std::string good = bytes_of(path);
  const std::vector<Box> boxes = test::regular_boxes(n, {1, 1, 4});
  // One bit of a value that rank 2 alone holds.
  const double value = test::value_at(3, 3, 6, 0, 0);
  std::string bytes = good;
  bytes[bytes.find(std::string(reinterpret_cast<const char*>(&value), 8))] ^= 1;
  put_bytes(path, bytes);
  const std::string reading =
      message_of_all(boxes, ErrorKind::io, [&](comm::Communicator& team, const Share& share) {
        CheckpointReader reader(path, &team);
        std::vector<double> ux(static_cast<std::size_t>(share.mine.count()));
        reader.read("ux", Precision::double_, ux.data(), share);
      });
  EXPECT_EQ(reading, path + " is damaged: array ux does not match its checksum");
  const std::string absent =
      message_of_all(boxes, ErrorKind::io, [&](comm::Communicator& team, const Share& share) {
        double nothing = 0;
        CheckpointReader(path, &team).read("uy", Precision::double_, &nothing, share);
      });
  EXPECT_EQ(absent, path + " holds no array uy; it holds: ux, lnrho");
  ThreadTeam::run(4, [&](comm::Communicator& team) {
    std::vector<std::string> skipped;
    EXPECT_EQ(newest_good_checkpoint(folder, &skipped, &team), checkpoint_path(folder, 24));
    EXPECT_EQ(skipped, std::vector<std::string>{reading});
  });
  // Metadata: rank 0 finds it before anyone opens the file.
  bytes = good;
  bytes[100] ^= 1;
  put_bytes(path, bytes);
  const std::string opening = message_of_all(
      boxes, ErrorKind::io,
      [&](comm::Communicator& team, const Share&) { CheckpointReader(path, &team); });
  EXPECT_EQ(opening.find(path + " is damaged"), 0u) << opening;
  ThreadTeam::run(4, [&](comm::Communicator& team) {
    prune_checkpoints(folder, 1, -1, &team);
    prune_checkpoints(folder, 1, -1, &team);
  });
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint_000024.h5", "checkpoint_000025.h5"}));
}

TEST_F(SharedFiles, ValuesThatAreNotFiniteAreNamedAsOneProcessWould) {
  const std::vector<Box> boxes = test::random_boxes(n, 6, 21);
  const std::vector<Index3> bad{{6, 5, 10}, {2, 4, 3}, {5, 4, 3}};
  const auto spoil = [&](SampleState& state, const Box& box) {
    for (const Index3& at : bad) {
      const Index3 l{at[0] - box.lower[0], at[1] - box.lower[1], at[2] - box.lower[2]};
      if (l[0] < 0 || l[1] < 0 || l[2] < 0 || l[0] >= box.size(0) || l[1] >= box.size(1) ||
          l[2] >= box.size(2)) {
        continue;
      }
      state.ux[static_cast<std::size_t>((l[2] * box.size(1) + l[1]) * box.size(0) + l[0])] =
          std::numeric_limits<double>::quiet_NaN();
    }
  };
  const auto write = [&](const Share& share) {
    SampleState state(n, share.mine);
    spoil(state, share.mine);
    state.checkpoint.reals["t"] = std::numeric_limits<double>::infinity();
    state.write_checkpoint(in("c.h5"), share);
  };
  const std::string expected = "checkpoint not written: ux is nan at (i, j, k) = (2, 4, 3)";
  EXPECT_EQ(message_of(ErrorKind::diverged, [&] { write(whole_share(n)); }), expected);
  EXPECT_EQ(message_of_all(boxes, ErrorKind::diverged,
                           [&](comm::Communicator&, const Share& share) { write(share); }),
            expected);
  EXPECT_TRUE(names().empty());
}

TEST_F(SharedFiles, OneRanksFaultIsEverybodys) {
  const std::vector<Box> boxes = test::regular_boxes(n, {1, 2, 2});
  // Rank 0: no such folder.
  std::string message =
      message_of_all(boxes, ErrorKind::io, [&](comm::Communicator&, const Share& share) {
        SampleState(n, share.mine).write_checkpoint(in("none/c.h5"), share);
      });
  EXPECT_HAS(message, in("none/c.h5"));
  EXPECT_HAS(message, std::strerror(ENOENT));
  // Rank 1: a field without values.
  message =
      message_of_all(boxes, ErrorKind::internal, [&](comm::Communicator& team, const Share& share) {
        SampleState state(n, share.mine);
        if (team.rank() == 1) state.fields[2].values = nullptr;
        state.write_snapshot(in("f.vtkhdf"), share);
      });
  EXPECT_HAS(message, "rank 1 of 4");
  // Parts that do not make the whole.
  message =
      message_of_all(boxes, ErrorKind::internal, [&](comm::Communicator&, const Share& share) {
        Share less = share;
        if (less.mine == boxes[3]) less.mine.upper[2] -= 1;
        SampleState(n, less.mine).write_snapshot(in("f.vtkhdf"), less);
      });
  EXPECT_HAS(message, "make the whole");
  EXPECT_TRUE(names().empty());
}

// The disk fills up while rank 0 receives: at the k-th message from another rank the size of files
// is limited. In a child process, since the limit holds for all of it.
TEST_F(SharedFiles, AFailureInTheMiddleEndsAllRanksAndLeavesNoFile) {
  n = {64, 64, 64};  // more than HDF5 or the limit would keep in memory
  for (const int piece : {0, 3, 11}) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      alarm(60);  // a deadlock is a failure
      const std::vector<Box> boxes = test::regular_boxes(n, {2, 1, 2});
      std::atomic<int> received{0};
      const std::string message =
          message_of_all(boxes, ErrorKind::io, [&](comm::Communicator& inner, const Share& share) {
            test::Observed team(inner, true, [&](int, const char* what) {
              if (inner.rank() != 0) return;
              rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
              if (std::strcmp(what, "receive") == 0) {
                if (received++ != piece) return;
                limit.rlim_cur = 1 << 10;
              }  // else the others are told to stop, and HDF5 is to close the file
              setrlimit(RLIMIT_FSIZE, &limit);
            });
            const auto values = test::values_in<double>(share.mine, 1, 0);
            write_shared_file(
                in("a.h5"), 0,
                [&](Hdf5File& file) {
                  file.root().create_dataset("a", ElementType::float64, {64, 64, 64});
                  file.root().create_dataset("b", ElementType::float64, {64, 64, 64});
                },
                {{"/a", 1, Precision::double_, Precision::double_, values.data()},
                 {"/b", 1, Precision::double_, Precision::double_, values.data()}},
                {&team, n, share.mine}, nullptr, 1 << 18);
          });
      EXPECT_HAS(message, "a.h5");
      EXPECT_HAS(message, std::strerror(EFBIG));
      EXPECT_TRUE(names().empty());
      EXPECT_GT(received.load(), piece);
      exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
        << "piece " << piece << ": " << status;
  }
  EXPECT_TRUE(names().empty());
}

TEST(WritingMethod, ManyHostsNeedAFileSystemForThem) {
  EXPECT_TRUE(fit_for_writing_together(0xEF53, 1));   // ext4
  EXPECT_FALSE(fit_for_writing_together(0xEF53, 2));  // each host has its own
  EXPECT_FALSE(fit_for_writing_together(0x6969, 1));  // NFS
  EXPECT_FALSE(fit_for_writing_together(0x6969, 4));
  EXPECT_TRUE(fit_for_writing_together(0x0BD00BD0, 4));  // Lustre
  EXPECT_TRUE(fit_for_writing_together(0x47504653, 4));  // GPFS
}

}  // namespace
}  // namespace watersmeet::io
