#pragma once
// Pointwise diagnostics and derived quantities of the multicomponent system: what the time series
// sums and what snapshots hold. Everything is computed in the scaled numbers of the state
// (README.md here); the host multiplies sums and maxima, `Evaluate` its values.
//
// Volume fraction of the fluid g with the larger Gamma, from the linear mixing of Gamma:
//   alpha = (Gamma - Gamma_l) / (Gamma_g - Gamma_l), clipped to [0, 1]
// Its mass: rho Y with the mass fraction Y = alpha rho_g / (alpha rho_g + (1 - alpha) rho_l) of a
// cell mixed at the fluids' own densities. Y is a function of alpha alone, so the flow carries both
// along and the integral of rho Y is kept as long as alpha is (model mpcf).

#include <cstdint>

#include "exec/sample.hpp"
#include "schemes/velocity_gradient.hpp"
#include "systems/multicomponent/cells.hpp"
#include "systems/multicomponent/flow.hpp"

namespace watersmeet::multicomponent {

// Sums over cells, in this order. The caller applies the (mean) volume of a cell; axisymmetric values are
// weighted with r / h, those of cells of different widths with their volume over the mean one.
enum Sums : int {
  sum_mass,  // rho
  sum_momentum_x,
  sum_momentum_y,
  sum_momentum_z,
  sum_energy,  // as stored: E, or E - Pi, whose missing part sum_pi has without rounding
  sum_gamma,
  sum_pi,
  sum_gas_volume,      // alpha
  sum_gas_mass,        // rho Y
  sum_kinetic_energy,  // rho |u|^2 / 2
  sums_end
};
enum Maxima : int { max_p, max_minus_p, max_mach, max_speed, max_rho, max_minus_rho, maxima_end };

// Output quantities; names, units and components are in output.cpp in the same order.
enum class Quantity : int {
  rho,
  velocity,
  p,
  alpha,
  gamma,
  pi,
  mach,
  sound_speed,
  speed,
  energy,
  vorticity,
  divergence,
  density_gradient,
  schlieren,
  enstrophy,
  q_criterion,
  count
};

// Alpha of the two fluids; one_over_jump = 0 (one fluid) gives 0 everywhere.
struct MixtureParameters {
  double gamma_l = 0, one_over_jump = 0;  // 1 / (Gamma_g - Gamma_l)
  double density_ratio = 1;               // rho_l / rho_g
};

struct DiagnoseParameters {
  MixtureParameters mixture;
  bool split = false, axisymmetric = false;
  std::int64_t first_j = 0;  // of the part in the whole
};

struct EvaluateParameters {
  Quantity quantity = Quantity::rho;
  MixtureParameters mixture;
  bool split = false, axisymmetric = false;
  std::int64_t first_j = 0;
  double factor = 1;          // from scaled numbers to those of the case
  double schlieren_rate = 0;  // k / max |grad rho|, in scaled numbers
};

namespace detail {

template <class R>
struct Mixture {
  R gamma_l, one_over_jump, density_ratio;
  explicit Mixture(const MixtureParameters& p)
      : gamma_l(R(p.gamma_l)),
        one_over_jump(R(p.one_over_jump)),
        density_ratio(R(p.density_ratio)) {}

  template <class T>
  WM_HD T alpha(const T& gamma) const {
    return min_(max_((gamma - gamma_l) * one_over_jump, T(R(0))), T(R(1)));
  }
  template <class T>
  WM_HD T mass_fraction(const T& alpha) const {
    return alpha * rcp_(fma_(T(density_ratio), R(1) - alpha, alpha));
  }
};

template <class S>
WM_HD Conserved<typename S::value_type> stored_at(const S& s) {
  Conserved<typename S::value_type> stored;
  for (int v = 0; v < n_variables; ++v) stored[v] = s(v, 0, 0, 0);
  return stored;
}

template <class S>
WM_HD exec::Place place_of(const S& s) {
  return {s.i, s.j, s.k};
}

template <class T, class S, class Cells>
WM_HD Vec<T, 3> density_gradient(const S& s, const Cells& cells) {
  const auto rho = [&](int di, int dj, int dk) { return s(s_rho, di, dj, dk); };
  const exec::Place at = place_of(s);
  return {{cells.template slope<0, T>(rho, at), cells.template slope<1, T>(rho, at),
           cells.template slope<2, T>(rho, at)}};
}

template <int axis, class T, class S, class Cells>
WM_HD T velocity_slope(const S& s, int component, const Cells& cells) {
  const auto u = [&](int di, int dj, int dk) {
    return s(s_mx + component, di, dj, dk) * rcp_(s(s_rho, di, dj, dk));
  };
  return cells.template slope<axis, T>(u, place_of(s));
}

// Distance of row j from the axis, in spacings.
template <class R>
WM_HD R radius_in_cells(std::int64_t first_j, int j) {
  return R(first_j + j) + R(0.5);
}

template <class T>
WM_HD T speed_of(const Primitive<T>& w) {
  return sqrt_(fma_(w[w_u], w[w_u], fma_(w[w_v], w[w_v], w[w_w] * w[w_w])));
}

}  // namespace detail

template <class R, class Cells>
struct Diagnose {
  static constexpr int sums = sums_end, maxima = maxima_end, extra_index = -1;
  detail::Mixture<R> mixture;
  bool split, axisymmetric;
  std::int64_t first_j;
  Cells cells;

  Diagnose(const DiagnoseParameters& p, const Cells& of)
      : mixture(p.mixture),
        split(p.split),
        axisymmetric(p.axisymmetric),
        first_j(p.first_j),
        cells(of) {}

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const Conserved<T> stored = detail::stored_at(s);
    const Primitive<T> w = primitive_of(stored, split);
    const T speed = detail::speed_of(w);
    const T alpha = mixture.alpha(w[w_gamma]);
    exec::Sample<T, sums, maxima> r;
    r.sum[sum_mass] = w[w_rho];
    for (int a = 0; a < 3; ++a) r.sum[sum_momentum_x + a] = stored[s_mx + a];
    r.sum[sum_energy] = stored[s_energy];
    r.sum[sum_gamma] = w[w_gamma];
    r.sum[sum_pi] = w[w_pi];
    r.sum[sum_gas_volume] = alpha;
    r.sum[sum_gas_mass] = w[w_rho] * mixture.mass_fraction(alpha);
    r.sum[sum_kinetic_energy] = (R(0.5) * w[w_rho]) * (speed * speed);
    if (axisymmetric) {
      const R weight = detail::radius_in_cells<R>(first_j, s.j);
      for (int v = 0; v < sums; ++v) r.sum[v] = r.sum[v] * weight;
    }
    if constexpr (Cells::stretched) {
      const T weight = cells.template weight<T>(detail::place_of(s));
      for (int v = 0; v < sums; ++v) r.sum[v] = r.sum[v] * weight;
    }
    r.maximum[max_p] = w[w_p];
    r.maximum[max_minus_p] = -w[w_p];
    r.maximum[max_mach] = speed * rcp_(detail::sound_of(w).c);
    r.maximum[max_speed] = speed;
    r.maximum[max_rho] = w[w_rho];
    r.maximum[max_minus_rho] = -w[w_rho];
    return r;
  }
};

// Largest signal of a state, before the first step.
template <class AnyFinish>
struct MeasureSignal {
  static constexpr int sums = 0, maxima = 1, extra_index = -1;
  AnyFinish finish;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    const auto w = primitive_of(detail::stored_at(s), finish.split);
    if constexpr (exec::Placed<AnyFinish>) {
      return {{}, {{finish.signal(w, detail::place_of(s))}}};
    } else {
      return {{}, {{finish.signal(w)}}};
    }
  }
};

// Largest |grad rho|.
template <class Cells>
struct MeasureSteepness {
  static constexpr int sums = 0, maxima = 1, extra_index = -1;
  Cells cells;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, 1, 1> operator()(const S& s) const {
    using T = typename S::value_type;
    const Vec<T, 3> g = detail::density_gradient<T>(s, cells);
    return {{}, {{sqrt_(dot(g, g))}}};
  }
};

// Up to three components of a quantity at a point. What needs neighbours needs one valid ghost
// layer.
template <class R, class Cells>
struct Evaluate {
  Quantity quantity;
  detail::Mixture<R> mixture;
  bool split, axisymmetric;
  std::int64_t first_j;
  Cells cells;
  R factor, schlieren_rate;

  Evaluate(const EvaluateParameters& p, const Cells& of)
      : quantity(p.quantity),
        mixture(p.mixture),
        split(p.split),
        axisymmetric(p.axisymmetric),
        first_j(p.first_j),
        cells(of),
        factor(R(p.factor)),
        schlieren_rate(R(p.schlieren_rate)) {}

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    Vec<T, 3> value = scaled_value(s);
    for (int c = 0; c < 3; ++c) value[c] = value[c] * factor;
    return value;
  }

 private:
  template <class S>
  WM_HD Vec<typename S::value_type, 3> scaled_value(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const Primitive<T> w = primitive_of(detail::stored_at(s), split);
    switch (quantity) {
      case Quantity::rho:
        return {{w[w_rho], none, none}};
      case Quantity::velocity:
        return {{w[w_u], w[w_v], w[w_w]}};
      case Quantity::p:
        return {{w[w_p], none, none}};
      case Quantity::alpha:
        return {{mixture.alpha(w[w_gamma]), none, none}};
      case Quantity::gamma:
        return {{w[w_gamma], none, none}};
      case Quantity::pi:
        return {{w[w_pi], none, none}};
      case Quantity::mach:
        return {{detail::speed_of(w) * rcp_(detail::sound_of(w).c), none, none}};
      case Quantity::sound_speed:
        return {{detail::sound_of(w).c, none, none}};
      case Quantity::speed:
        return {{detail::speed_of(w), none, none}};
      case Quantity::energy:
        return {{detail::energy_of(w, w_u, w_v, w_w, false), none, none}};
      case Quantity::vorticity:
        return vorticity<T>(s);
      case Quantity::divergence: {
        T div = slope<0, T>(s, 0) + slope<1, T>(s, 1) + slope<2, T>(s, 2);
        if (axisymmetric) {
          const R inverse_r = cells.inverse_spacing[1] / detail::radius_in_cells<R>(first_j, s.j);
          div = fma_(w[w_v], T(inverse_r), div);
        }
        return {{div, none, none}};
      }
      case Quantity::density_gradient:
        return detail::density_gradient<T>(s, cells);
      case Quantity::schlieren: {
        const Vec<T, 3> g = detail::density_gradient<T>(s, cells);
        return {{exp_(-schlieren_rate * sqrt_(dot(g, g))), none, none}};
      }
      case Quantity::enstrophy: {
        const Vec<T, 3> curl = vorticity<T>(s);
        return {{R(0.5) * dot(curl, curl), none, none}};
      }
      case Quantity::q_criterion: {
        Vec<Vec<T, 3>, 3> g;
        for (int c = 0; c < 3; ++c)
          g[c] = {{slope<0, T>(s, c), slope<1, T>(s, c), slope<2, T>(s, c)}};
        T q = schemes::q_criterion(g);
        if (axisymmetric) {  // u_r/r is the third entry of the diagonal
          const T hoop =
              w[w_v] * (cells.inverse_spacing[1] / detail::radius_in_cells<R>(first_j, s.j));
          q = q - R(0.5) * (hoop * hoop);
        }
        return {{q, none, none}};
      }
      case Quantity::count:
        break;
    }
    return {{none, none, none}};
  }

  template <class T, class S>
  WM_HD Vec<T, 3> vorticity(const S& s) const {
    return {{slope<1, T>(s, 2) - slope<2, T>(s, 1), slope<2, T>(s, 0) - slope<0, T>(s, 2),
             slope<0, T>(s, 1) - slope<1, T>(s, 0)}};
  }
  template <int axis, class T, class S>
  WM_HD T slope(const S& s, int component) const {
    return detail::velocity_slope<axis, T>(s, component, cells);
  }
};

}  // namespace watersmeet::multicomponent
