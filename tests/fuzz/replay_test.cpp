// Every file of tests/fuzz/corpus: examples of each kind of input, and what once was a fault (docs/reliability.md names those).
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "apart.hpp"
#include "support/temporary.hpp"
#include "targets.hpp"

namespace watersmeet {

const int fuzz::files_of_a_process = 1;

namespace {

namespace fs = std::filesystem;

class Inputs : public Folder {
 protected:
  Inputs() : before(fs::current_path()) { fuzz::enter_folder(in("place")); }
  ~Inputs() override { fs::current_path(before); }

  fs::path before;
};

class Corpus : public Inputs, public ::testing::WithParamInterface<std::string> {};

TEST_P(Corpus, IsAnswered) {
  int files = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(WATERSMEET_TEST_SOURCE) / "fuzz" / "corpus" / GetParam())) {
    const std::string bytes = bytes_of(entry.path().string());
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(fuzz::targets().at(GetParam())(bytes)) << entry.path();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
  EXPECT_EQ(names(), std::vector<std::string>{"place"}) << "files outside the folder";
}

// Texts on which functions that call themselves for each character end for lack of stack; files of that size would slow the fuzzer.
TEST_F(Inputs, LongTextsAreAnswered) {
  const std::string many(100000, '1');
  const std::string duration =
      "[case]\nsystem = \"isothermal\"\n[time]\nwall = \"" + many + " h\"\n";
  for (const std::string& text :
       {"[case]\nname = a" + many + "\n", "[case]\nname = " + many + ",5\n",
        "[case]\nname = \"" + many + "\"\n", duration})
    EXPECT_NO_THROW(fuzz::case_file(text)) << text.substr(0, 50);
  for (const std::string& text : {many + " h", "[site]\npartition = \"" + many + "\"\n"})
    EXPECT_NO_THROW(fuzz::site(text)) << text.substr(0, 50);
  EXPECT_NO_THROW(fuzz::command_line("run\n" + many + "\n--" + many + "\n--set\n" + many));
  EXPECT_NO_THROW(fuzz::expression(many + "*x"));
}

std::vector<std::string> names_of_targets() {
  std::vector<std::string> names;
  for (const auto& [name, run] : fuzz::targets()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(OfEachTarget, Corpus, ::testing::ValuesIn(names_of_targets()),
                         [](const auto& target) { return target.param; });

}  // namespace
}  // namespace watersmeet
