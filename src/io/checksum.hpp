#pragma once
// CRC-32 as in Ethernet, zip and Python's zlib.crc32 (reflected polynomial 0xEDB88320): whoever
// reads our files can check them with what every language has. The checksum of an array can be put
// together from boxes of it, so that several ranks share the work and none needs the others'
// values.

#include <cstddef>
#include <cstdint>

#include "core/types.hpp"

namespace watersmeet::io {

// Checksum of the bytes, continued from the checksum of the bytes before them (0 at the start).
std::uint32_t crc32(const void* bytes, std::size_t count, std::uint32_t before = 0);

// The array of n cells lies in a file as [k][j][i], `cell_bytes` bytes each. What a box of it (its
// values contiguous, in the same order) adds to the array's checksum: the exclusive or of the parts
// of all boxes, given to crc32_of_parts(), is crc32() of the whole array.
std::uint32_t crc32_part(const void* values, const Index3& n, const Box& box,
                         std::size_t cell_bytes);
std::uint32_t crc32_of_parts(std::uint32_t parts, std::uint64_t array_bytes);

}  // namespace watersmeet::io
