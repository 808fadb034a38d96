#pragma once
// Exact fractions for tables of coefficients: always in lowest terms, with a positive denominator.
// Good for a few million over a few million; constant evaluation refuses what overflows.

#include <cstdint>

namespace watersmeet::schemes {

struct Rational {
  std::int64_t num = 0, den = 1;

  constexpr Rational() = default;
  constexpr Rational(std::int64_t n, std::int64_t d = 1) {
    const std::int64_t g = (d < 0 ? -1 : 1) * common_divisor(n, d);
    num = n / g;
    den = d / g;
  }

  // Correctly rounded as long as both numbers are below 2^53.
  constexpr double value() const { return static_cast<double>(num) / static_cast<double>(den); }

  constexpr bool operator==(const Rational&) const = default;
  constexpr Rational operator-() const { return {-num, den}; }
  constexpr Rational operator+(const Rational& b) const {
    const std::int64_t g = common_divisor(den, b.den);
    return {num * (b.den / g) + b.num * (den / g), den / g * b.den};
  }
  constexpr Rational operator-(const Rational& b) const { return *this + -b; }
  constexpr Rational operator*(const Rational& b) const {
    // Crosswise first, so that products stay small.
    const Rational left(num, b.den), right(b.num, den);
    return {left.num * right.num, left.den * right.den};
  }
  constexpr Rational operator/(const Rational& b) const { return *this * Rational(b.den, b.num); }

 private:
  // Euclid; positive also for negative arguments, and 1 is never missed as a divisor of (0, d).
  static constexpr std::int64_t common_divisor(std::int64_t a, std::int64_t b) {
    while (b != 0) {
      const std::int64_t rest = a % b;
      a = b;
      b = rest;
    }
    return a < 0 ? -a : a;
  }
};

}  // namespace watersmeet::schemes
