#pragma once
// What is fixed when the loops are compiled: one boolean a property. built.hpp has the combinations
// that there are.

namespace watersmeet::atmosphere {

struct Traits {
  // Mesh.
  bool sphere = false;   // panels of a cubed sphere, else a box
  bool terrain = false;  // levels follow the ground
  bool deep = false;     // of a sphere: lengths grow with the distance from the centre; any ground
  // Levels are known to be equally thick, or not to be; with neither the loops look.
  bool equal = false, stretched = false;
  // Equations.
  bool split = false;    // sound across levels is left to column.hpp
  bool viscous = false;  // over flat ground; over terrain viscosity is a pass of its own
  // Numerics; with neither, any solver and limiter of flow_parameters.hpp.
  bool lmars = false;       // known to be lmars without a limiter
  bool transverse = false;  // with the transverse term and without a limiter

  friend constexpr bool operator==(const Traits&, const Traits&) = default;
};

// Without what only reconstruction and Riemann solver know; without what is known of the levels.
constexpr Traits any_numerics(Traits t) {
  t.lmars = t.transverse = false;
  return t;
}
constexpr Traits any_levels(Traits t) {
  t.equal = t.stretched = false;
  return t;
}
// The mesh and the equations alone.
constexpr Traits general(const Traits& t) { return any_levels(any_numerics(t)); }
constexpr Traits unsplit(Traits t) {
  t.split = false;
  return t;
}

}  // namespace watersmeet::atmosphere
