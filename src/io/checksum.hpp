#pragma once
// CRC-32 as in Ethernet, zip and Python's zlib.crc32 (reflected polynomial 0xEDB88320), so that
// other programs can check our files with common libraries. The checksum of an array can be
// combined from those of boxes of it: several ranks share the work, and none needs the values of
// another.

#include <cstddef>
#include <cstdint>

#include "core/types.hpp"

namespace watersmeet::io {

// Checksum of the bytes, continued from the checksum of the bytes before them (0 at the start).
std::uint32_t crc32(const void* bytes, std::size_t count, std::uint32_t before = 0);

// The part of a box in the checksum of an array of n cells, [k][j][i], of `cell_bytes` bytes each.
// `values`: those of the box alone, contiguous, in the same order. The exclusive or of the parts of
// all boxes, given to crc32_of_parts(), is crc32() of the whole array.
std::uint32_t crc32_part(const void* values, const Index3& n, const Box& box,
                         std::size_t cell_bytes);
std::uint32_t crc32_of_parts(std::uint32_t parts, std::uint64_t array_bytes);

}  // namespace watersmeet::io
