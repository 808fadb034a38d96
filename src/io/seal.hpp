#pragma once
// A seal at the end of a file: its size and a CRC-32 of all bytes outside given ranges (the arrays,
// which carry checksums of their own). It is verified before a library parses the file, because
// HDF5 1.10 can crash on damaged metadata. HDF5 readers ignore bytes after the end of their data.
//
//     file bytes ... | size=9728 skip=2048+480,4096+240 crc32=0a1b2c3d\n | sealed 00000070\n
//
// The number of the last line counts the bytes of both lines.

#include <cstdint>
#include <string>
#include <vector>

namespace watersmeet::io {

struct ByteRange {
  std::uint64_t first, count;
};

// Appends the seal; the ranges are increasing and do not overlap. Error{io}.
void seal_file(const std::string& path, const std::vector<ByteRange>& skipped);

// Throws Error{io} unless the file ends in a seal that fits its bytes.
void check_seal(const std::string& path);

}  // namespace watersmeet::io
