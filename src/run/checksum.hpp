#pragma once
// CRC-32 as in Ethernet, zip and Python's zlib.crc32 (reflected polynomial 0xEDB88320): whoever
// reads our files can check them with what every language has.

#include <cstddef>
#include <cstdint>

namespace watersmeet::run {

// Checksum of the bytes, continued from the checksum of the bytes before them (0 at the start).
std::uint32_t crc32(const void* bytes, std::size_t count, std::uint32_t before = 0);

}  // namespace watersmeet::run
