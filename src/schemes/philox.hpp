#pragma once
// Philox4x32-10, a counter-based random number generator: Salmon, Moraes, Dror & Shaw (2011),
// "Parallel random numbers: as easy as 1, 2, 3", SC11. Four 32-bit numbers for every (key,
// counter); the same on every machine, and nothing to save.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::schemes {

struct Philox4 {
  std::uint32_t v[4];
};

WM_HD Philox4 philox4x32(Philox4 counter, std::uint32_t key_0, std::uint32_t key_1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = std::uint64_t{0xD2511F53u} * counter.v[0];
    const std::uint64_t product_1 = std::uint64_t{0xCD9E8D57u} * counter.v[2];
    counter = {{static_cast<std::uint32_t>(product_1 >> 32) ^ counter.v[1] ^ key_0,
                static_cast<std::uint32_t>(product_1),
                static_cast<std::uint32_t>(product_0 >> 32) ^ counter.v[3] ^ key_1,
                static_cast<std::uint32_t>(product_0)}};
    key_0 += 0x9E3779B9u;
    key_1 += 0xBB67AE85u;
  }
  return counter;
}

WM_HD Philox4 philox4x32(std::uint64_t seed, std::uint64_t index) {
  return philox4x32(
      Philox4{{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 0u, 0u}},
      static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

// Middle of one of 2^32 equal parts of (0, 1).
WM_HD double to_unit_interval(std::uint32_t x) { return (x + 0.5) * (1.0 / 4294967296.0); }

}  // namespace watersmeet::schemes
