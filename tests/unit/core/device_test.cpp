// The device interface on the CPU back end: allocation, copies, fills, handles that do nothing.
#include "core/device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "core/arithmetic_lanes.hpp"
#include "core/error.hpp"
#include "memory/buffer.hpp"

using namespace watersmeet;

TEST(DeviceOnCpu, AllocationsAreAlignedAndCopiesExact) {
  const Queue queue;
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{127}, std::size_t{4096}, std::size_t{100003}}) {
    unsigned char* const p = static_cast<unsigned char*>(allocate_bytes(MemorySpace::host, bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 128, 0u);
    std::vector<unsigned char> source(bytes), back(bytes);
    std::iota(source.begin(), source.end(), static_cast<unsigned char>(3));
    copy_bytes(p, source.data(), bytes, queue);
    copy_bytes(back.data(), p, bytes, queue);
    EXPECT_EQ(back, source);
    fill_bytes(p, 0xa5, bytes - 1, queue);
    EXPECT_EQ(p[bytes - 1], source[bytes - 1]);
    if (bytes > 1) {
      EXPECT_EQ(p[bytes - 2], 0xa5);
    }
    free_bytes(MemorySpace::host, p);
  }
  copy_bytes(nullptr, nullptr, 0, queue);
  free_bytes(MemorySpace::host, nullptr);
}

TEST(DeviceOnCpu, TooMuchMemoryIsAResourceErrorNamingTheSize) {
  try {
    allocate_bytes(MemorySpace::host, std::size_t{1} << 60);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::resource);
    EXPECT_NE(std::string(e.what()).find("1073741824"), std::string::npos)
        << e.what();  // 2^60 B = 2^30 GiB
  }
}

TEST(DeviceOnCpu, EventsAndQueuesAreImmediate) {
  Queue queue;
  Event first(queue), second;
  first.record(queue);
  second = std::move(first);
  second.wait();
  second.queue_waits(queue);
  synchronize(queue);
  destroy_queue(queue);
  EXPECT_EQ(queue.backend, Backend::cpu);
  EXPECT_EQ(memory::working_space(Backend::cpu), MemorySpace::host);
  EXPECT_EQ(memory::staging_space(Backend::cpu), MemorySpace::host);
}

TEST(DeviceOnCpu, WithoutCudaEveryRequestForItSaysSo) {
  if (built_with_cuda()) GTEST_SKIP();
  EXPECT_TRUE(cuda_devices().empty());
  EXPECT_EQ(cuda_version(), "none");
  EXPECT_THROW(select_cuda_device(0), Error);
  EXPECT_THROW(make_cuda_queue(), Error);
  EXPECT_THROW(allocate_bytes(MemorySpace::device, 8), Error);
}

TEST(Buffer, OwnsItsMemoryAndMoves) {
  memory::Buffer a(MemorySpace::host, 64), b;
  void* const start = a.start();
  EXPECT_EQ(a.bytes(), 64u);
  b = std::move(a);
  EXPECT_EQ(b.start(), start);
  EXPECT_EQ(b.as<double>(), static_cast<double*>(start));
  const memory::Buffer c(std::move(b));
  EXPECT_EQ(c.start(), start);
  EXPECT_EQ(memory::Buffer(MemorySpace::host, 0).start(), nullptr);
}

TEST(DeviceOnCpu, TimesWorkByTheClockAndKnowsNoPeak) {
  const Queue queue;
  int done = 0;
  const double seconds = seconds_of(queue, [&] {
    ++done;
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  });
  EXPECT_EQ(done, 1);
  EXPECT_GE(seconds, 3e-3);  // a sleep is never shorter than asked for
  EXPECT_EQ(arithmetic_peak(queue, Precision::single_), 0);
}

TEST(ArithmeticLanes, AreThoseOfTheProgrammingGuide) {
  EXPECT_EQ(single_precision_lanes(80), 64);
  EXPECT_EQ(single_precision_lanes(90), 128);
  EXPECT_EQ(single_precision_lanes(999), 0);
}
