#pragma once
// Elementary functions that pointwise physics may call, on scalars here and on SIMD packs in
// core/pack.hpp. Physics never branches on a value: it selects. RealOf<T> is the scalar inside a
// number type.

#include <cmath>
#include <limits>

#include "core/host_device.hpp"

namespace watersmeet {

template <class T>
struct RealOfType {
  using type = typename T::value_type;
};
template <>
struct RealOfType<float> {
  using type = float;
};
template <>
struct RealOfType<double> {
  using type = double;
};
template <class T>
using RealOf = typename RealOfType<T>::type;

WM_HD float select(bool mask, float a, float b) { return mask ? a : b; }
WM_HD double select(bool mask, double a, double b) { return mask ? a : b; }
WM_HD float min_(float a, float b) { return a < b ? a : b; }
WM_HD double min_(double a, double b) { return a < b ? a : b; }
WM_HD float max_(float a, float b) { return a > b ? a : b; }
WM_HD double max_(double a, double b) { return a > b ? a : b; }
WM_HD float abs_(float a) { return fabsf(a); }
WM_HD double abs_(double a) { return fabs(a); }
WM_HD float sqrt_(float a) { return sqrtf(a); }
WM_HD double sqrt_(double a) { return sqrt(a); }
WM_HD float exp_(float a) { return expf(a); }
WM_HD double exp_(double a) { return exp(a); }
WM_HD float cbrt_(float a) { return cbrtf(a); }
WM_HD double cbrt_(double a) { return cbrt(a); }
WM_HD float log_(float a) { return logf(a); }
WM_HD double log_(double a) { return log(a); }

// a^b of a > 0; exactly 1 for a = 1, also on packs.
WM_HD float pow_(float a, float b) { return powf(a, b); }
WM_HD double pow_(double a, double b) { return pow(a, b); }

// a b + c in one rounding where the processor has such an instruction, else in two. Physics whose
// bits must depend on its source alone (one function inlined into several loops) writes it out and
// is compiled without contraction (cmake/layers.cmake).
WM_HD float fma_(float a, float b, float c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
WM_HD double fma_(double a, double b, double c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// 1 / a and the square root of a > 0, to within two units in the last place: on a GPU one
// approximate instruction in single precision (denormal numbers count as 0), and one with Newton
// steps in double, a third of the instructions of the correctly rounded ones. Of 0 and denormal
// numbers a GPU gives infinity or NaN in double, and 1 / a is infinity in single precision: what may
// underflow is compared with least_normal before.
template <class R>
inline constexpr R least_normal = std::numeric_limits<R>::min();
WM_HD float rcp_(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return 1.0f / a;
#endif
}
WM_HD double rcp_(double a) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  r = fma_(r, fma_(-a, r, 1.0), r);
  return fma_(r, fma_(-a, r, 1.0), r);
#else
  return 1.0 / a;
#endif
}
WM_HD float root_(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return sqrtf(a);
#endif
}
WM_HD double root_(double a) {
#if defined(__CUDA_ARCH__)
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  double root = a * y, half = 0.5 * y;
  const double e = fma_(-root, half, 0.5);
  root = fma_(root, e, root);
  half = fma_(half, e, half);
  return fma_(fma_(-root, root, a), half, root);
#else
  return sqrt(a);
#endif
}

// max_(a, 0) and min_(a, 0). nvcc makes instructions for the maximum of what is compared with a
// constant, which in double precision are two to three times as many as those of a selection.
template <class T>
WM_HD T max_zero(const T& a) {
  return max_(a, T(RealOf<T>(0)));
}
template <class T>
WM_HD T min_zero(const T& a) {
  return min_(a, T(RealOf<T>(0)));
}
WM_HD double max_zero(double a) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("{ .reg .pred p; setp.gt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; }"
      : "=d"(r)
      : "d"(a), "d"(0.0));
  return r;
#else
  return max_(a, 0.0);
#endif
}
WM_HD double min_zero(double a) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; }"
      : "=d"(r)
      : "d"(a), "d"(0.0));
  return r;
#else
  return min_(a, 0.0);
#endif
}

// Logic on the masks that comparisons give: bool, or a mask of packs.
WM_HD bool and_(bool a, bool b) { return a && b; }
WM_HD bool or_(bool a, bool b) { return a || b; }
WM_HD bool not_(bool a) { return !a; }

// Larger of two values, keeping a NaN of either once it has appeared: the health test rides on the
// maximum that the time step needs anyway.
template <class R>
WM_HD R max_or_nan(R largest, R x) {
  return (x > largest || x != x) ? x : largest;
}

// Reads one T (a scalar, or as many neighbours as a pack holds) from an array of scalars.
template <class T>
struct Load {
  WM_HD static T from(const T* p) { return *p; }
};
template <class T>
WM_HD T load_as(const RealOf<T>* p) {
  return Load<T>::from(p);
}

// Writes the first `lanes` values of one T; a scalar has one.
template <class T>
struct Store {
  WM_HD static void to(T* p, const T& value, int) { *p = value; }
};
template <class T>
WM_HD void store_lanes(RealOf<T>* p, const T& value, int lanes) {
  Store<T>::to(p, value, lanes);
}

template <class T>
WM_HD T sq(T a) {
  return a * a;
}

}  // namespace watersmeet
