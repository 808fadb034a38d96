#pragma once
// What is fixed when the loops are compiled: one boolean a property, and the combinations that are
// built.

namespace watersmeet::shallow_water {

struct Traits {
  bool sphere = false;  // panels of a cubed sphere, else a plane
  // The loops look up limiter, Riemann solver, transverse term and dry cells in the parameters.
  // Else there is no limiter and no dry cell, and the solver is Osher's: what most smooth flows use.
  bool general = false;
  bool transverse = false;  // not general: edges have the transverse term, 13 points in place of 9

  friend constexpr bool operator==(const Traits&, const Traits&) = default;
};

constexpr Traits built[] = {{},
                            {.transverse = true},
                            {.general = true},
                            {.sphere = true},
                            {.sphere = true, .transverse = true},
                            {.sphere = true, .general = true}};

}  // namespace watersmeet::shallow_water
