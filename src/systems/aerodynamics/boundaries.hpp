#pragma once
// Boundary conditions as the state beyond the boundary, or the pressure on a wall; penalty.hpp
// makes penalties of them. `area` points out of the fluid, a = area/|area|, U = u . a, and the
// outgoing invariant is R+ = U + 2 c/(gamma - 1).
//
//   far field with the circulation of a lifting section (Thomas and Salas 1986):
//     u = u_inf + (Gamma/2 pi) beta/(r (1 - M^2 sin^2(theta - alpha))) (sin theta, -cos theta),
//     beta = sqrt(1 - M^2); rho and p from the total enthalpy and the entropy of the free stream
//   total inflow: p0, c0 and a direction d with d . a < 0; the speed q solves
//     q (d . a) + 2 c/(gamma - 1) = R+,   c^2 + (gamma - 1) q^2/2 = c0^2,   0 <= q <= c
//   pressure outflow: p, with the entropy and tangential velocity of the fluid and
//     U = R+ - 2 c_b/(gamma - 1); the state of the fluid itself where it leaves faster than sound
//   slip wall: p* of a Riemann problem with the mirrored state,
//     linear   p + rho c U
//     exact    U > 0 (shock):        p + (rho U/4) ((g+1) U + sqrt(((g+1) U)^2 + 16 c^2))
//              U < 0 (rarefaction):  p max(0, 1 + (g-1) U/(2c))^(2g/(g-1))

#include "systems/aerodynamics/riemann.hpp"

namespace watersmeet::aerodynamics {

// The free stream around a section in the x-y plane, seen from its aerodynamic centre.
template <class R>
struct VortexFarField {
  Primitive<R> stream;
  R x, y;          // centre of the vortex
  R circulation;   // Gamma, positive for lift; Cl |u_inf| chord / 2
  R cosine, sine;  // of the angle of attack
  R mach;          // below 1
};

template <class R>
WM_HD Primitive<R> vortex_state(const VortexFarField<R>& far, R x, R y, const Gas<R>& gas) {
  const R dx = x - far.x, dy = y - far.y;
  const R r = sqrt_(dx * dx + dy * dy), inverse_r = rcp_(r);
  const R sine = dy * inverse_r, cosine = dx * inverse_r;  // of theta
  const R across = sine * far.cosine - cosine * far.sine;  // sin(theta - alpha)
  const R mach2 = far.mach * far.mach;
  const R speed = far.circulation * R(0.15915494309189535) * sqrt_(R(1) - mach2) * inverse_r *
                  rcp_(R(1) - mach2 * across * across);
  Primitive<R> f = far.stream;
  f.u[0] = f.u[0] + speed * sine;
  f.u[1] = f.u[1] - speed * cosine;
  const R stream_c2 = gas.gamma * far.stream.p * rcp_(far.stream.rho);
  const R gained = dot(far.stream.u, far.stream.u) - dot(f.u, f.u);
  const R ratio = R(1) + R(0.5) * (gas.gamma - R(1)) * gained * rcp_(stream_c2);  // of c^2
  f.rho = far.stream.rho * pow_(ratio, R(1) / (gas.gamma - R(1)));
  f.p = far.stream.p * pow_(ratio, gas.gamma / (gas.gamma - R(1)));
  return f;
}

// A reservoir that the flow comes from.
template <class R>
struct Reservoir {
  R pressure;           // p0
  R sound2;             // c0^2 = gamma R T0
  Vec<R, 3> direction;  // d, of length 1, into the domain
};

template <class T>
WM_HD Primitive<T> total_inflow_state(const Primitive<T>& w, const Area<T>& area,
                                      const Reservoir<RealOf<T>>& from, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const R g1 = gas.gamma - R(1);
  const detail::Normal<T> n = detail::normal_of(area);
  const T leaving = dot(n.a, w.u) * (R(0.5) * g1) + sqrt_(sound_speed2(w, gas));  // R+ (g-1)/2
  const T b = (R(0.5) * g1) * (n.a[0] * from.direction[0] + n.a[1] * from.direction[1] +
                               n.a[2] * from.direction[2]);
  // c = leaving - q b in the second equation: lead q^2 - 2 half q + rest = 0, where b < 0. The root
  // is written without a difference of close numbers: half < 0 unless R+ < 0.
  const T lead = b * b + R(0.5) * g1;
  const T half = leaving * b;
  const T rest = leaving * leaving - from.sound2;
  const T root = sqrt_(max_(half * half - lead * rest, T(R(0))));
  const auto usual = half <= T(R(0));
  const T bottom = select(usual, root - half, T(R(1)));
  const T solution =
      select(usual, -rest * rcp_(max_(bottom, T(R(1e-30)))), (half + root) * rcp_(lead));
  const T sonic = T(sqrt_(R(2) * from.sound2 / (gas.gamma + R(1))));
  const T q = min_(max_(solution, T(R(0))), sonic);
  const T c2 = from.sound2 - (R(0.5) * g1) * (q * q);
  Primitive<T> f;
  f.p = from.pressure * pow_(c2 * (R(1) / from.sound2), gas.gamma / g1);
  f.rho = gas.gamma * f.p * rcp_(c2);
  for (int m = 0; m < 3; ++m) f.u[m] = q * from.direction[m];
  return f;
}

template <class T>
WM_HD Primitive<T> pressure_outflow_state(const Primitive<T>& w, const Area<T>& area,
                                          RealOf<T> pressure, const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  const detail::Normal<T> n = detail::normal_of(area);
  const T c2 = sound_speed2(w, gas), c = sqrt_(c2), u = dot(n.a, w.u);
  const T ratio = pressure * rcp_(w.p);
  Primitive<T> f;
  f.rho = w.rho * pow_(ratio, R(1) / gas.gamma);
  f.p = T(pressure);
  const T c_b = sqrt_(gas.gamma * f.p * rcp_(f.rho));
  const T change = (R(2) / (gas.gamma - R(1))) * (c - c_b);  // of U
  const auto supersonic = u >= c;
  f.rho = select(supersonic, w.rho, f.rho);
  f.p = select(supersonic, w.p, f.p);
  for (int m = 0; m < 3; ++m) {
    f.u[m] = select(supersonic, w.u[m], w.u[m] + change * n.a[m]);
  }
  return f;
}

// interior: p itself, which conserves entropy and dissipates nothing.
enum class WallPressure : int { linear, exact, interior };

template <class T>
WM_HD T wall_pressure(WallPressure which, const Primitive<T>& w, const Area<T>& area,
                      const Gas<RealOf<T>>& gas) {
  using R = RealOf<T>;
  if (which == WallPressure::interior) return w.p;
  const detail::Normal<T> n = detail::normal_of(area);
  const T c = sqrt_(sound_speed2(w, gas)), u = dot(n.a, w.u);
  if (which == WallPressure::linear) return w.p + w.rho * c * u;
  const T towards = (gas.gamma + R(1)) * u;
  const T shock =
      w.p + R(0.25) * (w.rho * u) * (towards + sqrt_(towards * towards + R(16) * (c * c)));
  // Not below 1e-30, so that the logarithm exists: beyond the vacuum the power is as good as 0.
  const T base = R(1) + (R(0.5) * (gas.gamma - R(1))) * (u * rcp_(c));
  const T fan = w.p * pow_(max_(base, T(R(1e-30))), R(2) * gas.gamma / (gas.gamma - R(1)));
  return select(u > T(R(0)), shock, fan);
}

}  // namespace watersmeet::aerodynamics
