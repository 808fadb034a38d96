// Forms of texts, short and long.
#include "config/form.hpp"

#include <gtest/gtest.h>

namespace watersmeet::config {
namespace {

TEST(Form, GivesTheTextAndItsGroups) {
  const auto parts = parts_of_form("12 min", R"(([0-9]+)( ?)(s|min)(!)?)");
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(*parts, (std::vector<std::string>{"12 min", "12", " ", "min", ""}));
}

TEST(Form, IsThatOfTheWholeText) {
  EXPECT_TRUE(has_form("007", "[0-9]+"));
  EXPECT_FALSE(has_form("007 ", "[0-9]+"));
}

TEST(Form, NoLongTextHasOne) {
  EXPECT_TRUE(has_form(std::string(200, 'a'), "[a-z]*"));
  EXPECT_FALSE(has_form(std::string(201, 'a'), "[a-z]*"));
  EXPECT_FALSE(has_form(std::string(1000000, 'a'), "[a-z]*"));
}

}  // namespace
}  // namespace watersmeet::config
