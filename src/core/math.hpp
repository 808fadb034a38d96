#pragma once
// Elementary functions that pointwise physics may call, on scalars here and on SIMD packs in
// core/pack.hpp. Physics never branches on a value: it selects. RealOf<T> is the scalar inside a
// number type.

#include <cmath>

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

template <class T>
WM_HD T sq(T a) {
  return a * a;
}

}  // namespace watersmeet
