#include "systems/multicomponent/initial/shapes.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::multicomponent {
namespace {

class HalfSpace : public Shape {
 public:
  HalfSpace(std::size_t axis, double place, bool lower)
      : axis_(axis), place_(place), lower_(lower) {}
  double distance(const Real3& x) const override {
    return lower_ ? x[axis_] - place_ : place_ - x[axis_];
  }
  Bounds bounds() const override {
    Bounds b{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
    (lower_ ? b.upper : b.lower)[axis_] = place_;
    return b;
  }

 private:
  std::size_t axis_;
  double place_;
  bool lower_;
};

class Cylinder : public Shape {
 public:
  Cylinder(std::size_t axis, const Real3& centre, double radius)
      : first_((axis + 1) % 3), second_((axis + 2) % 3), centre_(centre), radius_(radius) {}
  double distance(const Real3& x) const override {
    const double a = x[first_] - centre_[first_], b = x[second_] - centre_[second_];
    return std::sqrt(a * a + b * b) - radius_;
  }
  Bounds bounds() const override {
    Bounds b{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
    for (const std::size_t a : {first_, second_}) {
      b.lower[a] = centre_[a] - radius_;
      b.upper[a] = centre_[a] + radius_;
    }
    return b;
  }

 private:
  std::size_t first_, second_;
  Real3 centre_;
  double radius_;
};

class BoxShape : public Shape {
 public:
  BoxShape(const Real3& lower, const Real3& upper) : lower_(lower), upper_(upper) {}
  double distance(const Real3& x) const override {
    double inside = -infinity, outside2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double beyond = std::max(lower_[a] - x[a], x[a] - upper_[a]);
      inside = std::max(inside, beyond);
      if (beyond > 0) outside2 += beyond * beyond;
    }
    return outside2 > 0 ? std::sqrt(outside2) : inside;
  }
  Bounds bounds() const override { return {lower_, upper_}; }

 private:
  Real3 lower_, upper_;
};

// The spheres of each bucket are those that come within `reach` of it: a list of numbers per
// bucket, one after the other.
class Spheres : public Shape {
 public:
  Spheres(std::vector<Sphere> list, double reach, const std::array<bool, 3>& active)
      : list_(std::move(list)), reach_(reach), active_(active) {
    require(!list_.empty(), "a union of no spheres");
    choose_buckets();
    std::vector<std::size_t> lengths(n_[0] * n_[1] * n_[2] + 1, 0);
    for_each_entry([&](std::size_t bucket, std::uint32_t) { ++lengths[bucket + 1]; });
    for (std::size_t b = 1; b < lengths.size(); ++b) lengths[b] += lengths[b - 1];
    start_ = lengths;
    numbers_.resize(start_.back());
    for_each_entry(
        [&](std::size_t bucket, std::uint32_t number) { numbers_[lengths[bucket]++] = number; });
  }

  double distance(const Real3& x) const override {
    std::size_t index[3] = {0, 0, 0};
    for (std::size_t a = 0; a < 3; ++a) {
      if (!active_[a]) continue;
      const double place = (x[a] - reached_.lower[a]) * per_length_[a];
      if (!(place >= 0 && place < static_cast<double>(n_[a]))) return reach_;
      index[a] = static_cast<std::size_t>(place);
    }
    const std::size_t bucket = (index[2] * n_[1] + index[1]) * n_[0] + index[0];
    double least = reach_;
    for (std::size_t i = start_[bucket]; i < start_[bucket + 1]; ++i) {
      const Sphere& sphere = list_[numbers_[i]];
      const double d2 = squared_distance(sphere.centre, x), farthest = least + sphere.radius;
      if (farthest > 0 && d2 < farthest * farthest) least = std::sqrt(d2) - sphere.radius;
    }
    return least;
  }

  Bounds bounds() const override {
    Bounds b = reached_;
    for (std::size_t a = 0; a < 3; ++a) {
      b.lower[a] = active_[a] ? b.lower[a] + reach_ : -infinity;
      b.upper[a] = active_[a] ? b.upper[a] - reach_ : infinity;
    }
    return b;
  }

 private:
  double squared_distance(const Real3& centre, const Real3& x) const {
    double d2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = active_[a] ? x[a] - centre[a] : 0.0;
      d2 += d * d;
    }
    return d2;
  }

  // About one bucket for each sphere, but none smaller than half the mean width that a sphere
  // reaches.
  void choose_buckets() {
    reached_ = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
    double width = 0;
    for (const Sphere& sphere : list_) {
      const double r = sphere.radius + reach_;
      width += 2 * r / static_cast<double>(list_.size());
      for (std::size_t a = 0; a < 3; ++a) {
        reached_.lower[a] = std::min(reached_.lower[a], sphere.centre[a] - r);
        reached_.upper[a] = std::max(reached_.upper[a], sphere.centre[a] + r);
      }
    }
    double volume = 1, dimensions = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!active_[a]) continue;
      volume *= reached_.upper[a] - reached_.lower[a];
      dimensions += 1;
    }
    const double size = std::max(0.5 * width, std::pow(volume / static_cast<double>(list_.size()),
                                                       1 / std::max(dimensions, 1.0)));
    for (std::size_t a = 0; a < 3; ++a) {
      const double length = reached_.upper[a] - reached_.lower[a];
      n_[a] = active_[a] ? static_cast<std::size_t>(std::clamp(length / size, 1.0, 1024.0)) : 1;
      per_length_[a] = static_cast<double>(n_[a]) / length;
    }
  }

  template <class Visit>
  void for_each_entry(const Visit& visit) const {
    for (std::size_t s = 0; s < list_.size(); ++s) {
      std::size_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
      for (std::size_t a = 0; a < 3; ++a) {
        if (!active_[a]) continue;
        const auto bucket_of = [&](double x) {
          const double place = (x - reached_.lower[a]) * per_length_[a];
          return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(n_[a]) - 0.5));
        };
        low[a] = bucket_of(list_[s].centre[a] - list_[s].radius - reach_);
        high[a] = bucket_of(list_[s].centre[a] + list_[s].radius + reach_);
      }
      for (std::size_t k = low[2]; k <= high[2]; ++k)
        for (std::size_t j = low[1]; j <= high[1]; ++j)
          for (std::size_t i = low[0]; i <= high[0]; ++i)
            visit((k * n_[1] + j) * n_[0] + i, static_cast<std::uint32_t>(s));
    }
  }

  std::vector<Sphere> list_;
  double reach_;
  std::array<bool, 3> active_;
  Bounds reached_{};  // of all points nearer than reach_
  std::array<std::size_t, 3> n_{1, 1, 1};
  Real3 per_length_{0, 0, 0};  // buckets per length
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::shared_ptr<const Shape> half_space(int axis, double place, bool lower) {
  return std::make_shared<HalfSpace>(static_cast<std::size_t>(axis), place, lower);
}
std::shared_ptr<const Shape> cylinder(int axis, const Real3& centre, double radius) {
  return std::make_shared<Cylinder>(static_cast<std::size_t>(axis), centre, radius);
}
std::shared_ptr<const Shape> box(const Real3& lower, const Real3& upper) {
  return std::make_shared<BoxShape>(lower, upper);
}
std::shared_ptr<const Shape> spheres(std::vector<Sphere> list, double reach,
                                     const std::array<bool, 3>& active) {
  return std::make_shared<Spheres>(std::move(list), reach, active);
}

}  // namespace watersmeet::multicomponent
