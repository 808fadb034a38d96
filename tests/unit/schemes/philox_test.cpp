// Philox4x32-10 against the generator's own library and its published known answers.
#include <Random123/philox.h>
#undef philox4x32  // the oracle's C interface is a macro of the same name
#include <gtest/gtest.h>

#include <random>

#include "schemes/philox.hpp"

using namespace watersmeet::schemes;

namespace {
void expect_words(const Philox4& got, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                  std::uint32_t d) {
  EXPECT_EQ(got.v[0], a);
  EXPECT_EQ(got.v[1], b);
  EXPECT_EQ(got.v[2], c);
  EXPECT_EQ(got.v[3], d);
}
}  // namespace

TEST(Philox, KnownAnswersOfTheAuthors) {
  expect_words(philox4x32(Philox4{{0, 0, 0, 0}}, 0, 0), 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu,
               0x9b00dbd8u);
  const std::uint32_t f = 0xffffffffu;
  expect_words(philox4x32(Philox4{{f, f, f, f}}, f, f), 0x408f276du, 0x41c83b0eu, 0xa20bc7c6u,
               0x6d5451fdu);
  expect_words(philox4x32(Philox4{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
                          0xa4093822u, 0x299f31d0u),
               0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u);
}

TEST(Philox, AgreesWithRandom123OnManyKeysAndCounters) {
  std::mt19937 generator(11);
  r123::Philox4x32 oracle;
  for (int trial = 0; trial < 20000; ++trial) {
    r123::Philox4x32::ctr_type counter;
    r123::Philox4x32::key_type key;
    for (std::size_t w = 0; w < 4; ++w) counter[w] = static_cast<std::uint32_t>(generator());
    for (std::size_t w = 0; w < 2; ++w) key[w] = static_cast<std::uint32_t>(generator());
    const auto expected = oracle(counter, key);
    expect_words(
        philox4x32(Philox4{{counter[0], counter[1], counter[2], counter[3]}}, key[0], key[1]),
        expected[0], expected[1], expected[2], expected[3]);
  }
}

TEST(Philox, SeedIsTheKeyAndIndexTheLowHalfOfTheCounter) {
  const std::uint64_t seed = 0x0123456789abcdefull, index = 0xfedcba9876543210ull;
  r123::Philox4x32 oracle;
  const r123::Philox4x32::ctr_type counter = {{0x76543210u, 0xfedcba98u, 0u, 0u}};
  const r123::Philox4x32::key_type key = {{0x89abcdefu, 0x01234567u}};
  const auto expected = oracle(counter, key);
  expect_words(philox4x32(seed, index), expected[0], expected[1], expected[2], expected[3]);
}

TEST(Philox, UnitIntervalIsOpen) {
  EXPECT_GT(to_unit_interval(0u), 0.0);
  EXPECT_LT(to_unit_interval(0xffffffffu), 1.0);
  EXPECT_DOUBLE_EQ(to_unit_interval(0x80000000u), 0.5 + 0.5 / 4294967296.0);
}
