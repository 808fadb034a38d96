#pragma once
// Pointwise diagnostics and derived quantities of the Boussinesq system: what the time series sums
// and what snapshots hold.
//
// Squares of differences stand where their differences are: on faces and edges, half of each given
// to the cells on both sides. With the ghosts of Dirichlet conditions that is the discrete identity
// -sum q lap q = sum (grad q)^2 to round-off, walls included, so that budgets close and the
// formulas for the Nusselt number agree in a steady state.

#include "exec/sample.hpp"
#include "schemes/velocity_gradient.hpp"
#include "systems/boussinesq/projection.hpp"

namespace watersmeet::boussinesq {

// Sums over cells, weighted with their volumes over the mean where they stand for volume integrals.
enum Sums : int {
  sum_u2,  // squares of the components, means of both faces
  sum_v2,
  sum_w2,
  sum_temperature,
  sum_temperature2,
  sum_scalar_a,  // two further scalars (DiagnoseParameters), where there are such
  sum_scalar_b,
  sum_buoyancy_work,       // u . e_g sum_s B_s s
  sum_flux,                // u_h T along the heated axis h
  sum_velocity_gradient2,  // |grad u|^2
  sum_temperature_gradient2,
  sum_lower_gradient,  // dT/dx_h at the lower and upper side of the heated axis, over its plates
  sum_upper_gradient,
  sums_end
};
enum Maxima : int {
  max_u,
  max_v,
  max_w,
  max_divergence,
  max_temperature,
  max_minus_temperature,
  maxima_end
};

// What the diagnostics need beside the equations.
struct DiagnoseParameters {
  int scalars = 1;
  int first_further = 1;  // the two scalars from this one on are summed
  int heated_axis = 2;
  bool lower_plate = false, upper_plate = false;  // whether this part touches them
  int last_cell = 0;                              // of this part, along the heated axis
};

template <class R, class M = Metrics<R>>
struct Diagnose {
  static constexpr int sums = sums_end, maxima = maxima_end, extra_index = -1;
  M m;
  Coefficients<R> c;
  Vec<const R*, 3> weight{};  // width over its mean along each axis; of x and y where cells differ
  // 1 at the first and the last cell of a row of the part, else 0.
  const R *first_of_row = nullptr, *last_of_row = nullptr;
  DiagnoseParameters p;

  // (d var / d axis)^2 on the low face or edge of a value that stands in the middle along the axis.
  template <class S>
  WM_HD typename S::value_type low_square(const S& s, int var, int axis, int at) const {
    const int i = axis == 0 ? at : 0, j = axis == 1 ? at : 0, k = axis == 2 ? at : 0;
    const auto difference =
        s(var, i, j, k) - s(var, i - (axis == 0), j - (axis == 1), k - (axis == 2));
    return sq(difference);
  }
  // |grad var|^2 of a cell; `along`: the axis on whose faces var stands, or -1.
  template <class S>
  WM_HD typename S::value_type gradient_square(const S& s, int var, int along) const {
    using T = typename S::value_type;
    T sum = R(0);
    if constexpr (M::stretched) {
      sum = uneven_square<0>(s, var, along) + uneven_square<1>(s, var, along);
    } else {
      const R inverse[2] = {m.inverse_x, m.inverse_y};
      for (int axis = 0; axis < 2; ++axis) {
        const T pair = axis == along
                           ? low_square(s, var, axis, 1)
                           : R(0.5) * (low_square(s, var, axis, 0) + low_square(s, var, axis, 1));
        sum += pair * (inverse[axis] * inverse[axis]);
      }
    }
    return sum + uneven_square<2>(s, var, along);
  }
  template <int axis, class S>
  WM_HD typename S::value_type uneven_square(const S& s, int var, int along) const {
    if (along == axis) return low_square(s, var, axis, 1) * sq(m.template over_width<axis>(s));
    // Distance times square of the slope, halves of which belong to this cell, over its width.
    return R(0.5) *
           (low_square(s, var, axis, 0) * m.template over_distance<axis>(s) +
            low_square(s, var, axis, 1) * m.template over_distance<axis>(s, 1)) *
           m.template over_width<axis>(s);
  }
  // Width of the cell over the mean, across the axes that are left out of a product.
  template <int axis, class S>
  WM_HD auto weight_along(const S& s) const {
    if constexpr (axis == 0) return load_as<typename S::value_type>(weight[0] + s.i);
    if constexpr (axis == 1) return weight[1][s.j];
    if constexpr (axis == 2) return weight[2][s.k];
  }
  // Volume of the cell over the mean.
  template <class S>
  WM_HD auto volume(const S& s) const {
    if constexpr (M::stretched) {
      return weight_along<0>(s) * (weight_along<1>(s) * weight_along<2>(s));
    } else {
      return weight_along<2>(s);
    }
  }
  // At the low face of the cell, or the high one, along the heated axis: 1 over the distance of the
  // centres, times the area of the face over the mean.
  template <class S>
  WM_HD typename S::value_type plate_factor(const S& s, bool upper) const {
    using T = typename S::value_type;
    const int by = upper ? 1 : 0;
    if constexpr (M::stretched) {
      if (p.heated_axis == 0) {
        return m.template over_distance<0>(s, by) * (weight_along<1>(s) * weight_along<2>(s));
      }
      if (p.heated_axis == 1) {
        return weight_along<0>(s) * (m.template over_distance<1>(s, by) * weight_along<2>(s));
      }
      return weight_along<0>(s) * (m.template over_distance<2>(s, by) * weight_along<1>(s));
    } else {
      if (p.heated_axis == 2) return T(m.template over_distance<2>(s, by));
      return T(weight_along<2>(s) * (p.heated_axis == 0 ? m.inverse_x : m.inverse_y));
    }
  }

  // Mean over both faces along an axis of velocity times the mean of a scalar.
  template <class S>
  WM_HD typename S::value_type carried(const S& s, int axis, int var) const {
    using T = typename S::value_type;
    const int x = axis == 0, y = axis == 1, z = axis == 2;
    const T here = s(var, 0, 0, 0);
    return R(0.25) * (s(axis, 0, 0, 0) * (s(var, -x, -y, -z) + here) +
                      s(axis, x, y, z) * (here + s(var, x, y, z)));
  }

  // 1 in cells at the lower (upper) plate of the heated axis, else 0.
  template <class S>
  WM_HD typename S::value_type at_plate(const S& s, bool upper) const {
    using T = typename S::value_type;
    if (!(upper ? p.upper_plate : p.lower_plate)) return T(R(0));
    if (p.heated_axis == 0) return load_as<T>((upper ? last_of_row : first_of_row) + s.i);
    const int at = p.heated_axis == 1 ? s.j : s.k;
    return T(at == (upper ? p.last_cell : 0) ? R(1) : R(0));
  }

  template <class S>
  WM_HD typename S::value_type divergence(const S& s) const {
    return (s(0, 1, 0, 0) - s(0, 0, 0, 0)) * m.template over_width<0>(s) +
           (s(1, 0, 1, 0) - s(1, 0, 0, 0)) * m.template over_width<1>(s) +
           (s(2, 0, 0, 1) - s(2, 0, 0, 0)) * m.template over_width<2>(s);
  }

  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    using T = typename S::value_type;
    const auto dz = volume(s);
    exec::Sample<T, sums, maxima> r;
    r.sum[sum_u2] = (R(0.5) * dz) * (sq(s(0, 0, 0, 0)) + sq(s(0, 1, 0, 0)));
    r.sum[sum_v2] = (R(0.5) * dz) * (sq(s(1, 0, 0, 0)) + sq(s(1, 0, 1, 0)));
    r.sum[sum_w2] = (R(0.5) * dz) * (sq(s(2, 0, 0, 0)) + sq(s(2, 0, 0, 1)));
    const T t = s(temperature, 0, 0, 0);
    r.sum[sum_temperature] = dz * t;
    r.sum[sum_temperature2] = dz * sq(t);
    const int a_scalar = p.first_further, b_scalar = a_scalar + 1;
    r.sum[sum_scalar_a] = p.scalars > a_scalar ? dz * s(temperature + a_scalar, 0, 0, 0) : T(R(0));
    r.sum[sum_scalar_b] = p.scalars > b_scalar ? dz * s(temperature + b_scalar, 0, 0, 0) : T(R(0));
    T work = R(0);
    for (int n = 0; n < p.scalars; ++n) {
      for (int a = 0; a < 3; ++a) {
        if (c.buoyancy[a][n] != R(0)) work += c.buoyancy[a][n] * carried(s, a, first_scalar + n);
      }
    }
    r.sum[sum_buoyancy_work] = dz * work;
    r.sum[sum_flux] = dz * carried(s, p.heated_axis, temperature);
    r.sum[sum_velocity_gradient2] =
        dz * (gradient_square(s, 0, 0) + gradient_square(s, 1, 1) + gradient_square(s, 2, 2));
    r.sum[sum_temperature_gradient2] = dz * gradient_square(s, temperature, -1);
    const int x = p.heated_axis == 0, y = p.heated_axis == 1, z = p.heated_axis == 2;
    r.sum[sum_lower_gradient] =
        at_plate(s, false) * (t - s(temperature, -x, -y, -z)) * plate_factor(s, false);
    r.sum[sum_upper_gradient] =
        at_plate(s, true) * (s(temperature, x, y, z) - t) * plate_factor(s, true);
    r.maximum[max_u] = abs_(s(0, 0, 0, 0));
    r.maximum[max_v] = abs_(s(1, 0, 0, 0));
    r.maximum[max_w] = abs_(s(2, 0, 0, 0));
    r.maximum[max_divergence] = abs_(divergence(s));
    r.maximum[max_temperature] = t;
    r.maximum[max_minus_temperature] = -t;
    return r;
  }
};

// Output quantities; names, units and components are in output.cpp in the same order.
enum class Quantity : int {
  velocity,
  temperature,
  pressure,
  speed,
  vorticity,
  divergence,
  dissipation,
  thermal_dissipation,
  enstrophy,
  helicity,
  q_criterion,
  further_scalar  // and those after it
};

// Up to three components of a quantity at the centre of a cell.
template <class R, class M = Metrics<R>>
struct Evaluate {
  Diagnose<R, M> d;
  OtherArray<R> phi;
  R inverse_dt = 0;  // p = phi / dt
  Quantity quantity = Quantity::velocity;

  // Velocity along an axis at the centre of the cell moved by (di, dj, dk).
  template <int axis, class S>
  WM_HD typename S::value_type centred(const S& s, int di, int dj, int dk) const {
    return R(0.5) *
           (s(axis, di, dj, dk) + s(axis, di + (axis == 0), dj + (axis == 1), dk + (axis == 2)));
  }
  // Central difference of it along another axis.
  template <int of, int along, class S>
  WM_HD typename S::value_type slope(const S& s) const {
    constexpr int x = along == 0, y = along == 1, z = along == 2;
    return (centred<of>(s, x, y, z) - centred<of>(s, -x, -y, -z)) *
           inverse_of_two_distances<along>(s);
  }
  template <class S>
  WM_HD Vec<typename S::value_type, 3> vorticity(const S& s) const {
    return {{slope<2, 1>(s) - slope<1, 2>(s), slope<0, 2>(s) - slope<2, 0>(s),
             slope<1, 0>(s) - slope<0, 1>(s)}};
  }
  // 1 over what lies between the centres of the cells on both sides; 0 along an axis of one cell.
  template <int axis, class S>
  WM_HD auto inverse_of_two_distances(const S& s) const {
    const auto a = d.m.template over_distance<axis>(s), b = d.m.template over_distance<axis>(s, 1);
    if constexpr (!M::stretched && axis < 2) {
      return R(0.5) * a;
    } else if constexpr (axis > 0) {
      return a > R(0) ? a * b / (a + b) : R(0);
    } else {
      using T = typename S::value_type;
      const T one = T(R(1)), none = T(R(0)), sum = a + b;
      return select(sum > none, a * b * rcp_(select(sum > none, sum, one)), none);
    }
  }

  template <class S>
  WM_HD Vec<typename S::value_type, 3> operator()(const S& s) const {
    using T = typename S::value_type;
    const T none = T(R(0));
    const Vec<T, 3> u = {{centred<0>(s, 0, 0, 0), centred<1>(s, 0, 0, 0), centred<2>(s, 0, 0, 0)}};
    switch (quantity) {
      case Quantity::velocity:
        return u;
      case Quantity::temperature:
        return {{s(boussinesq::temperature, 0, 0, 0), none, none}};
      case Quantity::pressure:
        return {{phi.template at<T>(s, 0, 0, 0, 0) * inverse_dt, none, none}};
      case Quantity::speed:
        return {{sqrt_(dot(u, u)), none, none}};
      case Quantity::vorticity:
        return vorticity(s);
      case Quantity::divergence:
        return {{d.divergence(s), none, none}};
      case Quantity::dissipation:
        return {{d.c.viscosity * (d.gradient_square(s, 0, 0) + d.gradient_square(s, 1, 1) +
                                  d.gradient_square(s, 2, 2)),
                 none, none}};
      case Quantity::thermal_dissipation:
        return {
            {d.c.diffusivity[0] * d.gradient_square(s, boussinesq::temperature, -1), none, none}};
      case Quantity::enstrophy: {
        const Vec<T, 3> curl = vorticity(s);
        return {{R(0.5) * dot(curl, curl), none, none}};
      }
      case Quantity::helicity:
        return {{dot(u, vorticity(s)), none, none}};
      case Quantity::q_criterion: {
        // Slopes of a component along its own axis are those of the two faces of the cell.
        const T du = (s(0, 1, 0, 0) - s(0, 0, 0, 0)) * d.m.template over_width<0>(s),
                dv = (s(1, 0, 1, 0) - s(1, 0, 0, 0)) * d.m.template over_width<1>(s),
                dw = (s(2, 0, 0, 1) - s(2, 0, 0, 0)) * d.m.template over_width<2>(s);
        const Vec<Vec<T, 3>, 3> g = {{{{du, slope<0, 1>(s), slope<0, 2>(s)}},
                                      {{slope<1, 0>(s), dv, slope<1, 2>(s)}},
                                      {{slope<2, 0>(s), slope<2, 1>(s), dw}}}};
        return {{schemes::q_criterion(g), none, none}};
      }
      case Quantity::further_scalar:
        break;
    }
    const int further = static_cast<int>(quantity) - static_cast<int>(Quantity::further_scalar);
    return {{s(boussinesq::temperature + 1 + further, 0, 0, 0), none, none}};
  }
};

}  // namespace watersmeet::boussinesq
