#pragma once
// What a file is by its first bytes, for messages about files given to the wrong reader.

#include <string>
#include <string_view>

namespace watersmeet::mesh {

// Longest beginning that kind_of_file() looks at, in bytes.
constexpr std::size_t file_kind_bytes = 4096;

// "an HDF5 file", "an ADF file", "a neutral map file (NMF)", "a gzip archive" and so on, or "" where
// the beginning of `content` is of none of the kinds known here (Plot3D has no signature). Signatures
// are those of the formats' specifications.
std::string kind_of_file(std::string_view content);

// Containers that CGNS files are written in.
bool may_be_cgns(const std::string& kind);

}  // namespace watersmeet::mesh
