#pragma once
// The velocity terms of a compressible Newtonian fluid whose kinematic viscosities nu and zeta are constant, for l = ln rho, in sixth-order
// central differences (schemes/central.hpp):
//
//   du_i/dt = ((nu grad l - u).grad) u_i + nu d_i u_j d_j l + nu lap u_i + (nu/3 + zeta) d_i div u      add_velocity()
//             + (zeta - 2 nu/3) (div u) d_i l + ...
//
// which is nu [ lap u_i + 1/3 d_i div u + 2 S_ij d_j l ] + zeta [ d_i div u + (div u) d_i l ] - (u.grad) u_i. Each component's derivatives
// are used up before those of the next are taken, so that few values are alive at a time: kernels that march with planes in shared memory
// have no registers for all of them, and read each neighbour once.

#include "core/hold_reads.hpp"
#include "core/host_device.hpp"
#include "core/vec.hpp"
#include "schemes/central.hpp"

namespace watersmeet::schemes {

template <class T>
struct VelocityTerms {
  Vec<T, 3> rate;  // du/dt, so far
  T div;           // div u, so far
};

// What component m of the velocity in the variables v, v + 1, v + 2 gives to them; its gradient. nu_divergence: nu/3 + zeta on the mixed
// derivatives of grad div u, or `mixed` is false and the caller adds grad div u.
template <int m, bool mixed = true, class S, class T, class R>
WM_HD Vec<T, 3> add_velocity(VelocityTerms<T>& t, const S& s, int v, const Weights6<R>& w, R nu,
                             const T& nu_divergence, const Vec<T, 3>& u, const Vec<T, 3>& grad_l) {
  const int var = v + m;
  const Vec<T, 3> g = gradient6(s, var, w);
  const Vec<T, 3> pure = {{second6<0>(s, var, w), second6<1>(s, var, w), second6<2>(s, var, w)}};
  t.div += g[m];
  t.rate[m] += nu * (pure[0] + pure[1] + pure[2]);
  const T nu_l = nu * grad_l[m];
  for (int j = 0; j < 3; ++j) {
    t.rate[m] += (nu * grad_l[j] - u[j]) * g[j];
    t.rate[j] += nu_l * g[j];
  }
  if constexpr (mixed) {
    t.rate[m] += nu_divergence * pure[m];
    mixed_derivatives<m>(s, v, w,
                         [&](int axis, const T& value) { t.rate[axis] += nu_divergence * value; });
  }
  hold_reads<S>();
  return g;
}

}  // namespace watersmeet::schemes
