// What a run says, and what becomes of it where it cannot be logged.
#include "io/terminal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

class Terminals : public Folder {};

TEST_F(Terminals, LogWhatWasSaidBefore) {
  const std::string path = in("log.txt");
  Terminal terminal(true);
  terminal.say("first");
  terminal.open_log(path);
  terminal.say("second\nthird");
  const std::string text = bytes_of(path);
  for (const char* const line : {"Z  first\n", "Z  second\n", "Z  third\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST(Terminal, SaysOnceThatALogCannotBeWritten) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  Terminal terminal(true);
  terminal.say("first");
  ::testing::internal::CaptureStderr();
  terminal.open_log("/dev/full");
  for (int i = 0; i < 3; ++i) terminal.say("more");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "/dev/full cannot be written any more: No space left on device; the run continues "
            "without it\n");
}

TEST(Terminal, ALogThatCannotBeOpenedIsAnError) {
  Terminal terminal(true);
  EXPECT_THROW(terminal.open_log("/no/such/folder/log.txt"), Error);
}

}  // namespace
}  // namespace watersmeet::io
