#pragma once
// Shapes of initial states as signed distances from their surface: negative inside, positive
// outside, and never changing faster than the position does, so that a cell whose centre is farther
// from the surface than its corners needs no closer look.

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet::multicomponent {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// A box around everything inside; infinite where the shape is endless.
struct Bounds {
  Real3 lower, upper;
};

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double distance(const Real3& x) const = 0;
  virtual Bounds bounds() const = 0;
};

struct Sphere {
  Real3 centre{0, 0, 0};
  double radius = 1;
};

// What lies below (lower side) or above a plane across an axis.
std::shared_ptr<const Shape> half_space(int axis, double place, bool lower);
// Endless along its axis.
std::shared_ptr<const Shape> cylinder(int axis, const Real3& centre, double radius);
// Corners may be infinite. Distances outside are those from the nearest side, edge or corner.
std::shared_ptr<const Shape> box(const Real3& lower, const Real3& upper);
// The union of any number of spheres. Only distances below `reach` are computed; farther points read as
// `reach` outside. A point looks only at the spheres of its bucket of space, so that a distance
// costs the same for ten spheres and for ten thousand. Axes that are not active do not count: the
// spheres are cut there through their centres.
std::shared_ptr<const Shape> spheres(std::vector<Sphere> list, double reach,
                                     const std::array<bool, 3>& active);

// Spheres of a text file: a line each, "x y z radius", with # comments and empty lines. Faults are
// texts that name file, line and what was found; no more than the first few are listed. An
// unreadable file is one fault.
struct SphereFile {
  std::vector<Sphere> spheres;
  std::vector<std::string> faults;
};
SphereFile read_spheres(const std::string& path);

}  // namespace watersmeet::multicomponent
