// The folder of a run: numbering, link, record, and what is refused.
#include "io/run_directory.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "io/atomic_file.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class RunDirectory : public Folder {};

TEST_F(RunDirectory, NumbersGoUpAndLatestFollows) {
  EXPECT_EQ(create_numbered_directory(in("runs"), "rb"), in("runs/rb-001"));
  EXPECT_EQ(create_numbered_directory(in("runs"), "rb"), in("runs/rb-002"));
  EXPECT_EQ(create_numbered_directory(in("runs"), "other"), in("runs/other-001"));
  std::filesystem::create_directory(in("runs/rb-1234"));
  EXPECT_EQ(create_numbered_directory(in("runs"), "rb"), in("runs/rb-1235"));
  EXPECT_EQ(std::filesystem::read_symlink(in("runs/latest")), "rb-1235");
  for (const char* name : {"", "a/b", "latest"}) {
    message_of(ErrorKind::io, [&] { create_numbered_directory(in("runs"), name); });
  }
}

TEST_F(RunDirectory, ManyProcessesGetDifferentFolders) {
  constexpr int n = 8;
  for (int p = 0; p < n; ++p) {
    if (fork() == 0) {
      create_numbered_directory(in("runs"), "x");
      create_numbered_directory(in("runs"), "x");
      _exit(0);
    }
  }
  for (int p = 0; p < n; ++p) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(numbered_files(in("runs"), "x-", "").size(), 2u * n);
  EXPECT_TRUE(std::filesystem::is_directory(in("runs/latest")));
}

TEST_F(RunDirectory, AFolderOfThatNameIsNotReplacedByTheLink) {
  std::filesystem::create_directories(in("runs/latest"));
  create_numbered_directory(in("runs"), "rb");
  EXPECT_FALSE(std::filesystem::is_symlink(in("runs/latest")));
}

TEST_F(RunDirectory, ExplicitFolderMustBeAbsentOrEmpty) {
  create_explicit_directory(in("a/b"));
  EXPECT_TRUE(std::filesystem::is_directory(in("a/b")));
  create_explicit_directory(in("a/b"));
  put_bytes(in("a/b/mine"), "keep");
  const std::string message =
      message_of(ErrorKind::io, [&] { create_explicit_directory(in("a/b")); });
  EXPECT_HAS(message, in("a/b"));
  EXPECT_HAS(message, "not empty");
  EXPECT_EQ(bytes_of(in("a/b/mine")), "keep");
  message_of(ErrorKind::io, [&] { create_explicit_directory(in("a/b/mine")); });
  message_of(ErrorKind::io, [&] { create_explicit_directory(in("a/b/mine/below")); });
}

TEST_F(RunDirectory, FreeSpaceOfAFolderThatDoesNotExistYet) {
  EXPECT_GT(free_disk_bytes(in("not/yet")), 0u);
  EXPECT_EQ(free_disk_bytes(in("not/yet")) >> 30, free_disk_bytes(folder) >> 30);
  EXPECT_GT(free_disk_bytes("relative/not/yet"), 0u);
}

TEST_F(RunDirectory, FilesAreListedByStepOnlyWhenFinished) {
  for (const char* name : {"fields_000002.vtkhdf", "fields_000010.vtkhdf", "fields_1000000.vtkhdf",
                           "fields_000011.vtkhdf.part", "fields_x.vtkhdf", "fields_.vtkhdf",
                           "checkpoint_000010.h5", "checkpoint_000004.h5"}) {
    put_bytes(in(name), "x");
  }
  EXPECT_EQ(list_snapshots(folder),
            (std::vector<std::string>{in("fields_000002.vtkhdf"), in("fields_000010.vtkhdf"),
                                      in("fields_1000000.vtkhdf")}));
  EXPECT_EQ(set_aside_after(folder, 4), (std::vector<std::string>{in("fields_000010.vtkhdf.old"),
                                                                  in("fields_1000000.vtkhdf.old"),
                                                                  in("checkpoint_000010.h5.old")}));
  EXPECT_EQ(list_snapshots(folder), std::vector<std::string>{in("fields_000002.vtkhdf")});
  EXPECT_EQ(list_checkpoints(folder), std::vector<std::string>{in("checkpoint_000004.h5")});
  message_of(ErrorKind::io, [&] { list_snapshots(in("absent")); });
}

TEST_F(RunDirectory, UnfinishedFilesAreRemoved) {
  for (const char* name : {"a.h5.part", "fields_000001.vtkhdf", "apart"}) put_bytes(in(name), "x");
  EXPECT_EQ(remove_unfinished(folder), std::vector<std::string>{in("a.h5.part")});
  EXPECT_EQ(names(), (std::vector<std::string>{"apart", "fields_000001.vtkhdf"}));
}

TEST_F(RunDirectory, InputsAreExact) {
  const std::string text = "# caf\xc3\xa9\r\n[case]\tname = 'x'\n\n";
  write_inputs(folder, text, "a = 1\n");
  EXPECT_EQ(bytes_of(in("case.toml")), text);
  EXPECT_EQ(bytes_of(in("resolved.toml")), "a = 1\n");
}

TEST_F(RunDirectory, RecordKeepsEveryLaunch) {
  Launch launch;
  launch.command_line = "watersmeet run x.toml --set a=\"\xff\"";
  launch.version = "0.1.0";
  launch.dirty = true;
  launch.devices = {"A", "B"};
  launch.threads = 2;
  record_start(folder, "id-1", launch);
  record_end(folder, 75, false);
  launch.command_line = "watersmeet resume";
  launch.first_step = 4812;
  record_start(folder, "ignored", launch);
  record_start(folder, "ignored", launch);  // the one before was killed
  record_division(folder, {4900, {32, 32}, {48, 16}});
  record_end(folder, 0, true);
  const RunRecord record = read_run_record(folder);
  EXPECT_EQ(record.run_id, "id-1");
  ASSERT_EQ(record.launches.size(), 3u);
  EXPECT_EQ(record.launches[0].exit_status, 75);
  EXPECT_EQ(record.launches[0].converged, false);
  EXPECT_TRUE(record.launches[0].dirty);
  EXPECT_EQ(record.launches[0].devices, launch.devices);
  EXPECT_FALSE(record.launches[1].exit_status.has_value());
  EXPECT_EQ(record.launches[1].end, "");
  EXPECT_FALSE(record.launches[1].converged.has_value());
  EXPECT_EQ(record.launches[2].exit_status, 0);
  EXPECT_EQ(record.launches[2].converged, true);
  EXPECT_EQ(record.launches[2].first_step, 4812);
  EXPECT_EQ(record.launches[2].start.size(), 20u);
  EXPECT_TRUE(record.launches[1].divisions.empty());
  ASSERT_EQ(record.launches[2].divisions.size(), 1u);
  EXPECT_EQ(record.launches[2].divisions[0].step, 4900);
  EXPECT_EQ(record.launches[2].divisions[0].before, (std::vector<std::int64_t>{32, 32}));
  EXPECT_EQ(record.launches[2].divisions[0].after, (std::vector<std::int64_t>{48, 16}));
  const auto json = nlohmann::json::parse(bytes_of(in("run.json")));
  EXPECT_EQ(json["exit_status"], 75);
  EXPECT_EQ(json["restarts"].size(), 2u);
  EXPECT_TRUE(json["restarts"][0]["end"].is_null());
  EXPECT_TRUE(json["restarts"][0]["converged"].is_null());
  auto earlier = json;  // of a version without the entry
  earlier.erase("converged");
  for (auto& restart : earlier["restarts"]) {
    restart.erase("converged");
    restart.erase("divisions");
  }
  put_bytes(in("run.json"), earlier.dump());
  EXPECT_FALSE(read_run_record(folder).launches[2].converged.has_value());
  put_bytes(in("run.json"), "{\"run_id\":");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { read_run_record(folder); }), "run.json is damaged");
}

}  // namespace
}  // namespace watersmeet::io
