// Every wrong case NN-name.toml beside this file must produce exactly the text NN-name.txt:
// message, place, line, caret and advice. A first line "# options: a.b=c d.e=f" gives --set
// options. The expected texts are written and reviewed by hand; docs, "Errors in the input", is
// their model.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "../../unit/config/sample_system.hpp"
#include "core/error.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(WATERSMEET_TEST_SOURCE) / "golden" / "input";

std::string contents(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> cases() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> options_of(const std::string& text) {
  const std::string mark = "# options: ";
  std::vector<std::string> options;
  if (text.compare(0, mark.size(), mark) != 0) return options;
  std::istringstream line(text.substr(mark.size(), text.find('\n') - mark.size()));
  for (std::string option; line >> option;) options.push_back(option);
  return options;
}

sample::Input read(const fs::path& path) {
  const std::string text = contents(path);
  return sample::checked(text, options_of(text), path.filename().string());
}

}  // namespace

TEST(GoldenInput, EveryWrongCaseGivesItsText) {
  for (const fs::path& path : cases()) {
    SCOPED_TRACE(path.filename().string());
    const sample::Input input = read(path);
    std::string message = "no fault was found";
    try {
      input.throw_if_faults();
    } catch (const watersmeet::Error& error) {
      EXPECT_EQ(error.kind(), watersmeet::ErrorKind::user_input);
      message = error.what();
    }
    fs::path expected = path;
    expected.replace_extension(".txt");
    EXPECT_EQ(message + "\n", contents(expected));
  }
}

TEST(GoldenInput, EveryKindOfFaultInATextIsCovered) {
  std::set<sample::FaultKind> kinds;
  for (const fs::path& path : cases()) {
    for (const sample::Fault& fault : read(path).faults()) kinds.insert(fault.kind);
  }
  using enum sample::FaultKind;
  const std::set<sample::FaultKind> expected = {syntax,    unknown_key,    bad_type,    range,
                                                bad_value, bad_expression, missing_key, conflict};
  EXPECT_EQ(kinds, expected);  // a missing file has no text: input_file_test.cpp
  EXPECT_GE(cases().size(), 30u);
}
