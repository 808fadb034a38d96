#include "core/error.hpp"

#include <gtest/gtest.h>

using namespace watersmeet;

TEST(Error, ExitStatusesAreTheDocumentedOnes) {
  EXPECT_EQ(exit_status(ErrorKind::user_input), 2);
  EXPECT_EQ(exit_status(ErrorKind::unsupported), 2);
  EXPECT_EQ(exit_status(ErrorKind::io), 3);
  EXPECT_EQ(exit_status(ErrorKind::resource), 3);
  EXPECT_EQ(exit_status(ErrorKind::diverged), 4);
  EXPECT_EQ(exit_status(ErrorKind::internal), 1);
}

TEST(Error, RequireNamesFileAndLine) {
  EXPECT_NO_THROW(require(true, "never"));
  try {
    require(false, "ghost layers");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("error_test.cpp:"), std::string::npos);
    EXPECT_EQ(e.kind(), ErrorKind::internal);
  }
}
