#pragma once
// What the meshes (box_mesh.hpp, sphere/panel_mesh.hpp) say of a face, and what a face's record has.
//
// A record is what crosses a face, times its area over that of the flat mesh; a cell divides by its
// volume over that of the flat mesh. Where the pressure, or the metric, is another one for each of
// both cells the record has what the cell below takes besides.

#include "schemes/gnomonic.hpp"
#include "systems/atmosphere/riemann.hpp"

namespace watersmeet::atmosphere {

// In the order of Conserved: all of it, momentum as the cell above the face takes it. From r_below
// on, as the one below does: across a lateral face of a sphere momentum along the panel's first and
// second angle; between levels, where it has a value of its own, momentum upwards, and in a deep
// atmosphere that along the panel then.
enum FaceRecord : int { r_mass, r_u, r_v, r_w, r_energy, r_below, n_shared_records = r_below };
constexpr int r_w_below = r_below, r_u_below_deep = r_below + 1, r_v_below_deep = r_below + 2;

// Energy through a face. Rows of numbers published for box and sphere round the two products in
// different order.
template <class T>
WM_HD T energy_through(FlatMetric, const T& mass, const T& specific, const T& work, const T& area) {
  return fma_(mass, specific, work * area);
}
template <class T>
WM_HD T energy_through(const schemes::PanelPoint<T>&, const T& mass, const T& specific,
                       const T& work, const T& area) {
  return fma_(work, area, mass * specific);
}

// The energy that the mass through a face carries: E/rho.
template <class T, class Face>
WM_HD T energy_of(const Carried<T>& from, const Face& face, RealOf<T> gamma) {
  return specific_energy(from.work, kinetic_of(face.metric, from.w), face.reference.gz, gamma);
}

// Between two levels, with the normal (-z_x, -z_y, 1).
template <class T, class Metric, bool terrain>
struct LevelFace {
  Reference<T> reference;  // in its middle
  Metric metric;
  Slope<T> slope;  // 0 over flat ground
  T area;          // over that of a flat one: the root of 1 + g^ij z_i z_j

  WM_HD T normal_velocity(const Primitive<T>& w) const {
    if constexpr (!terrain) return w[w_w];
    return (w[w_w] - along(w)) * rcp_(area);
  }
  // u z_x + v z_y.
  WM_HD T along(const Primitive<T>& w) const { return w[w_u] * slope.x + w[w_v] * slope.y; }
  // What a pressure does to the momentum along the level.
  WM_HD Slope<T> push(const T& pressure) const {
    if constexpr (!terrain) return {T(RealOf<T>(0)), T(RealOf<T>(0))};
    const Slope<T> up = raised(metric, slope);
    return {-up.x * pressure, -up.y * pressure};
  }
};

}  // namespace watersmeet::atmosphere
