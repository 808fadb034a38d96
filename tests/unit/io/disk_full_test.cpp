// Full disks and read-only folders. Each test runs in a child process that mounts a file system of
// 1 MiB of its own (as root), or else limits the size of its files; the child's exit status tells
// which expectation failed.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <iostream>

#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "io/series.hpp"
#include "io/snapshot.hpp"
#include "io/telemetry.hpp"
#include "io/writer.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

enum class Medium { small_disk, limited_files, read_only };

// Prepares the folder as asked, in this process only. False where the system does not allow it.
bool prepare(const std::string& folder, Medium medium, rlim_t bytes) {
  if (medium == Medium::limited_files) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
  }
  if (geteuid() != 0 || unshare(CLONE_NEWNS) != 0) return false;
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const std::string size = "size=" + std::to_string(bytes);
  if (mount("tmpfs", folder.c_str(), "tmpfs", 0, size.c_str()) != 0) return false;
  if (medium == Medium::small_disk) return true;
  return mount("tmpfs", folder.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

constexpr int not_possible_here = 77;

// Runs the call in a child on such a medium and reports the child's exit status (0: all
// expectations held).
int in_child(const std::string& folder, Medium medium, rlim_t bytes,
             const std::function<void()>& call) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    if (!prepare(folder, medium, bytes)) _exit(not_possible_here);
    int status = 0;
    try {
      call();
      status = ::testing::Test::HasFailure() ? 1 : 0;
    } catch (const std::exception& error) {
      std::cerr << "unexpected: " << error.what() << "\n";
      status = 2;
    }
    std::cout.flush();
    exit(status);  // with exit handlers: the HDF5 library must come down cleanly, too
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

class DiskFull : public Folder, public ::testing::WithParamInterface<Medium> {
 protected:
  // Limits on the size of files are looked at with half a MiB to spare.
  void run_on(rlim_t bytes, const std::function<void()>& call) {
    const rlim_t spare = GetParam() == Medium::limited_files ? 1 << 19 : 0;
    const int status = in_child(folder, GetParam(), bytes + spare, call);
    if (status == not_possible_here) GTEST_SKIP() << "mounting is not allowed here";
    EXPECT_EQ(status, 0);
  }
  std::string reason() const {
    return std::strerror(GetParam() == Medium::small_disk ? ENOSPC : EFBIG);
  }
};

SnapshotGrid cube(std::int64_t n) {
  SnapshotGrid grid;
  grid.n = {n, n, n};
  return grid;
}

// Sizes around the medium's end: fails while reserving, or only when the metadata is flushed.
TEST_P(DiskFull, SnapshotFailsWithPathAndReasonAndLeavesNothing) {
  run_on(1 << 18, [this] {
    const std::string path = in("fields_000001.vtkhdf");
    int failures = 0;
    for (const std::int64_t n : {12, 28, 31, 32, 33, 40}) {
      const std::vector<double> values(static_cast<std::size_t>(n * n * n), 1.0);
      const SnapshotField field{"rho", "", "1", "", 1, Precision::double_, values.data()};
      try {
        write_snapshot(path, cube(n), 0, 1, 0.1, 0, {field}, {}, "", whole_share(cube(n).n));
        EXPECT_EQ(names(), std::vector<std::string>{"fields_000001.vtkhdf"});
        std::filesystem::remove(path);
      } catch (const Error& error) {
        ++failures;
        EXPECT_EQ(error.kind(), ErrorKind::io);
        EXPECT_HAS(std::string(error.what()), path);
        EXPECT_HAS(std::string(error.what()), reason());
        EXPECT_TRUE(names().empty());
      }
    }
    EXPECT_GE(failures, 2);
    EXPECT_LE(failures, 5);
  });
}

TEST_P(DiskFull, CheckpointKeepsTheOldFile) {
  run_on(1 << 18, [this] {
    const std::string path = in("checkpoint_000001.h5");
    const std::vector<double> small(1000, 2.5);
    const std::vector<double> large(64000, 3.5);
    Checkpoint checkpoint;
    checkpoint.n = {10, 10, 10};
    checkpoint.arrays = {{"rho", Precision::double_, small.data()}};
    write_checkpoint(path, checkpoint, {});
    const std::string before = bytes_of(path);
    checkpoint.n = {40, 40, 40};
    checkpoint.arrays = {{"rho", Precision::double_, large.data()}};
    const std::string message =
        message_of(ErrorKind::io, [&] { write_checkpoint(path, checkpoint, {}); });
    EXPECT_HAS(message, path);
    EXPECT_HAS(message, reason());
    EXPECT_EQ(bytes_of(path), before);
    EXPECT_EQ(names(), std::vector<std::string>{"checkpoint_000001.h5"});
  });
}

TEST_P(DiskFull, TextFilesFailWholeLinesStay) {
  run_on(1 << 16, [this] {
    SeriesFile series(in("series.csv"), {{"t", "1"}});
    const std::vector<double> rows(500, 0.1);
    std::string message;
    for (int step = 0; step < 100 && message.empty(); ++step) {
      try {
        series.append(step, rows);
      } catch (const Error& error) {
        message = error.what();
      }
    }
    EXPECT_HAS(message, in("series.csv"));
    EXPECT_HAS(message, reason());
    EXPECT_EQ(bytes_of(in("series.csv")).back(), '\n');
    const SeriesTable table = read_series(in("series.csv"));
    EXPECT_EQ(table.rows.size() % 500, 0u);
    if (GetParam() == Medium::limited_files) return;
    const std::string big(1 << 17, 'x');
    EXPECT_HAS(message_of(ErrorKind::io, [&] { write_text_file(in("fields.xmf"), big); }),
               reason());
    EXPECT_EQ(names(), std::vector<std::string>{"series.csv"});
  });
}

TEST_P(DiskFull, WriterHandsTheErrorToTheCaller) {
  run_on(1 << 16, [this] {
    Writer writer;
    const std::vector<double> values(64000, 1.0);
    writer.submit([&] {
      const SnapshotField field{"rho", "", "1", "", 1, Precision::double_, values.data()};
      write_snapshot(in("fields_000001.vtkhdf"), cube(40), 0, 1, 0.1, 0, {field}, {}, "",
                     whole_share(cube(40).n));
    });
    const std::string message = message_of(ErrorKind::io, [&] { writer.drain(); });
    EXPECT_HAS(message, "fields_000001.vtkhdf");
    EXPECT_HAS(message, reason());
  });
}

INSTANTIATE_TEST_SUITE_P(Media, DiskFull,
                         ::testing::Values(Medium::small_disk, Medium::limited_files),
                         [](const auto& parameter) {
                           return parameter.param == Medium::small_disk ? "SmallDisk"
                                                                        : "LimitedFiles";
                         });

class ReadOnly : public Folder {};

TEST_F(ReadOnly, EverythingSaysSoBeforeAnythingIsCreated) {
  const int status = in_child(folder, Medium::read_only, 1 << 20, [this] {
    const std::string reason = std::strerror(EROFS);
    const auto expect = [&](const std::function<void()>& call) {
      const std::string message = message_of(ErrorKind::io, call);
      EXPECT_HAS(message, reason);
      EXPECT_HAS(message, folder);
    };
    expect([&] { check_writable(in("a/b/c")); });
    expect([&] { create_numbered_directory(in("runs"), "case"); });
    expect([&] { create_explicit_directory(in("mine")); });
    expect([&] { write_text_file(in("case.toml"), "x"); });
    expect([&] {
      write_snapshot(in("f.vtkhdf"), cube(1), 0, 0, 0, 0, {}, {}, "", whole_share(cube(1).n));
    });
    expect([&] { write_checkpoint(in("c.h5"), {}, {}); });
    expect([&] { SeriesFile(in("series.csv"), {}); });
    expect([&] { Telemetry(in("telemetry.jsonl"), {}, {}, false); });
  });
  if (status == not_possible_here) GTEST_SKIP() << "mounting is not allowed here";
  EXPECT_EQ(status, 0);
}

TEST_F(ReadOnly, MissingFolderIsNamed) {
  const std::string message = message_of(ErrorKind::io, [&] {
    write_snapshot(in("no/f.vtkhdf"), cube(1), 0, 0, 0, 0, {}, {}, "", whole_share(cube(1).n));
  });
  EXPECT_HAS(message, in("no/f.vtkhdf"));
  EXPECT_HAS(message, std::strerror(ENOENT));
}

}  // namespace
}  // namespace watersmeet::io
