// Where the numbers of coarse grids lie in the shared memory of a cluster of thread blocks.
#include "systems/aerodynamics/scheme/coarse_program.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace watersmeet;
using aerodynamics::ProgramPlan;
using aerodynamics::ProgramShare;

namespace {

// Every third node is a side; the n-th one has n % 3 + 1 surfaces.
struct Lists {
  std::vector<std::int32_t> nodes, first{0};

  explicit Lists(std::int32_t count) {
    for (std::int32_t node = 0; node < count; node += 3) {
      first.push_back(first.back() + static_cast<std::int32_t>(nodes.size()) % 3 + 1);
      nodes.push_back(node);
    }
  }
};

ProgramPlan plan_of(const std::vector<std::int64_t>& sizes, const std::vector<Lists>& lists,
                    int blocks, std::size_t bytes) {
  std::vector<aerodynamics::ProgramGridSize> grids;
  for (std::size_t g = 0; g < sizes.size(); ++g) {
    grids.push_back({sizes[g], lists[g].nodes, lists[g].first});
  }
  return aerodynamics::plan_program(grids, 2, sizeof(double), {blocks, bytes});
}

}  // namespace

TEST(CoarseProgram, EveryNodeHasAPlaceOfItsOwn) {
  const std::vector<std::int64_t> sizes{2201, 633, 129, 128, 1};
  std::vector<Lists> lists;
  for (const std::int64_t n : sizes) lists.emplace_back(static_cast<std::int32_t>(n));
  for (const int blocks : {7, 8}) {
    const ProgramPlan plan = plan_of(sizes, lists, blocks, 227 * 1024);
    ASSERT_EQ(plan.shares.size(), sizes.size());
    EXPECT_EQ(plan.blocks, blocks);
    EXPECT_LE(plan.bytes, 227 * 1024);
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const ProgramShare& s = plan.shares[g];
      std::set<std::uint32_t> places;
      for (std::int64_t node = 0; node < sizes[g]; ++node) {
        const std::uint32_t at = s.location(node), rank = at >> ProgramShare::slot_bits,
                            slot = at & ((1u << ProgramShare::slot_bits) - 1);
        ASSERT_LT(rank, static_cast<std::uint32_t>(blocks));
        ASSERT_LT(slot, static_cast<std::uint32_t>(s.chunk));
        ASSERT_EQ(rank * static_cast<std::uint32_t>(s.chunk) + slot, node);
        ASSERT_TRUE(places.insert(at).second);
        if (sizes[g] <= 128) {
          ASSERT_EQ(rank, 0u);
        }
        // A side is in the list of the thread block that has its node.
        if (node % 3 == 0) {
          ASSERT_GE(node / 3, s.first_side[rank]);
          ASSERT_LT(node / 3, s.first_side[rank + 1]);
        }
      }
      EXPECT_EQ(s.first_side[0], 0);
      EXPECT_EQ(s.first_side[blocks], static_cast<std::int32_t>(lists[g].nodes.size()));
      EXPECT_EQ(s.numbers % 16, 0);
      // Numbers, neighbours, sides and surfaces one after the other.
      const auto numbers = static_cast<std::int32_t>(sizeof(double)) * s.chunk *
                           (ProgramShare::area + 2 * ProgramShare::area_size);
      EXPECT_GE(s.neighbours - s.numbers, numbers);
      EXPECT_LT(s.neighbours - s.numbers, numbers + 16);
      EXPECT_EQ(s.sides - s.neighbours, 16 * s.chunk);
      const std::int32_t end =
          g + 1 < sizes.size() ? plan.shares[g + 1].numbers : static_cast<std::int32_t>(plan.bytes);
      for (int block = 0; block < blocks; ++block) {
        const std::int32_t first = s.first_side[block], last = s.first_side[block + 1];
        const auto surfaces = lists[g].first[static_cast<std::size_t>(last)] -
                              lists[g].first[static_cast<std::size_t>(first)];
        EXPECT_GE(s.surfaces - s.sides,
                  (last - first) * static_cast<std::int32_t>(sizeof(aerodynamics::ProgramSide)));
        EXPECT_GE(end - s.surfaces,
                  surfaces * static_cast<std::int32_t>(sizeof(aerodynamics::Surface)));
      }
    }
  }
}

TEST(CoarseProgram, GridsThatFindNoRoomAreRefused) {
  const std::vector<Lists> lists{Lists(4096)};
  EXPECT_FALSE(plan_of({4096}, lists, 8, 227 * 1024).shares.empty());
  EXPECT_TRUE(plan_of({4096}, lists, 4, 227 * 1024).shares.empty());
  // More nodes in a thread block than a location tells.
  EXPECT_TRUE(plan_of({8193}, {Lists(8193)}, 8, std::size_t{1} << 30).shares.empty());
}
