// Free memory of a host and of control groups, from files as the kernel writes them.
#include "core/host_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "support/temporary.hpp"

namespace watersmeet {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

class HostMemory : public Folder {
 protected:
  HostMemory() { file("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"); }

  void file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(in(name)).parent_path());
    put_bytes(in(name), text);
  }
  void number(const std::string& name, std::size_t bytes) const {
    file(name, std::to_string(bytes) + "\n");
  }
  std::size_t free() const { return free_host_bytes(in("proc"), in("groups")); }
};

TEST_F(HostMemory, IsWhatTheKernelCallsAvailable) { EXPECT_EQ(free(), 4096 * mib); }

TEST_F(HostMemory, IsWithoutLimitWhereNothingIsKnown) {
  EXPECT_EQ(free_host_bytes(in("nothing"), in("nowhere")), std::numeric_limits<std::size_t>::max());
}

TEST_F(HostMemory, IsLimitedByAGroupOfVersionTwo) {
  file("proc/self/cgroup", "0::/job/step\n");
  number("groups/job/step/memory.max", 1000 * mib);
  number("groups/job/step/memory.current", 300 * mib);
  EXPECT_EQ(free(), 700 * mib);
  file("groups/job/step/memory.stat",
       "anon 1\ninactive_file " + std::to_string(100 * mib) + "\nactive_file 7\n");
  EXPECT_EQ(free(), 800 * mib);
}

TEST_F(HostMemory, IsLimitedByTheGroupsAbove) {
  file("proc/self/cgroup", "0::/job/step\n");
  file("groups/job/step/memory.max", "max\n");
  number("groups/job/step/memory.current", 300 * mib);
  number("groups/job/memory.max", 500 * mib);
  number("groups/job/memory.current", 450 * mib);
  EXPECT_EQ(free(), 50 * mib);
}

TEST_F(HostMemory, IsNoneWhereTheGroupHasMore) {
  file("proc/self/cgroup", "0::/job\n");
  number("groups/job/memory.max", 100 * mib);
  number("groups/job/memory.current", 150 * mib);
  EXPECT_EQ(free(), 0u);
}

TEST_F(HostMemory, IsLimitedByAGroupOfVersionOne) {
  file("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/slurm/job\n0::/\n");
  number("groups/memory/slurm/job/memory.limit_in_bytes", 600 * mib);
  number("groups/memory/slurm/job/memory.usage_in_bytes", 200 * mib);
  file("groups/memory/slurm/job/memory.stat",
       "inactive_file 5\ntotal_inactive_file " + std::to_string(50 * mib) + "\n");
  number("groups/memory/memory.limit_in_bytes", 9223372036854771712u);
  number("groups/memory/memory.usage_in_bytes", 900 * mib);
  EXPECT_EQ(free(), 450 * mib);
}

// A container sees its own group as the root, and may have the host's path of it.
TEST_F(HostMemory, IsLimitedByTheRootOfAContainer) {
  file("proc/self/cgroup", "0::/../host/path\n");
  number("groups/memory.max", 64 * mib);
  number("groups/memory.current", 4 * mib);
  EXPECT_EQ(free(), 60 * mib);
}

TEST_F(HostMemory, LargeLimitsChangeNothing) {
  file("proc/self/cgroup", "0::/\nnot a line of this file\n");
  number("groups/memory.max", 9223372036854771712u);
  number("groups/memory.current", 4 * mib);
  EXPECT_EQ(free(), 4096 * mib);
}

TEST(HostBytes, BeginWithAPage) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4097}, std::size_t{5} << 20}) {
    void* const p = host_bytes(bytes);
    ASSERT_NE(p, nullptr);
    std::memset(p, 1, bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) %
                  (bytes < std::size_t{4} << 20 ? 4096 : std::size_t{2} << 20),
              0u);
    std::free(p);
  }
  EXPECT_EQ(host_bytes(std::size_t{1} << 60), nullptr);
}

}  // namespace
}  // namespace watersmeet
