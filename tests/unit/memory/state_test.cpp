// The state of a run: congruent registers, role swaps, ghost validity, memory prediction, and round
// trips of interiors through packed arrays.
#include "memory/state.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "core/error.hpp"
#include "support/view.hpp"

using namespace watersmeet;
using memory::BlockShape;
using memory::State;

namespace {
const std::vector<BlockShape> blocks = {{{1, 1, 1}, {3, 0, 0}},
                                        {{7, 5, 3}, {3, 3, 3}},
                                        {{17, 1, 2}, {3, 0, 3}},
                                        {{2, 4, 1}, {3, 3, 0}},
                                        {{6, 6, 6}, {3, 3, 3}}};

template <class R>
Precision precision_of() {
  return sizeof(R) == 8 ? Precision::double_ : Precision::single_;
}
}  // namespace

template <class R>
class States : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(States, Precisions);

TYPED_TEST(States, MemoryIsPredictedExactlyAndZeroed) {
  using R = TypeParam;
  for (const int threads : {1, 3}) {
    const State state(blocks, 4, 3, precision_of<R>(), Queue{Backend::cpu, nullptr, threads});
    EXPECT_EQ(State::bytes_needed(blocks, 4, 3, precision_of<R>()), 3 * state.register_bytes());
    std::int64_t elements = 0;
    for (int b = 0; b < state.blocks(); ++b) elements += state.layout(b).elements;
    const std::size_t cells = static_cast<std::size_t>(elements);
    EXPECT_GE(state.register_bytes(),
              cells * sizeof(R) + 64);  // room for a pack behind the last cell
    for (int reg = 0; reg < 3; ++reg) {
      const char* const p = static_cast<const char*>(state.start(reg));
      for (std::size_t byte = 0; byte < state.register_bytes(); ++byte) ASSERT_EQ(p[byte], 0);
    }
  }
}

TYPED_TEST(States, BlocksFollowEachOtherWithoutOverlap) {
  using R = TypeParam;
  const State state(blocks, 4, 1, precision_of<R>(), Queue{});
  std::int64_t start = 0;
  for (int b = 0; b < state.blocks(); ++b) {
    const BlockLayout alone =
        memory::make_layout(blocks[static_cast<std::size_t>(b)], 4, precision_of<R>());
    const BlockLayout& l = state.layout(b);
    EXPECT_EQ(l.first, start + alone.first);
    EXPECT_EQ(l.stride[1], alone.stride[1]);
    EXPECT_EQ(l.stride[2], alone.stride[2]);
    EXPECT_EQ(l.stride_var, alone.stride_var);
    start += alone.elements;
    EXPECT_EQ((reinterpret_cast<std::uintptr_t>(static_cast<R*>(state.start(0)) + l.first)) % 128,
              0u);
  }
}

TYPED_TEST(States, InteriorsRoundTripWithoutTouchingAnythingElse) {
  using R = TypeParam;
  State state(blocks, 3, 2, precision_of<R>(), Queue{});
  for (int b = 0; b < state.blocks(); ++b) {
    const BlockLayout l = state.layout(b);
    const std::size_t count = static_cast<std::size_t>(l.n[0] * l.n[1] * l.n[2]);
    for (int v = 0; v < 3; ++v) {
      const std::size_t words = state.register_bytes() / sizeof(R);
      R* const all = static_cast<R*>(state.start(1));
      std::fill(all, all + words, R(-7));
      std::vector<R> packed(count), back(count);
      for (std::size_t p = 0; p < count; ++p) packed[p] = R(1000 * b + 100 * v) + R(p);
      state.set_valid_ghosts(1, 3);
      memory::copy_interior_from_host(state, 1, b, v, packed.data(), Queue{});
      EXPECT_EQ(state.valid_ghosts(1), 0);
      memory::copy_interior_to_host(state, 1, b, v, back.data(), Queue{});
      EXPECT_EQ(back, packed);
      // Order [k][j][i], seen through a view.
      const test::View<R> view = test::make_view<R>(state.start(1), l);
      std::size_t p = 0;
      for (std::int64_t k = 0; k < l.n[2]; ++k)
        for (std::int64_t j = 0; j < l.n[1]; ++j)
          for (std::int64_t i = 0; i < l.n[0]; ++i) ASSERT_EQ(view(v, i, j, k), packed[p++]);
      std::size_t changed = 0;
      for (std::size_t w = 0; w < words; ++w) changed += all[w] != R(-7);
      EXPECT_EQ(changed, count);
      for (std::size_t w = 0; w < words; ++w) ASSERT_EQ(static_cast<R*>(state.start(0))[w], R(0));
    }
  }
}

// Whole planes, bars, single cells at the corners and a box in the middle, each against a cell by
// cell reading of the layout.
TYPED_TEST(States, BoxesRoundTripWithoutTouchingTheirSurroundings) {
  using R = TypeParam;
  State state(blocks, 2, 1, precision_of<R>(), Queue{});
  R* const all = static_cast<R*>(state.start(0));
  const std::size_t words = state.register_bytes() / sizeof(R);
  for (int b = 0; b < state.blocks(); ++b) {
    const BlockLayout l = state.layout(b);
    const Index3 n{l.n[0], l.n[1], l.n[2]};
    const std::vector<Box> boxes = {
        {{0, 0, 0}, n},
        {{0, 0, n[2] / 2}, n},
        {{0, n[1] / 2, 0}, n},
        {{n[0] / 2, 0, 0}, n},
        {{n[0] / 3, n[1] / 3, n[2] / 3}, {n[0] / 3 + 1, n[1] / 3 + 1, n[2] / 3 + 1}},
        {{n[0] - 1, n[1] - 1, n[2] - 1}, n},
        {{0, 0, 0}, {1, 1, 1}}};
    for (const Box& box : boxes) {
      std::fill(all, all + words, R(-7));
      std::vector<R> packed(static_cast<std::size_t>(box.count())), back(packed.size());
      for (std::size_t p = 0; p < packed.size(); ++p) packed[p] = R(p + 1);
      state.set_valid_ghosts(0, 3);
      memory::copy_box_from_host(state, 0, b, 1, box, packed.data(), Queue{});
      EXPECT_EQ(state.valid_ghosts(0), 0);
      memory::copy_box_to_host(state, 0, b, 1, box, back.data(), Queue{});
      EXPECT_EQ(back, packed);
      const test::View<R> view = test::make_view<R>(state.start(0), l);
      std::size_t p = 0, changed = 0;
      for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
        for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
          for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i)
            ASSERT_EQ(view(1, i, j, k), packed[p++]);
      for (std::size_t w = 0; w < words; ++w) changed += all[w] != R(-7);
      EXPECT_EQ(changed, packed.size());
    }
  }
}

TYPED_TEST(States, SlabsMakeUpTheWhole) {
  using R = TypeParam;
  State state(blocks, 1, 2, precision_of<R>(), Queue{});
  const int b = 4;  // 6 x 6 x 6
  std::vector<R> whole(216), back(216);
  for (std::size_t p = 0; p < whole.size(); ++p) whole[p] = R(p) - R(100);
  for (std::int64_t k = 0; k < 6; k += 4) {  // 4 planes, then the 2 that are left
    const Box slab{{0, 0, k}, {6, 6, std::min<std::int64_t>(k + 4, 6)}};
    memory::copy_box_from_host(state, 0, b, 0, slab, whole.data() + 36 * k, Queue{});
  }
  memory::copy_interior_from_host(state, 1, b, 0, whole.data(), Queue{});
  EXPECT_EQ(std::memcmp(state.start(0), state.start(1), state.register_bytes()), 0);
  memory::copy_interior_to_host(state, 0, b, 0, back.data(), Queue{});
  EXPECT_EQ(back, whole);
}

TEST(State, BoxesThatReachOutAreRefusedAndEmptyOnesDoNothing) {
  State state(blocks, 1, 1, Precision::double_, Queue{});
  std::vector<double> some(216);
  for (const Box& box : {Box{{-1, 0, 0}, {6, 6, 6}}, Box{{0, 0, 0}, {6, 7, 6}}}) {
    EXPECT_THROW(memory::copy_box_from_host(state, 0, 4, 0, box, some.data(), Queue{}), Error);
    EXPECT_THROW(memory::copy_box_to_host(state, 0, 4, 0, box, some.data(), Queue{}), Error);
  }
  state.set_valid_ghosts(0, 3);
  EXPECT_NO_THROW(
      memory::copy_box_from_host(state, 0, 4, 0, {{2, 2, 2}, {2, 4, 4}}, nullptr, Queue{}));
  EXPECT_EQ(state.valid_ghosts(0), 3);
}

TEST(State, SwapExchangesRolesAndTheirGhostValidity) {
  State state(blocks, 1, 3, Precision::double_, Queue{});
  void* const first = state.start(0);
  void* const second = state.start(1);
  void* const third = state.start(2);
  state.set_valid_ghosts(0, 3);
  state.swap(0, 1);
  EXPECT_EQ(state.start(0), second);
  EXPECT_EQ(state.start(1), first);
  EXPECT_EQ(state.start(2), third);
  EXPECT_EQ(state.valid_ghosts(0), 0);
  EXPECT_EQ(state.valid_ghosts(1), 3);
  state.swap(1, 0);
  EXPECT_EQ(state.start(0), first);
  EXPECT_EQ(state.valid_ghosts(0), 3);
}

TEST(State, ReadingDeeperThanTheValidGhostsNamesRegisterAndLayers) {
  State state(blocks, 1, 2, Precision::single_, Queue{});
  EXPECT_NO_THROW(state.require_ghosts(1, 0));
  state.set_valid_ghosts(1, 2);
  EXPECT_NO_THROW(state.require_ghosts(1, 2));
  try {
    state.require_ghosts(1, 3);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::internal);
    EXPECT_STREQ(e.what(), "register 1: 3 ghost layers wanted, 2 valid");
  }
}
