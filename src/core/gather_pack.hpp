#pragma once
// core/gather.hpp on packs, lane by lane. Included by CPU instantiation files only.

#include "core/gather.hpp"
#include "core/pack.hpp"

namespace watersmeet {

template <class R, class Abi>
WM_HD stdx::simd<R, Abi> floor_(const stdx::simd<R, Abi>& a) {
  return stdx::floor(a);
}

template <class R, class Abi>
struct Gather<stdx::simd<R, Abi>> {
  using T = stdx::simd<R, Abi>;
  WM_HD static T from(const R* table, const T& index) {
    return T([&](auto lane) { return table[static_cast<int>(R(index[lane]))]; });
  }
};

}  // namespace watersmeet
