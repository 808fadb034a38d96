// Packing regions into messages and unpacking them elsewhere is the same as copying them, whatever
// their orientation.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/ghost.hpp"
#include "exec/ghost_region.hpp"
#include "support/turned_regions.hpp"
#include "support/view.hpp"

namespace watersmeet {
namespace {

template <class R>
class GhostMessages : public testing::Test {
 public:
  static constexpr Precision precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(GhostMessages, Precisions);

TYPED_TEST(GhostMessages, PackingAndUnpackingEqualsCopying) {
  using R = TypeParam;
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const int variables = 1 + static_cast<int>(seed % 5);
    const Queue queue{Backend::cpu, nullptr, 1 + static_cast<int>(seed % 3)};
    const test::TurnedRegions regions(seed, 20);
    memory::State state = regions.make_state(variables, this->precision, queue);
    const auto copies = regions.copies(state);
    const test::Halves halves(copies, variables);
    const std::vector<R> before = regions.values<R>(state);
    const std::vector<R> expected = regions.copied(state, before);
    ASSERT_NE(before, expected);
    const int count = static_cast<int>(copies.size());

    std::vector<R> direct = before;
    exec::fill_ghosts(direct.data(), nullptr, this->precision, copies.data(), count, halves.cells,
                      variables, exec::GhostAction::copy, queue);
    EXPECT_EQ(direct, expected);

    std::vector<R> message(static_cast<std::size_t>(halves.elements) + 3, R(0.25));
    std::vector<R> sender = before, receiver = before;
    exec::fill_ghosts(sender.data(), message.data(), this->precision, halves.pack.data(), count,
                      halves.cells, variables, exec::GhostAction::copy, queue);
    EXPECT_EQ(sender, before);
    // [variable][k][j][i] of the target's axes, nothing outside.
    const test::View<R> source =
        test::make_view<R>(sender.data(), state.layout(regions.source_block));
    std::size_t at = 7;
    for (const test::TurnedRegion& region : regions.regions) {
      for (int v = 0; v < variables; ++v) {
        region.for_each([&](const Index3& o) {
          const Index3 s = region.source(o);
          ASSERT_EQ(message[at++], source(v, s[0], s[1], s[2]));
        });
      }
    }
    EXPECT_EQ(std::count(message.begin(), message.end(), R(0.25)), 7 + 3);

    std::fill(sender.begin(), sender.end(), R(0));
    exec::fill_ghosts(receiver.data(), message.data(), this->precision, halves.unpack.data(), count,
                      halves.cells, variables, exec::GhostAction::copy, queue);
    EXPECT_EQ(receiver, expected);

    exec::fill_ghosts(receiver.data(), nullptr, this->precision, halves.unpack.data(), count,
                      halves.cells, variables, exec::GhostAction::poison, queue);
    for (std::size_t e = 0; e < receiver.size(); ++e) {
      if (expected[e] == before[e]) {
        ASSERT_EQ(receiver[e], before[e]);
      } else {
        ASSERT_TRUE(std::isnan(receiver[e]));
      }
    }
  }
}

TEST(GhostMessage, TheRegistersSideRunsFastest) {
  exec::GhostTransfer copy;  // the target's k is the source's i, downwards; one cell thick in j
  const std::int64_t n[3] = {5, 1, 7}, to[3] = {1, 0, 40}, from[3] = {64, 0, -1};
  for (int a = 0; a < 3; ++a) {
    copy.n[a] = n[a];
    copy.to_stride[a] = to[a];
    copy.from_stride[a] = from[a];
  }
  const exec::GhostTransfer pack = exec::pack_half(copy, 100), unpack = exec::unpack_half(copy, 9);
  EXPECT_EQ(pack.from_stride[0], -1);
  EXPECT_EQ(pack.to_stride[0], 5);
  EXPECT_EQ(pack.n[0], 7);
  EXPECT_EQ(pack.from_stride[1], 64);
  EXPECT_EQ(pack.to_stride[1], 1);
  EXPECT_EQ(pack.n[2], 1);
  EXPECT_EQ(pack.to_stride_var, 35);
  EXPECT_EQ(unpack.to_stride[0], 1);
  EXPECT_EQ(unpack.from_stride[0], 1);
  EXPECT_EQ(unpack.to_stride[1], 40);
  EXPECT_EQ(unpack.from_stride[1], 5);
  EXPECT_EQ(unpack.n[2], 1);
}

TEST(GhostMessage, CellsBeyond32Bits) {
  for (const std::int64_t planes : {std::int64_t{1} << 15, (std::int64_t{1} << 16) + 1}) {
    exec::GhostTransfer r;  // below and above 2^31 cells
    const std::int64_t n[3] = {3, 20000, planes};
    for (int a = 0; a < 3; ++a) {
      r.n[a] = n[a];
      r.to_stride[a] = a == 0 ? 1 : a == 1 ? 100 : 100 * 20000;
      r.from_stride[a] = a == 0 ? 1 << 4 : a == 1 ? -2 : 7;
    }
    for (const Index3 at : {Index3{0, 0, 0}, Index3{2, 19999, planes - 1}, Index3{1, 12345, 32766},
                            Index3{2, 0, planes / 2}, Index3{0, 7, planes - 1}}) {
      const auto found = exec::detail::cell_of(r, (at[2] * n[1] + at[1]) * n[0] + at[0]);
      EXPECT_EQ(found.to, at[0] + 100 * (at[1] + 20000 * at[2]));
      EXPECT_EQ(found.from, 16 * at[0] - 2 * at[1] + 7 * at[2]);
    }
  }
}

}  // namespace
}  // namespace watersmeet
