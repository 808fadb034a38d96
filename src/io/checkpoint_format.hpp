#pragma once
// Private to the checkpoint's writer and reader: what both must agree on.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::io {

inline constexpr const char* checkpoint_format = "watersmeet checkpoint";
inline constexpr std::int64_t checkpoint_version = 1;

// Checksum of everything that is not an array's value: bits of the reals, integers, texts, sizes
// and array names (sorted).
std::uint32_t state_checksum(const Index3& n, const std::vector<std::string>& names,
                             const std::map<std::string, double>& reals,
                             const std::map<std::string, std::int64_t>& integers,
                             const std::map<std::string, std::string>& texts);

}  // namespace watersmeet::io
