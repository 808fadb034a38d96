#pragma once
// A number that counts what is done with it: pointwise physics run with Counted for T counts its own
// floating-point operations. A multiply-add counts 2; a reciprocal or a root 1, although they take
// several instructions, and once more by themselves; comparisons, selections and signs nothing.

#include <cmath>

#include "core/math.hpp"

namespace watersmeet::multicomponent {

struct OperationCount {
  double all = 0;
  double slow = 0;  // of them, reciprocals and square roots

  friend OperationCount operator+(const OperationCount& a, const OperationCount& b) {
    return {a.all + b.all, a.slow + b.slow};
  }
  friend OperationCount operator*(double n, const OperationCount& a) {
    return {n * a.all, n * a.slow};
  }
  friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

class Counted {
 public:
  using value_type = double;

  Counted(double value = 0) : value_(value) {}  // a constant: operations on constants do not count
  Counted(double value, OperationCount* count) : value_(value), count_(count) {}

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
  friend Counted rcp_(const Counted& a) { return slow(1 / a.value_, a); }
  friend Counted root_(const Counted& a) { return slow(std::sqrt(a.value_), a); }
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
  static Counted made(double value, int operations, const Counted& a, const Counted& b,
                      const Counted& c = {}) {
    OperationCount* const count = a.count_ ? a.count_ : b.count_ ? b.count_ : c.count_;
    if (count) count->all += operations;
    return {value, count};
  }
  static Counted slow(double value, const Counted& a) {
    if (a.count_) a.count_->slow += 1;
    return made(value, 1, a, a);
  }
  double value_;
  OperationCount* count_ = nullptr;
};

}  // namespace watersmeet::multicomponent

namespace watersmeet {

// A number of a table is a constant.
template <>
struct Load<multicomponent::Counted> {
  static multicomponent::Counted from(const double* p) { return *p; }
};

}  // namespace watersmeet
