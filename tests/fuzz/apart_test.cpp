// Reading in a process of its own tells answers from faults, in its first file and in later ones.
#include "apart.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/foreign_call.hpp"
#include "support/temporary.hpp"

namespace watersmeet {
namespace {

using fuzz::ReadApart;

// A line with the number of its process for each read.
class Apart : public Folder {
 protected:
  void note() const { std::ofstream(in("reads"), std::ios::app) << ::getpid() << "\n"; }

  std::vector<std::string> processes() const {
    std::ifstream file(in("reads"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
};

TEST_F(Apart, ManyFilesAreReadByOneProcess) {
  ReadApart apart([&] { note(); }, 2);
  for (int file = 0; file < 3; ++file) apart.answer();
  const std::vector<std::string> found = processes();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[1], found[2]);
  EXPECT_NE(found[0], std::to_string(::getpid()));
}

TEST_F(Apart, AMessageIsAnAnswer) {
  ReadApart apart([] { throw Error(ErrorKind::io, "no file of this kind"); }, 2);
  EXPECT_NO_THROW(apart.answer());
  EXPECT_NO_THROW(apart.answer());
}

TEST_F(Apart, AnErrorOfTheProgramIsAFault) {
  ReadApart apart([] { throw std::out_of_range("beyond the end"); }, 2);
  EXPECT_THROW(apart.answer(), std::logic_error);
}

TEST_F(Apart, AnEndOfTheProcessIsAFault) {
  EXPECT_THROW(ReadApart([] { ::_exit(0); }, 2).answer(), std::logic_error);
}

TEST_F(Apart, ASignalCountsWhereItIsOurs) {
  EXPECT_THROW(ReadApart([] { std::raise(SIGSEGV); }, 2).answer(), std::logic_error);
  ReadApart in_a_library(
      [] {
        const ForeignCall call("HDF5", "file.h5");
        H5Fis_hdf5(reinterpret_cast<const char*>(8));  // it looks at the name
      },
      2);
  EXPECT_NO_THROW(in_a_library.answer());
  EXPECT_NO_THROW(in_a_library.answer());
}

TEST_F(Apart, ALoopWithoutEndCountsWhereItIsOurs) {
  const auto forever = [] {
    for (volatile bool on = true; on;) {
    }
  };
  EXPECT_THROW(ReadApart(forever, 2).answer(), std::logic_error);
  EXPECT_NO_THROW(ReadApart(
                      [&] {
                        const ForeignCall call("of others", "file.h5");
                        forever();
                      },
                      2)
                      .answer());
}

TEST_F(Apart, MuchMemoryIsAFault) {
  const auto take = [] { std::vector<char>(std::size_t{96} << 20, 'x').back() = 'y'; };
  EXPECT_THROW(ReadApart(take, 2, std::size_t{64} << 20).answer(), std::logic_error);
  EXPECT_NO_THROW(ReadApart(take, 2, std::size_t{256} << 20).answer());
}

// What earlier files left behind in a library is no fault of the file that meets it.
TEST_F(Apart, AFaultOfALaterFileIsTriedInANewProcess) {
  int files = 0;
  ReadApart apart(
      [&] {
        note();
        if (++files == 2) throw std::logic_error("the second one of a process");
      },
      4);
  EXPECT_NO_THROW(apart.answer());
  EXPECT_NO_THROW(apart.answer());
  const std::vector<std::string> found = processes();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[1], found[2]);
}

}  // namespace
}  // namespace watersmeet
