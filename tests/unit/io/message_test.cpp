// Messages and exit statuses of exceptions that are not the project's own.
#include <gtest/gtest.h>

#include <new>
#include <string>
#include <system_error>

#include "watersmeet/commands.hpp"

using namespace watersmeet;

TEST(Messages, SayThatMemoryOrThreadsEnd) {
  const std::system_error thread(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_EQ(exit_status_of(thread), 3);
  EXPECT_EQ(message_of(thread, {}),
            "error: a thread cannot be started: not enough host memory, or too many threads\n");
  EXPECT_EQ(exit_status_of(std::bad_alloc()), 3);
  EXPECT_NE(message_of(std::bad_alloc(), {}).find("not enough host memory"), std::string::npos);
  const std::system_error other(std::make_error_code(std::errc::no_link));
  EXPECT_EQ(exit_status_of(other), 1);
  EXPECT_NE(message_of(other, {}).find("internal error"), std::string::npos);
}
