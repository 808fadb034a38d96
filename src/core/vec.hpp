#pragma once
// Fixed-length vectors of values of the number type T (a scalar, a SIMD pack, a register pack): the
// state of one point.

#include "core/host_device.hpp"

namespace watersmeet {

template <class T, int N>
struct Vec {
  T v[N];
  static constexpr int size = N;
  WM_HD T& operator[](int i) { return v[i]; }
  WM_HD const T& operator[](int i) const { return v[i]; }
};

template <class T>
struct Vec<T, 0> {
  static constexpr int size = 0;
};

template <class T>
WM_HD T dot(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
WM_HD Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

}  // namespace watersmeet
