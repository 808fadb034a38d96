#pragma once
// Faces between two levels where sound across them is implicit (column.hpp), in a box and on a
// sphere: a face has the mean of what both cells carry, and the force
// phi = -(p'_above - p'_below) - g rho' dz of both acts on both by halves (whole on the cell next
// to a wall, whose other face has none). Means of velocities with densities a quarter on the way to
// the other cell, (3 rho + rho_other)/4, and the inverse for the forces, make one the transpose of
// the other in the norm that sound keeps in air that thins out with height: means of rho w alone
// grow like exp(g t/(2 a)). What is left of the dissipation of the acoustic solver is the share of
// the height of a cell in twice its width, which is as fast as sound along the levels and so needs
// no smaller step.

#include "systems/atmosphere/riemann.hpp"

namespace watersmeet::atmosphere {

// What an elimination leaves of a level's lower face: the 2 x 2 matrix that the face above is
// multiplied with, and the right-hand side.
constexpr int elimination_values = 6;

// A cell's density a quarter on the way to that beyond a face, over its own; and the share of a
// face's force that acts on a cell, `alone` next to a wall.
template <class T>
WM_HD T face_weight(const T& own, const T& other) {
  using R = RealOf<T>;
  return R(0.75) + R(0.25) * (other * rcp_(own));
}
WM_HD double face_share(bool alone) { return alone ? 1.0 : 0.5; }

// In the middle of a cell: rho, rho', w and p'.
template <class T>
struct LevelMiddle {
  T whole, rho, w, p;
};

// rho w of both.
template <class T>
WM_HD T mean_through(const LevelMiddle<T>& l, const LevelMiddle<T>& r) {
  return RealOf<T>(0.5) * (l.whole * face_weight(l.whole, r.whole) * l.w +
                           r.whole * face_weight(r.whole, l.whole) * r.w);
}

// phi.
template <class T>
WM_HD T force_between(const LevelMiddle<T>& l, const LevelMiddle<T>& r, const T& depth,
                      RealOf<T> gravity) {
  using R = RealOf<T>;
  return (l.p - r.p) - (R(0.5) * gravity) * depth * (l.rho + r.rho);
}
// What of it the cells below and above the face take.
template <class T>
struct ForceShares {
  T below, above;
};
template <class T>
WM_HD ForceShares<T> shared_force(const T& force, const LevelMiddle<T>& l, const LevelMiddle<T>& r,
                                  bool below_alone, bool above_alone) {
  using R = RealOf<T>;
  return {R(face_share(below_alone)) * force * rcp_(face_weight(l.whole, r.whole)),
          R(face_share(above_alone)) * force * rcp_(face_weight(r.whole, l.whole))};
}

// The mean flux of both cells, upwind but for sound. `through`: the mass that both carry, per area of the face;
// `part`: the share of the acoustic dissipation that remains; `drag`: what it does to the pressure.
template <class T>
WM_HD FaceFlux<T> mean_flux(const T& through, const LevelMiddle<T>& l, const LevelMiddle<T>& r,
                            const FaceSide<T>& a, const FaceSide<T>& b, const T& part, T& drag) {
  using R = RealOf<T>;
  const T sound = R(0.5) * (a.a + b.a), rho = R(0.5) * (a.rho + b.rho);
  FaceFlux<T> f;
  f.mass = through + R(0.5) * ((part * (a.p - b.p)) * rcp_(sound) +
                               abs_(R(0.5) * (a.un + b.un)) * (a.rho - b.rho));
  drag = (R(0.5) * part) * (rho * sound) * (a.un - b.un);
  f.pressure = R(0.5) * (l.p + r.p) + drag;
  f.work = work_of(f.mass, a, b);
  return f;
}

}  // namespace watersmeet::atmosphere
