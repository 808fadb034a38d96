#pragma once
// Pack<R>: as many neighbouring points in x as one vector register of this CPU holds, as
// std::experimental::simd (libstdc++'s implementation of ISO/IEC TS 19570:2018, section 9).
// Included by CPU instantiation files only, so nvcc never meets vector extensions. Explicit packs,
// because g++ 12 does not vectorise the loop over points of a kernel whose body holds small arrays
// of states.

#include <cstdint>
#include <experimental/simd>
#include <type_traits>
#if defined(__FMA__)
#include <immintrin.h>
#endif

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
template <class R, class Abi>
WM_HD void store_pack(R* p, const stdx::simd<R, Abi>& v, std::int64_t lanes) {
  if (lanes >= static_cast<std::int64_t>(v.size())) {
    v.copy_to(p, stdx::element_aligned);
  } else {
    for (std::int64_t l = 0; l < lanes; ++l) p[l] = v[static_cast<std::size_t>(l)];
  }
}

template <class R, class Abi>
struct Store<stdx::simd<R, Abi>> {
  WM_HD static void to(R* p, const stdx::simd<R, Abi>& value, int lanes) {
    store_pack(p, value, lanes);
  }
};

// What a loop over packs asks of its number type, for packs and for scalars: the latter are packs
// of one, so that the same loop can be run without vector instructions.
template <class T>
struct Lanes {
  static constexpr int count = 1;
  static T number() { return T(0); }  // 0, 1, 2 ... of the lanes
  static T sum(const T& v) { return v; }
  static T one(const T& v, int) { return v; }
  static void clear_from(T& v, int first) {
    if (first < 1) v = T(0);
  }
};
template <class R, class Abi>
struct Lanes<stdx::simd<R, Abi>> {
  using T = stdx::simd<R, Abi>;
  static constexpr int count = static_cast<int>(T::size());
  static T number() {
    return T([](auto lane) { return R(int(lane)); });
  }
  static R sum(const T& v) { return stdx::reduce(v); }
  static R one(const T& v, int lane) { return v[static_cast<std::size_t>(lane)]; }
  static void clear_from(T& v, int first) {
    for (int l = first; l < count; ++l) v[static_cast<std::size_t>(l)] = R(0);
  }
};
template <class T>
WM_HD void store_all(RealOf<T>* p, const T& v) {
  if constexpr (Lanes<T>::count == 1) {
    *p = v;
  } else {
    v.copy_to(p, stdx::element_aligned);
  }
}
WM_HD void store_pack(float* p, float v, std::int64_t lanes) {
  if (lanes > 0) *p = v;
}
WM_HD void store_pack(double* p, double v, std::int64_t lanes) {
  if (lanes > 0) *p = v;
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
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> cbrt_(const stdx::simd<R, Abi>& a) {
  return stdx::cbrt(a);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> log_(const stdx::simd<R, Abi>& a) {
  return stdx::log(a);
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> pow_(const stdx::simd<R, Abi>& a, R b) {
  return stdx::exp(b * stdx::log(a));
}

// libstdc++ 12 computes std::experimental::fma lane by lane: the instruction is named here.
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> fma_(const stdx::simd<R, Abi>& a, const stdx::simd<R, Abi>& b,
                              const stdx::simd<R, Abi>& c) {
  using T = stdx::simd<R, Abi>;
  [[maybe_unused]] constexpr std::size_t bytes = T::size() * sizeof(R);
  [[maybe_unused]] constexpr bool is_double = std::is_same_v<R, double>;
#if defined(__AVX512F__)
  if constexpr (bytes == 64 && is_double) {
    return T(
        _mm512_fmadd_pd(static_cast<__m512d>(a), static_cast<__m512d>(b), static_cast<__m512d>(c)));
  } else if constexpr (bytes == 64) {
    return T(
        _mm512_fmadd_ps(static_cast<__m512>(a), static_cast<__m512>(b), static_cast<__m512>(c)));
  }
#endif
#if defined(__FMA__)
  if constexpr (bytes == 32 && is_double) {
    return T(
        _mm256_fmadd_pd(static_cast<__m256d>(a), static_cast<__m256d>(b), static_cast<__m256d>(c)));
  } else if constexpr (bytes == 32) {
    return T(
        _mm256_fmadd_ps(static_cast<__m256>(a), static_cast<__m256>(b), static_cast<__m256>(c)));
  }
#endif
  return a * b + c;
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> rcp_(const stdx::simd<R, Abi>& a) {
  return R(1) / a;
}
template <class R, class Abi>
WM_HD stdx::simd<R, Abi> root_(const stdx::simd<R, Abi>& a) {
  return stdx::sqrt(a);
}
template <class R, class Abi>
WM_HD stdx::simd_mask<R, Abi> and_(const stdx::simd_mask<R, Abi>& a,
                                   const stdx::simd_mask<R, Abi>& b) {
  return a && b;
}
template <class R, class Abi>
WM_HD stdx::simd_mask<R, Abi> or_(const stdx::simd_mask<R, Abi>& a,
                                  const stdx::simd_mask<R, Abi>& b) {
  return a || b;
}
template <class R, class Abi>
WM_HD stdx::simd_mask<R, Abi> not_(const stdx::simd_mask<R, Abi>& a) {
  return !a;
}

}  // namespace watersmeet
