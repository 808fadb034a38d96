// The end of all ranks after a fault of one.
#include "launch/ranks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "core/error.hpp"

namespace watersmeet::launch {
namespace {

struct Once : testing::MatcherInterface<const std::string&> {
  explicit Once(std::string part) : part_(std::move(part)) {}
  bool MatchAndExplain(const std::string& text, testing::MatchResultListener*) const override {
    const std::size_t at = text.find(part_);
    return at != std::string::npos && text.find(part_, at + 1) == std::string::npos;
  }
  void DescribeTo(std::ostream* out) const override { *out << "contains once: " << part_; }
  std::string part_;
};

void end_in_two_threads() {
  const Error error(ErrorKind::communication, "rank 1 does not respond");
  const auto end = [&] { end_all_ranks(nullptr, error, {}); };
  std::thread other(end);
  end();
}

TEST(EndOfAllRanks, IsReportedOnceWhereTwoThreadsMissARank) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const int status = exit_status_of(Error(ErrorKind::communication, ""));
  EXPECT_EXIT(end_in_two_threads(), testing::ExitedWithCode(status),
              testing::Matcher<const std::string&>(new Once("does not respond")));
}

}  // namespace
}  // namespace watersmeet::launch
