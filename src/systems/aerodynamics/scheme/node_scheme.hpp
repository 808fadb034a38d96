#pragma once
// The scheme that the node form (exec/node.hpp) runs: fluxes of the Euler equations, and scalar or
// matrix dissipation with first differences at shocks. Scheme of order 1 to 6 along each direction:
// schemes/sbp.hpp.

#include "exec/node.hpp"
#include "systems/aerodynamics/dissipation.hpp"
#include "systems/aerodynamics/penalty.hpp"

namespace watersmeet::aerodynamics {

// Parameters of every loop of a level.
template <class R>
struct FlowModel {
  Gas<R> gas;
  Coupling<R> coupling;
  R dissipation_scale = R(1);
  bool matrix = false;  // matrix dissipation
  // Scalar dissipation of the energy equation acts on E + p, so that a steady flow from a free
  // stream keeps its total enthalpy, through shocks as well.
  bool enthalpy = false;
  bool entropy_conservative = false;
  R shock_k2 = R(0);  // 0: no first differences, and no sensor is read
  bool density_sensor = false;
  R transfer_damping = R(0);  // of multigrid at shocks (transfer.hpp)
  // States below these are not taken: a millionth of the reference.
  R smallest_rho = R(0), smallest_p = R(0);
};

// eps of the difference of order q (schemes/sbp.hpp).
template <class R>
WM_HD constexpr R difference_epsilon(int q) {
  return q == 1 ? R(1) / R(2) : q == 2 ? R(1) / R(12) : q == 3 ? R(1) / R(60) : R(1) / R(280);
}

// What a scheme is compiled for, whatever else the model asks for: scalar dissipation, the same
// with first differences at shocks, matrix dissipation alone, or everything. What it does not need
// costs no registers.
enum class Features : int { plain, shocks, matrix, general };

template <class R>
Features features_of(const FlowModel<R>& m) {
  if (m.matrix || m.enthalpy || m.entropy_conservative) return Features::general;
  return m.shock_k2 > R(0) ? Features::shocks : Features::plain;
}

// Matrix dissipation and nothing beside it that `general` stands for.
template <class R>
bool matrix_alone(const FlowModel<R>& m) {
  return m.matrix && !m.entropy_conservative && !(m.shock_k2 > R(0));
}

template <class R, Features features = Features::general>
struct NodeScheme {
  static constexpr int variables = n_variables;
  static constexpr bool reads_value =  // the sensor
      features == Features::shocks || features == Features::general;
  static constexpr bool by_matrix = features == Features::matrix;
  FlowModel<R> model;

  WM_HD bool two_point() const {
    return features == Features::general && model.entropy_conservative;
  }

  template <class T>
  WM_HD Conserved<T> flux(const Conserved<T>& w, const Area<T>& area) const {
    return aerodynamics::flux(w, primitive_of(w, model.gas), area);
  }
  template <class T>
  WM_HD Conserved<T> flux(const Conserved<T>& w0, const Area<T>& area0, const Conserved<T>& w1,
                          const Area<T>& area1) const {
    return entropy_conservative_flux(primitive_of(w0, model.gas), primitive_of(w1, model.gas),
                                     middle_area(area0, area1), model.gas);
  }

  // What flux and radius through several areas at a node share.
  struct Values {
    Conserved<R> w;
    Primitive<R> flow;
    R sound2;
  };
  WM_HD Values values_of(const Conserved<R>& w) const {
    const Primitive<R> flow = primitive_of(w, model.gas);
    return {w, flow, sound_speed2(flow, model.gas)};
  }
  WM_HD Conserved<R> flux(const Values& at, const Area<R>& area) const {
    return aerodynamics::flux(at.w, at.flow, area);
  }
  WM_HD R radius(const Values& at, const Area<R>& area) const {
    return spectral_radius(at.flow, at.sound2, area);
  }

  // The sensor, when there is one, is line.value().
  template <int q, class Line>
  WM_HD auto dissipation(const Line& line, int i, int n, R inverse_norm) const {
    using T = typename Line::value_type;
    if constexpr (reads_value) {
      if (model.shock_k2 > R(0)) return dissipation_with_sensor<q>(line, i, n, inverse_norm);
    }
    const T epsilon = T(strength<q>());
    return dissipation_at<q>(i, n, inverse_norm,
                             [&](int m) { return record<q>(epsilon, line, m); });
  }
  template <int q, class Line>
  WM_HD auto dissipation_with_sensor(const Line& line, int i, int n, R inverse_norm) const {
    using T = typename Line::value_type;
    Conserved<T> sum;
    for (int v = 0; v < n_variables; ++v) sum[v] = T(R(0));
    if constexpr (q > 1) {
      sum = dissipation_at<q>(i, n, inverse_norm, [&](int m) {
        T nu = line.value(m);
        for (int j = 1; j <= q; ++j) nu = max_(nu, line.value(m + j));
        return record<q>(smooth_epsilon(strength<q>(), nu, model.shock_k2), line, m);
      });
    }
    // At order 1 all differences are first ones already: never less than eps of smooth flow.
    const T epsilon = T(strength<q>());
    const Conserved<T> first = dissipation_at<1>(i, n, inverse_norm, [&](int m) {
      const T nu = max_(line.value(m), line.value(m + 1));
      const T at_shock = shock_epsilon(nu, model.shock_k2);
      return record<1>(q == 1 ? max_(epsilon, at_shock) : at_shock, line, m);
    });
    for (int v = 0; v < n_variables; ++v) sum[v] = sum[v] + first[v];
    return sum;
  }

  // |A| d of a stencil of states w(0) .. w(q); the areas are those of its middle.
  template <int q, class W>
  WM_HD Conserved<R> matrix_record(const W& w, const Area<R>& below, const Area<R>& above) const {
    return aerodynamics::matrix_record<q>(R(1), middle_area(below, above), w, model.gas,
                                          matrix_floors<R>());
  }
  // eps of dissipation by differences of order q.
  template <int q>
  WM_HD R strength() const {
    return model.dissipation_scale * difference_epsilon<R>(q);
  }
  WM_HD R radius(const Conserved<R>& w, const Area<R>& area) const {
    return spectral_radius(primitive_of(w, model.gas), area, model.gas);
  }
  // Scalar dissipation where radii, sensor and states of the line are at hand, a variable at a
  // time: few values are live at once. Of order 1 the sensor changes nothing.
  template <int q, class Line>
  WM_HD void add_dissipation(Conserved<R>& sum, const Line& line, int i, int n,
                             R inverse_norm) const {
    constexpr bool shocks = reads_value && q > 1;
    const R epsilon = strength<q>();
    const auto complete = [&](int m, int order) { return i + m >= 0 && i + m + order <= n - 1; };
    R smooth[q + 1];  // of the stencil that begins at s - q: -eps lambda Delta / H
    R first[2];       // the same of first differences, s - 1
    WM_UNROLL
    for (int s = 0; s <= q; ++s) {
      const int m = s - q;
      smooth[s] = R(0);
      if (!complete(m, q)) continue;
      R here = epsilon;
      if constexpr (shocks) {
        R nu = line.value(m);
        for (int j = 1; j <= q; ++j) nu = max_(nu, line.value(m + j));
        here = smooth_epsilon(epsilon, nu, model.shock_k2);
      }
      smooth[s] = weight_of<q>(line, m, inverse_norm) * here;
    }
    if constexpr (shocks) {
      WM_UNROLL
      for (int s = 0; s <= 1; ++s) {
        const int m = s - 1;
        first[s] = R(0);
        if (!complete(m, 1)) continue;
        const R nu = max_(line.value(m), line.value(m + 1));
        first[s] = weight_of<1>(line, m, inverse_norm) * shock_epsilon(nu, model.shock_k2);
      }
    }
    WM_UNROLL
    for (int v = 0; v < n_variables; ++v) {
      R w[2 * q + 1];
      WM_UNROLL
      for (int m = -q; m <= q; ++m) {
        const bool exists = i + m >= 0 && i + m <= n - 1;
        w[m + q] = exists ? line.component(v, m) : R(0);
      }
      WM_UNROLL
      for (int s = 0; s <= q; ++s) {
        sum[v] = sum[v] + smooth[s] * schemes::undivided<q>([&](int j) { return w[s + j]; });
      }
      if constexpr (shocks) {
        for (int s = 0; s <= 1; ++s) sum[v] = sum[v] + first[s] * (w[q + s] - w[q + s - 1]);
      }
    }
  }

 private:
  template <class T>
  WM_HD static Area<T> middle_area(const Area<T>& a, const Area<T>& b) {
    Area<T> middle;
    for (int m = 0; m < 3; ++m) middle[m] = R(0.5) * (a[m] + b[m]);
    return middle;
  }
  // -Delta lambda / H of the stencil of order q that begins at m.
  template <int q, class Line>
  WM_HD R weight_of(const Line& line, int m, R inverse_norm) const {
    const int lower = m + schemes::middle_lower(q), upper = m + schemes::middle_upper(q);
    return -inverse_norm * R(schemes::difference_weight(q, -m)) *
           schemes::middle_radius<q>(line.radius(lower), line.radius(upper));
  }
  // eps d scaled by the radius or matrix in the middle of the stencil whose first node is m away.
  template <int q, class T, class Line>
  WM_HD Conserved<T> record(const T& epsilon, const Line& line, int m) const {
    const auto w = [&](int j) { return line.state(m + j); };
    const int lower = m + schemes::middle_lower(q), upper = m + schemes::middle_upper(q);
    if (features == Features::matrix || (features == Features::general && model.matrix)) {
      const Area<T> area = middle_area(line.area(lower), line.area(upper));
      return aerodynamics::matrix_record<q>(epsilon, area, w, model.gas, matrix_floors<R>());
    }
    T lambda = radius(line, lower);
    if constexpr (q % 2 == 1) lambda = schemes::middle_radius<q>(lambda, radius(line, upper));
    if (features == Features::general && model.enthalpy) {
      return scalar_record<q>(epsilon, lambda, [&](int j) {
        Conserved<T> u = w(j);
        u[s_energy] = u[s_energy] + primitive_of(u, model.gas).p;
        return u;
      });
    }
    return scalar_record<q>(epsilon, lambda, w);
  }
  template <class Line>
  WM_HD auto radius(const Line& line, int m) const {
    return spectral_radius(primitive_of(line.state(m), model.gas), line.area(m), model.gas);
  }
};

}  // namespace watersmeet::aerodynamics
