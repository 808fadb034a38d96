#pragma once
// core/gather.hpp on packs, lane by lane. Included by CPU instantiation files only.

#include "core/gather.hpp"
#include "core/pack.hpp"

namespace watersmeet {

template <class R>
WM_HD Pack<R> floor_(const Pack<R>& a) {
#if defined(__AVX__)
  return Pack<R>::of(detail::floor_of(a.vector()));
#else
  return Pack<R>::of_lanes([&](int lane) { return floor_(a[lane]); });
#endif
}

template <class R>
struct Gather<Pack<R>> {
  using T = Pack<R>;
  WM_HD static T from(const R* table, const T& index) {
    return T::of_lanes([&](int lane) { return table[static_cast<int>(index[lane])]; });
  }
};

}  // namespace watersmeet
