#pragma once
// Viscosity over flat ground: the flux -rho nu grad V of momentum with its work, so that what motion
// loses is heat, and -rho c_p nu Pi grad theta' of energy, Pi the Exner function of the reference.
// Over terrain it has a pass of its own (diffusion.hpp).

#include "systems/atmosphere/box_mesh.hpp"

namespace watersmeet::atmosphere {

// To the record of a face between edges that hold velocity and theta' of their cells from `middle`
// on. `here`: at the face.
template <int axis, int middle, class Parameters, class T, int records, int states>
WM_HD void add_viscous(const Parameters& p, Vec<T, records>& record, const Vec<T, states>& l,
                       const Vec<T, states>& r, const Reference<T>& here, Place at) {
  using R = RealOf<T>;
  const T rho = here.rho + R(0.5) * (l[w_rho] + r[w_rho]);
  R inverse_distance = p.mesh.inverse_spacing[axis];
  if constexpr (axis == 2) {
    if (p.mesh.stretched()) {
      inverse_distance = p.mesh.medium.stretch_value(at.k, t_inverse_distance);
    }
  }
  const T factor = rho * (p.viscosity * inverse_distance);
  T work = T(R(0));
  for (int v = 0; v < 3; ++v) {
    const T stress = factor * (r[middle + v] - l[middle + v]);
    record[r_u + v] = record[r_u + v] - stress;
    work = work + stress * (R(0.5) * (l[middle + v] + r[middle + v]));
  }
  // theta_r R_d in the middle of a level. Lateral faces lie as high as that, and the Exner
  // function is T/theta.
  const R theta_times_gas =
      p.mesh.medium.level_value(at.k, l_cell_theta) * (p.c_p * (R(1) - R(1) / p.gamma));
  const T exner = axis == 2 ? T(p.mesh.medium.level_value(at.k, l_face_exner))
                            : here.p * rcp_(here.rho * theta_times_gas);
  record[r_energy] =
      record[r_energy] - work - factor * (p.c_p * exner) * (r[middle + 3] - l[middle + 3]);
}

}  // namespace watersmeet::atmosphere
