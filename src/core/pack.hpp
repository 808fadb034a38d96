#pragma once
// Pack<R>: as many neighbouring points in x as one vector register of this CPU holds, as
// std::experimental::simd (libstdc++'s implementation of ISO/IEC TS 19570:2018, section 9).
// Included by CPU instantiation files only, so nvcc never meets vector extensions. Explicit packs,
// because g++ 12 does not vectorise the loop over points of a kernel whose body holds small arrays
// of states.

#include <cstdint>
#include <experimental/simd>

#include "core/math.hpp"

namespace watersmeet {

namespace stdx = std::experimental;

template <class R>
using Pack = stdx::native_simd<R>;

template <class R, class Abi>
struct Load<stdx::simd<R, Abi>> {
  WM_HD static stdx::simd<R, Abi> from(const R* p) {
    return stdx::simd<R, Abi>(p, stdx::element_aligned);
  }
};

// Stores the first `lanes` values; all of them in the usual case.
template <class R>
WM_HD void store_pack(R* p, const Pack<R>& v, std::int64_t lanes) {
  if (lanes >= static_cast<std::int64_t>(Pack<R>::size())) {
    v.copy_to(p, stdx::element_aligned);
  } else {
    for (std::int64_t l = 0; l < lanes; ++l) p[l] = v[static_cast<std::size_t>(l)];
  }
}

template <class R, class Abi>
WM_HD stdx::simd<R, Abi> select(const stdx::simd_mask<R, Abi>& mask, const stdx::simd<R, Abi>& a,
                                const stdx::simd<R, Abi>& b) {
  stdx::simd<R, Abi> r = b;
  stdx::where(mask, r) = a;
  return r;
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> max_or_nan(const stdx::simd<R, Abi>& largest,
                                    const stdx::simd<R, Abi>& x) {
  stdx::simd<R, Abi> r = largest;
  stdx::where(x > largest || x != x, r) = x;
  return r;
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> min_(const stdx::simd<R, Abi>& a, const stdx::simd<R, Abi>& b) {
  return stdx::min(a, b);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> max_(const stdx::simd<R, Abi>& a, const stdx::simd<R, Abi>& b) {
  return stdx::max(a, b);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> abs_(const stdx::simd<R, Abi>& a) {
  return stdx::abs(a);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> sqrt_(const stdx::simd<R, Abi>& a) {
  return stdx::sqrt(a);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> exp_(const stdx::simd<R, Abi>& a) {
  return stdx::exp(a);
}

}  // namespace watersmeet
