#include "io/surface_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "mesh/curvilinear/nodes.hpp"

namespace watersmeet::io {
namespace {

Real3 unit(const Real3& a) {
  const double length = mesh::length_of(a);
  if (!(length > 0)) return a;
  return {a[0] / length, a[1] / length, a[2] / length};
}

// A point on the screen: pixels from the left and from the top, and how near it is to the viewer.
struct OnScreen {
  double x = 0, y = 0, near = 0;
};

// Sides of the box that are shorter than this part of the longest one are drawn as long.
constexpr double least_side = 0.25;

// From space to the screen: the box fills it except for a margin.
class Camera {
 public:
  explicit Camera(const View& view) : forward_(unit(view.towards)) {
    const bool along_z = std::hypot(forward_[0], forward_[1]) < 1e-6;
    right_ = unit(mesh::cross_product(along_z ? Real3{0, 1, 0} : Real3{0, 0, 1}, forward_));
    up_ = mesh::cross_product(forward_, right_);
    const Real3 sides = mesh::difference_of(view.upper, view.lower);
    const double longest = std::max({sides[0], sides[1], sides[2]});
    for (std::size_t a = 0; a < 3; ++a) {
      middle_[a] = 0.5 * (view.lower[a] + view.upper[a]);
      stretch_[a] = sides[a] > 0 ? std::max(1.0, least_side * longest / sides[a]) : 1.0;
    }
    double across = 0, high = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Real3 from_middle = from_middle_of(corner_of(view, corner));
      across = std::max(across, std::abs(mesh::dot_product(from_middle, right_)));
      high = std::max(high, std::abs(mesh::dot_product(from_middle, up_)));
    }
    constexpr double filled = 0.96;
    scale_ = filled * std::min(0.5 * view_width / across, 0.5 * view_height / high);
    // From above and from the left of the viewer.
    for (std::size_t a = 0; a < 3; ++a) light_[a] = forward_[a] + 0.5 * up_[a] - 0.25 * right_[a];
    light_ = unit(light_);
  }

  static Real3 corner_of(const View& view, int corner) {
    Real3 x;
    for (std::size_t a = 0; a < 3; ++a) x[a] = corner >> a & 1 ? view.upper[a] : view.lower[a];
    return x;
  }

  OnScreen operator()(const Real3& x) const {
    const Real3 from_middle = from_middle_of(x);
    return {0.5 * view_width + scale_ * mesh::dot_product(from_middle, right_),
            0.5 * view_height - scale_ * mesh::dot_product(from_middle, up_),
            scale_ * mesh::dot_product(from_middle, forward_)};
  }

  // The brightness of a surface with this normal in space. Length and sign of the normal do not matter: the viewer sees the lit side.
  double brightness(const Real3& normal) const {
    const Real3 n =
        unit({normal[0] / stretch_[0], normal[1] / stretch_[1], normal[2] / stretch_[2]});
    const double side = mesh::dot_product(n, forward_) < 0 ? -1 : 1;
    return 0.4 + 0.6 * std::max(0.0, side * mesh::dot_product(n, light_));
  }

 private:
  Real3 from_middle_of(const Real3& x) const {
    Real3 from_middle = mesh::difference_of(x, middle_);
    for (std::size_t a = 0; a < 3; ++a) from_middle[a] *= stretch_[a];
    return from_middle;
  }

  Real3 forward_, right_, up_, middle_, light_, stretch_;
  double scale_ = 1;
};

// Colours, and how near to the viewer what they show is.
class Screen {
 public:
  explicit Screen(Picture& picture)
      : picture_(picture),
        nearest_(std::size_t{view_width} * view_height, -std::numeric_limits<float>::infinity()) {}

  void put(int x, int y, double near, const Colour& colour, double brightness) {
    const std::size_t pixel =
        static_cast<std::size_t>(y) * view_width + static_cast<std::size_t>(x);
    if (static_cast<float>(near) <= nearest_[pixel]) return;
    nearest_[pixel] = static_cast<float>(near);
    const std::size_t at =
        3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_.width) +
             static_cast<std::size_t>(x));
    const auto lit = [&](std::uint8_t part) {
      return static_cast<std::uint8_t>(std::lround(part * std::min(brightness, 1.0)));
    };
    picture_.pixels[at] = lit(colour.red);
    picture_.pixels[at + 1] = lit(colour.green);
    picture_.pixels[at + 2] = lit(colour.blue);
  }

  void line(const OnScreen& from, const OnScreen& to, const Colour& colour) {
    const int steps = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y));
    for (int s = 0; s <= steps; ++s) {
      const double share = static_cast<double>(s) / steps;
      const auto between = [share](double a, double b) { return (1 - share) * a + share * b; };
      const int x = static_cast<int>(std::floor(between(from.x, to.x))),
                y = static_cast<int>(std::floor(between(from.y, to.y)));
      if (x >= 0 && x < view_width && y >= 0 && y < view_height)
        put(x, y, between(from.near, to.near), colour, 1);
    }
  }

 private:
  Picture& picture_;
  std::vector<float> nearest_;
};

// The corner of a triangle as it is drawn.
struct Corner {
  OnScreen at;
  double value = 0, brightness = 0;
};

// Calls pixel(x, y, shares of the corners) for each pixel whose middle lies in the triangle.
template <class Pixel>
void for_pixels(const std::array<Corner, 3>& corners, const Pixel& pixel) {
  const OnScreen &a = corners[0].at, &b = corners[1].at, &c = corners[2].at;
  const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0) return;
  const auto first = [](double low) {
    return static_cast<int>(std::max(0.0, std::ceil(low - 0.5)));
  };
  const auto last = [](double high, int size) {
    return static_cast<int>(std::min(size - 1.0, std::floor(high - 0.5)));
  };
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
  for (int y = first(top); y <= last(bottom, view_height); ++y) {
    for (int x = first(left); x <= last(right, view_width); ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double of_b = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / area;
      const double of_c = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area;
      const std::array<double, 3> shares{1 - of_b - of_c, of_b, of_c};
      if (shares[0] >= 0 && of_b >= 0 && of_c >= 0) pixel(x, y, shares);
    }
  }
}

Real3 place_of(const std::vector<double>& places, std::int64_t point) {
  const auto at = 3 * static_cast<std::size_t>(point);
  return {places[at], places[at + 1], places[at + 2]};
}

// At each point the sum of the normals of the triangles around, by their areas.
std::vector<Real3> normals_at_points(const std::vector<double>& places,
                                     const std::vector<std::int64_t>& triangles) {
  std::vector<Real3> normals(places.size() / 3, Real3{0, 0, 0});
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const Real3 x = place_of(places, triangles[t]);
    const Real3 normal =
        mesh::cross_product(mesh::difference_of(place_of(places, triangles[t + 1]), x),
                            mesh::difference_of(place_of(places, triangles[t + 2]), x));
    for (std::size_t c = 0; c < 3; ++c) {
      Real3& at_point = normals[static_cast<std::size_t>(triangles[t + c])];
      for (std::size_t a = 0; a < 3; ++a) at_point[a] += normal[a];
    }
  }
  return normals;
}

}  // namespace

Picture draw_surface(const View& view, const std::vector<double>& places,
                     const std::vector<std::int64_t>& triangles, const std::vector<double>& values,
                     const Limits& limits, const std::string& colours, double time) {
  require(3 * values.size() == places.size(), "a surface has a value at each of its points");
  const Picture frame = draw({view_width, view_height,
                              std::vector<std::int32_t>(std::size_t{view_width} * view_height, -1)},
                             {}, limits, colours, time);
  Picture picture{frame.width, frame.height, {}, {}};
  for (const std::uint8_t place : frame.pixels) {
    const Colour& colour = frame.palette[place];
    picture.pixels.insert(picture.pixels.end(), {colour.red, colour.green, colour.blue});
  }
  const Camera camera(view);
  Screen screen(picture);
  const std::vector<Real3> normals = normals_at_points(places, triangles);
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    std::array<Corner, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto point = static_cast<std::size_t>(triangles[t + c]);
      corners[c] = {camera(place_of(places, triangles[t + c])), values[point],
                    camera.brightness(normals[point])};
    }
    for_pixels(corners, [&](int x, int y, const std::array<double, 3>& shares) {
      double near = 0, value = 0, brightness = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        near += shares[c] * corners[c].at.near;
        value += shares[c] * corners[c].value;
        brightness += shares[c] * corners[c].brightness;
      }
      screen.put(x, y, near, frame.palette[colour_of(value, limits)], brightness);
    });
  }
  for (int corner = 0; corner < 8; ++corner) {
    for (int a = 0; a < 3; ++a) {
      if (corner >> a & 1) continue;
      screen.line(camera(Camera::corner_of(view, corner)),
                  camera(Camera::corner_of(view, corner | 1 << a)), frame.palette[ink]);
    }
  }
  return picture;
}

}  // namespace watersmeet::io
