#pragma once
// What is fixed when the loops are compiled: one boolean a property, and the combinations that are
// built.

namespace watersmeet::shallow_water {

struct Traits {
  bool sphere = false;  // panels of a cubed sphere, else a plane
  // The loops look up Riemann solver and limiter in the parameters. Else there is no limiter and the
  // solver is Osher's: what most smooth flows use.
  bool general = false;
  // Edges have the transverse term, 13 points in place of 9; there is no limiter.
  bool transverse = false;
  bool wet_dry = false;  // general, on a plane: cells may be dry (numerics.wet_dry)

  friend constexpr bool operator==(const Traits&, const Traits&) = default;
};

constexpr Traits built[] = {{},
                            {.transverse = true},
                            {.general = true},
                            {.general = true, .transverse = true},
                            {.general = true, .wet_dry = true},
                            {.general = true, .transverse = true, .wet_dry = true},
                            {.sphere = true},
                            {.sphere = true, .transverse = true},
                            {.sphere = true, .general = true},
                            {.sphere = true, .general = true, .transverse = true}};

}  // namespace watersmeet::shallow_water
