#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "sample_system.hpp"
#include "support/temporary.hpp"

namespace fs = std::filesystem;

namespace {

class InputFile : public watersmeet::Folder {
 protected:
  const fs::path folder_ = folder;

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string message_for(const fs::path& path, watersmeet::ErrorKind kind) {
    try {
      sample::Input::from_file(path.string());
    } catch (const watersmeet::Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "no error";
  }
};

}  // namespace

TEST_F(InputFile, IsReadAsItIs) {
  const std::string path = write("a.toml", sample::right_case());
  sample::Input input = sample::Input::from_file(path, {"time.cfl=0.1"});
  EXPECT_EQ(input.system(sample::systems()), "isothermal");
  input.validate(sample::schema());
  EXPECT_NO_THROW(input.throw_if_faults());
  EXPECT_EQ(input.original_text(), sample::right_case());
  EXPECT_EQ(input.real("time.cfl"), 0.1);
  EXPECT_EQ(input.name(), path);
}

TEST_F(InputFile, MissingNamesTheNearest) {
  write("turbulence.toml", "");
  write("bubbles.toml", "");
  const std::string missing = (folder_ / "turbulance.toml").string();
  EXPECT_EQ(message_for(missing, watersmeet::ErrorKind::io),
            "error[missing-file]: no file `" + missing + "`\n   = did you mean `" +
                (folder_ / "turbulence.toml").string() + "`?\n\n1 error in " + missing +
                "; nothing was run");
  EXPECT_NE(message_for(folder_ / "bubbles", watersmeet::ErrorKind::io)
                .find("did you mean `" + (folder_ / "bubbles.toml").string() + "`"),
            std::string::npos);
  EXPECT_NE(message_for(folder_ / "waves.toml", watersmeet::ErrorKind::io)
                .find("bubbles.toml, turbulence.toml"),
            std::string::npos);
  EXPECT_NE(message_for(folder_ / "none" / "a.toml", watersmeet::ErrorKind::io)
                .find("no folder `" + (folder_ / "none").string() + "`"),
            std::string::npos);
}

TEST_F(InputFile, FolderIsNotACase) {
  write("only.toml", "");
  const std::string text = message_for(folder_, watersmeet::ErrorKind::user_input);
  EXPECT_NE(text.find("is a folder, not a case file"), std::string::npos);
  EXPECT_NE(text.find("only.toml"), std::string::npos);
}

TEST_F(InputFile, HugeFileIsNotACase) {
  write("fields.h5", "");
  fs::resize_file(folder_ / "fields.h5", 17u << 20);
  EXPECT_NE(message_for(folder_ / "fields.h5", watersmeet::ErrorKind::user_input)
                .find("too large for a case file"),
            std::string::npos);
}

TEST_F(InputFile, EmptyAndBinaryFilesAreFaultsNotCrashes) {
  sample::Input empty = sample::Input::from_file(write("empty.toml", ""));
  EXPECT_EQ(empty.system(sample::systems()), "");
  EXPECT_THROW(empty.throw_if_faults(), watersmeet::Error);
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>((i * 7919) >> 3);
  sample::Input binary = sample::Input::from_file(write("binary.toml", bytes));
  EXPECT_EQ(binary.system(sample::systems()), "");
  binary.validate(sample::schema());
  EXPECT_NE(binary.faults_text().find("not UTF-8"), std::string::npos);
}
