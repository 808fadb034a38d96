// Checkpoints: every bit comes back, values that are not finite are refused, and no damage goes
// unnoticed.
#include "io/checkpoint.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "io/checksum.hpp"
#include "io/run_directory.hpp"
#include "io/seal.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class CheckpointFiles : public Folder {
 protected:
  // Arbitrary finite bit patterns: denormals, negative zero, largest and smallest numbers.
  CheckpointFiles() {
    std::mt19937_64 random(7);
    while (doubles.size() < 60) {
      const auto value = std::bit_cast<double>(random());
      if (std::isfinite(value)) doubles.push_back(value);
    }
    doubles[0] = -0.0;
    doubles[1] = std::numeric_limits<double>::denorm_min();
    doubles[2] = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < doubles.size(); ++i) floats.push_back(0.1f * static_cast<float>(i));
    checkpoint.n = {5, 4, 3};
    checkpoint.arrays = {{"ux", Precision::double_, doubles.data()},
                         {"lnrho", Precision::single_, floats.data()}};
    checkpoint.reals = {{"t", 0.1}, {"phase", -0.0}, {"tiny", 5e-324}};
    checkpoint.integers = {{"step", 4812}, {"lowest", std::numeric_limits<std::int64_t>::min()}};
    checkpoint.texts = {{"system", "isothermal"}, {"empty", ""}, {"greek", "\u03bd = 1\n"}};
    provenance.program = "watersmeet";
    provenance.seed = std::numeric_limits<std::uint64_t>::max();
    provenance.devices = {"GPU A", "GPU B"};
    provenance.scales = {{"L_u", 0.1}, {"M_u", 2.0}, {"T_u", 3.0}};
    provenance.input_toml = "[case]\nname = \"x\"\n";
  }

  static std::vector<std::uint64_t> bits(const std::vector<double>& values) {
    std::vector<std::uint64_t> all;
    for (const double v : values) all.push_back(std::bit_cast<std::uint64_t>(v));
    return all;
  }

  std::vector<double> doubles;
  std::vector<float> floats;
  Checkpoint checkpoint;
  Provenance provenance;
};

TEST(Checksum, KnownAnswers) {
  EXPECT_EQ(crc32("123456789", 9), 0xCBF43926u);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(crc32("", 0), 0u);
  const std::string text = "The quick brown fox jumps over the lazy dog";
  EXPECT_EQ(crc32(text.data(), text.size()), 0x414FA339u);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32(text.data() + cut, text.size() - cut, crc32(text.data(), cut)), 0x414FA339u);
  }
}

TEST_F(CheckpointFiles, EveryBitComesBack) {
  const std::string path = checkpoint_path(folder, 4812);
  EXPECT_EQ(path, in("checkpoint_004812.h5"));
  write_checkpoint(path, checkpoint, provenance);
  EXPECT_EQ(names(), std::vector<std::string>{"checkpoint_004812.h5"});
  CheckpointReader reader(path);
  EXPECT_EQ(reader.n(), (Index3{5, 4, 3}));
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"ux", "lnrho"}));
  EXPECT_EQ(reader.stored_precision("ux"), Precision::double_);
  EXPECT_EQ(reader.stored_precision("lnrho"), Precision::single_);
  std::vector<double> ux(60);
  reader.read("ux", Precision::double_, ux.data());
  EXPECT_EQ(bits(ux), bits(doubles));
  std::vector<float> lnrho(60);
  reader.read("lnrho", Precision::single_, lnrho.data());
  EXPECT_EQ(lnrho, floats);
  for (const auto& [name, value] : checkpoint.reals) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(reader.real(name)), std::bit_cast<std::uint64_t>(value));
  }
  EXPECT_EQ(reader.integers(), checkpoint.integers);
  EXPECT_EQ(reader.texts(), checkpoint.texts);
  const Provenance back = read_provenance(path);
  EXPECT_EQ(back.seed, provenance.seed);
  EXPECT_EQ(back.devices, provenance.devices);
  EXPECT_EQ(back.scales, provenance.scales);
  EXPECT_EQ(back.input_toml, provenance.input_toml);
}

TEST_F(CheckpointFiles, ReadsInTheOtherPrecision) {
  write_checkpoint(in("c.h5"), checkpoint, provenance);
  CheckpointReader reader(in("c.h5"));
  std::vector<double> widened(60);
  reader.read("lnrho", Precision::double_, widened.data());
  std::vector<float> narrowed(60);
  reader.read("ux", Precision::single_, narrowed.data());
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(widened[i], static_cast<double>(floats[i]));
    EXPECT_EQ(narrowed[i], static_cast<float>(doubles[i]));
  }
}

TEST_F(CheckpointFiles, RefusesValuesThatAreNotFinite) {
  write_checkpoint(in("c.h5"), checkpoint, provenance);
  const std::string before = bytes_of(in("c.h5"));
  doubles[1 + 5 * (2 + 4 * 2)] = std::numeric_limits<double>::quiet_NaN();
  std::string message = message_of(ErrorKind::diverged,
                                   [&] { write_checkpoint(in("c.h5"), checkpoint, provenance); });
  EXPECT_HAS(message, "ux is nan at (i, j, k) = (1, 2, 2)");
  doubles[1 + 5 * (2 + 4 * 2)] = 0;
  floats[59] = -std::numeric_limits<float>::infinity();
  message = message_of(ErrorKind::diverged,
                       [&] { write_checkpoint(in("c.h5"), checkpoint, provenance); });
  EXPECT_HAS(message, "lnrho is -inf at (i, j, k) = (4, 3, 2)");
  floats[59] = 0;
  checkpoint.reals["t"] = std::numeric_limits<double>::quiet_NaN();
  message = message_of(ErrorKind::diverged,
                       [&] { write_checkpoint(in("c.h5"), checkpoint, provenance); });
  EXPECT_HAS(message, "t is nan");
  EXPECT_EQ(bytes_of(in("c.h5")), before);
  EXPECT_EQ(names(), std::vector<std::string>{"c.h5"});
}

TEST_F(CheckpointFiles, SaysWhatIsWrongWithAFile) {
  const auto open = [&](const std::string& name) {
    return message_of(ErrorKind::io, [&] { CheckpointReader reader(in(name)); });
  };
  EXPECT_HAS(open("absent.h5"), "No such file");
  put_bytes(in("text.h5"), "this is text");
  EXPECT_HAS(open("text.h5"), "not an HDF5 file");
  put_bytes(in("empty.h5"), "");
  EXPECT_HAS(open("empty.h5"), "not an HDF5 file");
  write_checkpoint(in("c.h5"), checkpoint, provenance);
  const std::string whole = bytes_of(in("c.h5"));
  put_bytes(in("cut.h5"), whole.substr(0, whole.size() / 2));
  EXPECT_HAS(open("cut.h5"), "truncated");
  {
    Hdf5File other = Hdf5File::create(in("other.h5"));
    other.finish();
    seal_file(in("other.h5"), {});
    Hdf5File newer = Hdf5File::create(in("newer.h5"));
    newer.root().set("format", "watersmeet checkpoint");
    newer.root().set("format_version", 2);
    newer.finish();
    seal_file(in("newer.h5"), {});
  }
  EXPECT_HAS(open("other.h5"), "not a checkpoint");
  EXPECT_HAS(open("newer.h5"), "version 2; this program reads 1");
  CheckpointReader reader(in("c.h5"));
  std::vector<double> values(60);
  const std::string message =
      message_of(ErrorKind::io, [&] { reader.read("uy", Precision::double_, values.data()); });
  EXPECT_HAS(message, "no array uy; it holds: ux, lnrho");
  EXPECT_HAS(message_of(ErrorKind::io, [&] { reader.real("dt"); }), "no entry dt");
}

// Every byte of the file is under the seal or under the checksum of an array.
TEST_F(CheckpointFiles, NoDamagedByteIsTakenForState) {
  write_checkpoint(in("c.h5"), checkpoint, provenance);
  const std::string whole = bytes_of(in("c.h5"));
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    put_bytes(in("d.h5"), damaged);
    EXPECT_THROW(CheckpointReader(in("d.h5")).verify(), Error) << "byte " << at;
  }
  for (std::size_t size = 0; size < whole.size(); size += 101) {
    put_bytes(in("d.h5"), whole.substr(0, size));
    EXPECT_THROW(CheckpointReader(in("d.h5")).verify(), Error) << "first " << size << " bytes";
  }
  for (std::size_t at = whole.size() - 200; at < whole.size(); ++at) {  // the seal itself
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] + 1);
    put_bytes(in("d.h5"), damaged);
    EXPECT_THROW(CheckpointReader(in("d.h5")).verify(), Error) << "byte " << at;
  }
  put_bytes(in("d.h5"), whole + "\n");
  EXPECT_THROW(CheckpointReader(in("d.h5")), Error);
  put_bytes(in("d.h5"), whole);
  EXPECT_NO_THROW(CheckpointReader(in("d.h5")).verify());
}

TEST_F(CheckpointFiles, NewestGoodOnePassesOverDamage) {
  EXPECT_EQ(newest_good_checkpoint(folder), "");
  for (const int step : {2, 10, 9}) {
    write_checkpoint(checkpoint_path(folder, step), checkpoint, provenance);
  }
  EXPECT_EQ(newest_good_checkpoint(folder), in("checkpoint_000010.h5"));
  std::string bytes = bytes_of(in("checkpoint_000010.h5"));
  const std::string value(reinterpret_cast<const char*>(&doubles[30]), 8);
  bytes[bytes.find(value)] ^= 1;  // one bit of one value of ux
  put_bytes(in("checkpoint_000010.h5"), bytes);
  put_bytes(in("checkpoint_000011.h5"), "half a file");
  put_bytes(in("checkpoint_000012.h5.part"), bytes);
  std::vector<std::string> skipped;
  EXPECT_EQ(newest_good_checkpoint(folder, &skipped), in("checkpoint_000009.h5"));
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_HAS(skipped[0], "checkpoint_000011.h5: it is not an HDF5 file");
  EXPECT_HAS(skipped[1], "array ux does not match its checksum");
}

TEST_F(CheckpointFiles, PruningKeepsTheNewest) {
  for (const int step : {1, 2, 3, 1000000}) {
    write_checkpoint(checkpoint_path(folder, step), checkpoint, provenance);
  }
  put_bytes(in("checkpoint_2000000.h5"), "damaged");
  prune_checkpoints(folder, 2);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint_000003.h5", "checkpoint_1000000.h5",
                                               "checkpoint_2000000.h5"}));
}

TEST_F(CheckpointFiles, PruningKeepsTheNewestThatIsConfirmed) {
  for (const int step : {1, 2, 3, 4, 5, 6})
    write_checkpoint(checkpoint_path(folder, step), checkpoint, provenance);
  prune_checkpoints(folder, 2, 3);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint_000003.h5", "checkpoint_000005.h5",
                                               "checkpoint_000006.h5"}));
  prune_checkpoints(folder, 2, 5);
  EXPECT_EQ(names(), (std::vector<std::string>{"checkpoint_000005.h5", "checkpoint_000006.h5"}));
}

// A process killed while it writes, at moments all over the writing, leaves the old file or the
// whole new one.
TEST_F(CheckpointFiles, KillLeavesAWholeFile) {
  const std::string path = checkpoint_path(folder, 1);
  write_checkpoint(path, checkpoint, provenance);
  std::vector<double> large(200000);
  for (int attempt = 0; attempt < 24; ++attempt) {
    const pid_t child = fork();
    if (child == 0) {
      Checkpoint next = checkpoint;
      next.n = {100, 100, 20};
      next.arrays = {{"ux", Precision::double_, large.data()}};
      for (std::int64_t round = 0;; ++round) {
        next.integers["step"] = round;
        write_checkpoint(path, next, provenance);
      }
    }
    usleep(static_cast<useconds_t>(1000 + 1700 * attempt));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    std::vector<std::string> skipped;
    EXPECT_EQ(newest_good_checkpoint(folder, &skipped), path);
    EXPECT_TRUE(skipped.empty());
  }
}

}  // namespace
}  // namespace watersmeet::io
