// The writer thread: order, bounds, errors on the caller's thread.
#include "io/writer.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "support/temporary.hpp"

namespace watersmeet::io {
namespace {

TEST(Writer, JobsRunInOrderOnAnotherThread) {
  std::vector<int> order;
  const auto caller = std::this_thread::get_id();
  Writer writer(3);
  for (int job = 0; job < 100; ++job) {
    writer.submit([&order, job, caller] {
      EXPECT_NE(std::this_thread::get_id(), caller);
      order.push_back(job);
    });
  }
  writer.drain();
  ASSERT_EQ(order.size(), 100u);
  for (int job = 0; job < 100; ++job) EXPECT_EQ(order[static_cast<std::size_t>(job)], job);
  EXPECT_EQ(writer.pending(), 0u);
}

TEST(Writer, SubmitWaitsWhileTheQueueIsFull) {
  std::atomic<bool> open = false;
  std::atomic<bool> taken = false;
  Writer writer(2);
  writer.submit([&] {
    while (!open) std::this_thread::yield();
  });
  while (writer.pending() != 1) std::this_thread::yield();
  writer.submit([] {});
  writer.submit([] {});
  std::thread fourth([&] {
    writer.submit([] {});
    taken = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(taken);
  EXPECT_LE(writer.pending(), 3u);
  open = true;
  fourth.join();
  EXPECT_TRUE(taken);
  writer.drain();
}

TEST(Writer, AnErrorComesOnceOnTheCallersThread) {
  Writer writer(8);
  writer.submit([] { throw Error(ErrorKind::io, "first"); });
  while (writer.pending() > 0) std::this_thread::yield();
  bool refused_ran = false;
  EXPECT_EQ(message_of(ErrorKind::io, [&] { writer.submit([&] { refused_ran = true; }); }),
            "first");
  EXPECT_NO_THROW(writer.drain());
  EXPECT_FALSE(refused_ran);
}

TEST(Writer, EndFinishesTheJobsAndDoesNotThrow) {
  int done = 0;
  {
    Writer writer(8);
    for (int job = 0; job < 5; ++job) {
      writer.submit([&done] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ++done;
      });
    }
    writer.submit([] { throw Error(ErrorKind::io, "nobody asks"); });
  }
  EXPECT_EQ(done, 5);
}

TEST(Writer, JobsBehindAFailureAreDropped) {
  Writer writer(8);
  std::atomic<bool> open = false;
  int later = 0;
  writer.submit([&] {
    while (!open) std::this_thread::yield();
    throw Error(ErrorKind::io, "first");
  });
  for (int job = 0; job < 3; ++job) writer.submit([&] { ++later; });
  open = true;
  EXPECT_EQ(message_of(ErrorKind::io, [&] { writer.drain(); }), "first");
  EXPECT_EQ(writer.pending(), 0u);
  // The failure has been told; what comes later is dropped all the same.
  writer.submit([&] { ++later; });
  EXPECT_NO_THROW(writer.drain());
  EXPECT_EQ(later, 0);
}

TEST(Writer, AFullQueueOfDroppedJobsGoesOn) {
  Writer writer(1);
  writer.submit([] { throw Error(ErrorKind::io, "first"); });
  EXPECT_EQ(message_of(ErrorKind::io, [&] { writer.drain(); }), "first");
  for (int job = 0; job < 20; ++job) writer.submit([] { FAIL() << "was dropped"; });
  EXPECT_NO_THROW(writer.drain());
}

TEST(Writer, InlineJobsRunInSubmitOnTheCallersThread) {
  Writer writer(1, true);
  const auto caller = std::this_thread::get_id();
  int done = 0;
  for (int job = 0; job < 3; ++job) {
    writer.submit([&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++done;
    });
    EXPECT_EQ(done, job + 1);
  }
  EXPECT_EQ(
      message_of(ErrorKind::io, [&] { writer.submit([] { throw Error(ErrorKind::io, "now"); }); }),
      "now");
  EXPECT_NO_THROW(writer.drain());
}

}  // namespace
}  // namespace watersmeet::io
