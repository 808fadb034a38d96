#include "schemes/dam_break.hpp"

#include <cmath>

#include "core/error.hpp"

namespace watersmeet::schemes {

DamBreak::DamBreak(double h_left, double h_right, double g)
    : h_left_(h_left), h_right_(h_right), g_(g), c_left_(std::sqrt(g * h_left)) {
  require(h_left > h_right && h_right >= 0, "a dam holds back the deeper water");
  if (h_right == 0) {
    star_ = {0, 2 * c_left_};
    front_ = 2 * c_left_;
    return;
  }
  // The velocity behind the rarefaction falls with the depth, that behind the bore grows.
  const auto behind_fan = [&](double h) { return 2 * (c_left_ - std::sqrt(g * h)); };
  const auto behind_bore = [&](double h) {
    return (h - h_right) * std::sqrt(0.5 * g * (1 / h + 1 / h_right));
  };
  double lower = h_right, upper = h_left;
  for (int n = 0; n < 200; ++n) {
    const double h = 0.5 * (lower + upper);
    (behind_fan(h) > behind_bore(h) ? lower : upper) = h;
  }
  star_ = {0.5 * (lower + upper), behind_fan(0.5 * (lower + upper))};
  front_ = star_.h * star_.u / (star_.h - h_right);
}

DamBreak::Water DamBreak::at(double x_over_t) const {
  if (x_over_t <= -c_left_) return {h_left_, 0};
  if (x_over_t >= front_) return {h_right_, 0};
  const double tail = star_.u - std::sqrt(g_ * star_.h);
  if (x_over_t >= tail) return star_;
  const double c = (2 * c_left_ - x_over_t) / 3;
  return {c * c / g_, 2 * (c_left_ + x_over_t) / 3};
}

}  // namespace watersmeet::schemes
