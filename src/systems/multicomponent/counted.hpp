#pragma once
// A number that counts what is done with it: pointwise physics run with Counted for T tells its own
// floating-point operations. A multiply-add counts 2; a reciprocal or a root 1, although they take
// several instructions; comparisons, selections and signs nothing.

#include <cmath>

#include "core/math.hpp"

namespace watersmeet::multicomponent {

class Counted {
 public:
  using value_type = double;

  Counted(double value = 0) : value_(value) {}  // a constant: operations on constants do not count
  Counted(double value, long* count) : value_(value), count_(count) {}

  friend Counted operator+(const Counted& a, const Counted& b) {
    return made(a.value_ + b.value_, 1, a, b);
  }
  friend Counted operator-(const Counted& a, const Counted& b) {
    return made(a.value_ - b.value_, 1, a, b);
  }
  friend Counted operator*(const Counted& a, const Counted& b) {
    return made(a.value_ * b.value_, 1, a, b);
  }
  friend Counted operator-(const Counted& a) { return made(-a.value_, 0, a, a); }
  friend bool operator<(const Counted& a, const Counted& b) { return a.value_ < b.value_; }
  friend bool operator>(const Counted& a, const Counted& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Counted& a, const Counted& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Counted& a, const Counted& b) { return a.value_ >= b.value_; }

  friend Counted fma_(const Counted& a, const Counted& b, const Counted& c) {
    return made(a.value_ * b.value_ + c.value_, 2, a, b, c);
  }
  friend Counted rcp_(const Counted& a) { return made(1 / a.value_, 1, a, a); }
  friend Counted root_(const Counted& a) { return made(std::sqrt(a.value_), 1, a, a); }
  friend Counted abs_(const Counted& a) { return made(std::abs(a.value_), 0, a, a); }
  friend Counted min_(const Counted& a, const Counted& b) {
    return made(a.value_ < b.value_ ? a.value_ : b.value_, 0, a, b);
  }
  friend Counted max_(const Counted& a, const Counted& b) {
    return made(a.value_ > b.value_ ? a.value_ : b.value_, 0, a, b);
  }
  friend Counted select(bool mask, const Counted& a, const Counted& b) {
    return made(mask ? a.value_ : b.value_, 0, a, b);
  }

 private:
  static Counted made(double value, long operations, const Counted& a, const Counted& b,
                      const Counted& c = {}) {
    long* const count = a.count_ ? a.count_ : b.count_ ? b.count_ : c.count_;
    if (count) *count += operations;
    return {value, count};
  }
  double value_;
  long* count_ = nullptr;
};

}  // namespace watersmeet::multicomponent
