#pragma once
// How fast the water is that the sides prescribe: on dry ground nothing else bounds a step.

#include <string>

#include "mesh/geometry.hpp"
#include "systems/shallow_water/boundary/conditions.hpp"
#include "systems/shallow_water/mesh.hpp"

namespace watersmeet::shallow_water {

struct SidesOfPlane {
  mesh::Uniform geometry;
  Index3 cells;
  std::string bed = "0";
  double gravity = 0;
  PlaneMesh<double> mesh;
};

// The largest signal of the mesh, (|u| + c)/dx + (|v| + c)/dy, beyond the sides, at 65 times from 0 to `end` where they
// depend on time; 0 where nothing is prescribed.
double fastest_signal(const BoundaryConditions& conditions, const SidesOfPlane& plane, double end);

}  // namespace watersmeet::shallow_water
