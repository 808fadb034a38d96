#pragma once
// Dual numbers v + d e with e^2 = 0: pointwise code run on them gives exact derivatives in one
// direction.

#include "core/math.hpp"

namespace watersmeet::test {

struct Dual {
  using value_type = double;
  double v = 0, d = 0;
  Dual() = default;
  Dual(double value, double derivative = 0) : v(value), d(derivative) {}

  Dual operator-() const { return {-v, -d}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }
};

inline Dual select(bool mask, const Dual& a, const Dual& b) { return mask ? a : b; }
inline Dual min_(const Dual& a, const Dual& b) { return a.v < b.v ? a : b; }
inline Dual max_(const Dual& a, const Dual& b) { return a.v > b.v ? a : b; }
inline Dual abs_(const Dual& a) { return a.v < 0 ? -a : a; }
inline Dual rcp_(const Dual& a) { return {1 / a.v, -a.d / (a.v * a.v)}; }
inline Dual sqrt_(const Dual& a) {
  const double root = std::sqrt(a.v);
  return {root, a.d == 0 ? 0 : a.d / (2 * root)};
}
inline Dual root_(const Dual& a) { return sqrt_(a); }
inline Dual fma_(const Dual& a, const Dual& b, const Dual& c) { return a * b + c; }
inline Dual exp_(const Dual& a) { return {std::exp(a.v), a.d * std::exp(a.v)}; }
inline Dual log_(const Dual& a) { return {std::log(a.v), a.d / a.v}; }
inline Dual pow_(const Dual& a, double b) {
  return {std::pow(a.v, b), a.d * b * std::pow(a.v, b - 1)};
}

}  // namespace watersmeet::test
