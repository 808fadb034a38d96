#pragma once
// Right-hand sides of a stage in several launches: one for the velocity, driven by any number of
// scalars, and one for each scalar. They serve more scalars than the fused one is built for, another
// advection of scalars than of the velocity, and stages that are weighed with the beginning of the
// step (SSP-RK3).

#include "exec/cell_map.hpp"
#include "systems/boussinesq/limited.hpp"
#include "systems/boussinesq/projection.hpp"

namespace watersmeet::boussinesq {

template <class R, Advection advection, class M>
struct VelocityRate {
  static constexpr int outputs = 3, inputs = 3, radius = 1;
  static constexpr bool heavy = false, history = true, rings = false;
  static constexpr int extra_index = -most_variables - 1;  // no variable
  RightHandSide<R, 3, advection, M> rate;                  // without scalars
  int scalars = 1;

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    auto r = rate(s);
    r[0] += buoyancy<0>(rate.c, scalars, s) * rate.advanced.along_x(s);
    r[1] += buoyancy<1>(rate.c, scalars, s) * rate.advanced.along_y(s);
    r[2] += buoyancy<2>(rate.c, scalars, s) * rate.advanced.along_z(s);
    return r;
  }
};

// Values of a state whose accessor begins at the variable `first`, by the number of the variable.
template <class S>
struct FromVariable {
  using value_type = typename S::value_type;
  const S& s;
  int first;
  int i, j, k;
  WM_HD value_type operator()(int var, int di, int dj, int dk) const {
    return s(var - first, di, dj, dk);
  }
};

// The rate of the scalar `var`, at which the arrays of its launch begin.
template <class R, Advection advection, class M>
struct ScalarRate {
  static constexpr int outputs = 1, inputs = 1, radius = advection == Advection::limited ? 2 : 1;
  static constexpr bool heavy = false, history = true, rings = false;
  static constexpr int extra_index = -most_variables - 1;  // no variable
  static constexpr Advection plain =
      advection == Advection::limited ? Advection::centred : advection;
  RightHandSide<R, 3, plain, M> rate;
  UpwindWeights<R> weights;
  int var = first_scalar;

  template <class S>
  WM_HD Vec<typename S::value_type, 1> operator()(const S& own) const {
    using T = typename S::value_type;
    const FromVariable<S> s{own, var, own.i, own.j, own.k};
    const int n = var - first_scalar;
    T r;
    if constexpr (advection == Advection::limited) {
      r = limited_advection(weights, rate.m, s, var) + rate.diffused_and_made(s, n);
    } else {
      r = rate.scalar_rate(s, n);
    }
    if (rate.c.fields) r += load_as<T>(rate.c.fields + var * rate.c.fields_stride + own.offset);
    return {{r}};
  }
};

// A stage of the form `base` (exec/cell.hpp): u + a (u0 - u) + b dt R(u).
template <class R, class Rate>
struct FromBeginning {
  static constexpr int outputs = Rate::outputs, extra_index = Rate::extra_index;
  Rate rate;
  OtherArray<R> beginning;  // u0
  R a = 0, b = 0;
  bool read_old = false;
  const exec::Clock* clock = nullptr;

  template <class S>
  WM_HD exec::Changed<typename S::value_type, outputs> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto r = rate(s);
    const R step = b * R(clock->dt);
    exec::Changed<T, outputs> c;
    for (int v = 0; v < outputs; ++v) {
      const T u = s(v, 0, 0, 0);
      c.value[v] = u + step * r[v];
      if (read_old) c.value[v] += a * (beginning.template at<T>(s, v, 0, 0, 0) - u);
    }
    c.signal = T(R(0));
    return c;
  }
};

}  // namespace watersmeet::boussinesq
