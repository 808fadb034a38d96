// Checksums of arrays from those of boxes, against the plain checksum of the whole.
#include <gtest/gtest.h>

#include <random>

#include "io/checksum.hpp"
#include "support/shared_files.hpp"

namespace watersmeet::io {
namespace {

// The box's own values, contiguous, out of the whole array's.
std::vector<unsigned char> cut_out(const std::vector<unsigned char>& whole, const Index3& n,
                                   const Box& box, std::size_t bytes) {
  std::vector<unsigned char> part;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j) {
      const auto row =
          whole.begin() + ((k * n[1] + j) * n[0] + box.lower[0]) * static_cast<std::int64_t>(bytes);
      part.insert(part.end(), row, row + box.size(0) * static_cast<std::int64_t>(bytes));
    }
  }
  return part;
}

TEST(ChecksumOfParts, IsThatOfTheWhole) {
  std::mt19937 random(3);
  for (unsigned trial = 0; trial < 400; ++trial) {
    const auto length = [&] { return static_cast<std::int64_t>(1 + random() % 12); };
    const Index3 n{length(), length(), length()};
    const std::size_t bytes = std::array<std::size_t, 6>{1, 3, 4, 8, 24, 72}[random() % 6];
    std::vector<unsigned char> whole(static_cast<std::size_t>(n[0] * n[1] * n[2]) * bytes);
    for (unsigned char& b : whole) b = static_cast<unsigned char>(random());
    const int parts = 1 + static_cast<int>(random() % 20);
    std::uint32_t sum = 0;
    for (const Box& box : test::random_boxes(n, parts, trial)) {
      sum ^= crc32_part(cut_out(whole, n, box, bytes).data(), n, box, bytes);
    }
    EXPECT_EQ(crc32_of_parts(sum, whole.size()), crc32(whole.data(), whole.size()))
        << n[0] << "x" << n[1] << "x" << n[2] << " of " << bytes << " bytes in " << parts;
  }
}

TEST(ChecksumOfParts, KnownAnswersAndNothing) {
  const char* const text = "123456789";
  const std::uint32_t left = crc32_part(text, {9, 1, 1}, {{0, 0, 0}, {4, 1, 1}}, 1);
  const std::uint32_t right = crc32_part(text + 4, {9, 1, 1}, {{4, 0, 0}, {9, 1, 1}}, 1);
  EXPECT_EQ(crc32_of_parts(left ^ right, 9), 0xCBF43926u);  // CRC-32/ISO-HDLC's check value
  EXPECT_EQ(crc32_part(nullptr, {9, 1, 1}, Box{}, 1), 0u);
  EXPECT_EQ(crc32_of_parts(0, 0), 0u);
  // P is primitive: x has the order 2^32 - 1, so that many bytes of zeros multiply by 1. Twice as
  // many show that lengths are not cut to 32 bits.
  const std::int64_t turns = 2 * ((std::int64_t{1} << 32) - 1);
  const std::uint32_t alone = crc32_part("x", {1, 1, 1}, {{0, 0, 0}, {1, 1, 1}}, 1);
  const Index3 n{1, turns / 6 + 1, 6};  // 6 more cells than that
  EXPECT_EQ(crc32_part("x", n, {{0, 5, 0}, {1, 6, 1}}, 1), alone);
  EXPECT_EQ(crc32_of_parts(alone, static_cast<std::uint64_t>(turns) + 1), crc32("x", 1));
}

}  // namespace
}  // namespace watersmeet::io
