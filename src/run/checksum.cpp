// CRC-32 eight bytes at a time. Source: Kounavis and Berry, "A systematic approach to building high
// performance software-based CRC generators", ISCC 2005 (slicing by 8). Known answer: "123456789"
// -> cbf43926.
#include "run/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace watersmeet::run {
namespace {

static_assert(std::endian::native == std::endian::little, "the checksum reads little-endian words");

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: remainder of byte b followed by k zero bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t remainder = b;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xEDB88320u : 0u);
    }
    tables[0][b] = remainder;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t shorter = tables[k - 1][b];
      tables[k][b] = (shorter >> 8) ^ tables[0][shorter & 0xFF];
    }
  }
  return tables;
}
constexpr Tables tables = make_tables();

}  // namespace

std::uint32_t crc32(const void* bytes, std::size_t count, std::uint32_t before) {
  const auto* p = static_cast<const unsigned char*>(bytes);
  std::uint32_t crc = ~before;
  for (; count >= 8; count -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    word ^= crc;
    crc = tables[7][word & 0xFF] ^ tables[6][(word >> 8) & 0xFF] ^ tables[5][(word >> 16) & 0xFF] ^
          tables[4][(word >> 24) & 0xFF] ^ tables[3][(word >> 32) & 0xFF] ^
          tables[2][(word >> 40) & 0xFF] ^ tables[1][(word >> 48) & 0xFF] ^ tables[0][word >> 56];
  }
  for (; count > 0; --count, ++p) crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

}  // namespace watersmeet::run
