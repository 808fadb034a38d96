#pragma once
// Viscosity over terrain, a pass of its own after each explicit stage: momentum diffuses with the
// flux -rho nu grad V, whose work heats, and energy with -rho c_p nu Pi grad theta', Pi the Exner
// function of the reference. With heights z(x, y, zeta) a gradient is
//
//   f_z = f_zeta/z_zeta,   f_x at constant z = f_x along the level - z_x f_z,   likewise along y
//
//        o-------o            face across x: f_x from both cells, f_zeta the mean of what both have
//        |       |            along their columns
//    o---+---o---+---o        face between levels: f_zeta from both, f_x the mean of what both have
//        |       |            along their levels
//        o-------o
//
// and the flux goes through the area vector of the face (medium.hpp): (1, 0, 0) across x,
// (-z_x, -z_y, 1) between levels. z_x is the difference of the heights of the very cells that f_x
// is made of, so that a gradient that is constant in space is exact; it then leaves every cell as
// it is, the area vectors of a cell adding up to 0. Nothing goes through the ground and the lid,
// next to which columns are differenced one-sidedly. Both cells of a face compute its flux from the
// same numbers.

#include "exec/cell_map.hpp"
#include "systems/atmosphere/flow.hpp"
#include "systems/atmosphere/signal.hpp"

namespace watersmeet::atmosphere {

// What diffuses, and rho'.
enum Diffusing : int { d_u, d_v, d_w, d_theta, d_rho, diffusing_values };

// The values of a cell that a stage begins with.
template <class R>
struct DiffusingValues {
  static constexpr int outputs = diffusing_values, extra_index = -1;
  Medium<R> medium;
  R gamma = 0;

  template <class S>
  WM_HD exec::Changed<typename S::value_type, outputs> operator()(const S& s) const {
    using T = typename S::value_type;
    const Place at{s.i, s.j, s.k};
    const T z = medium.template cell_height<T>(at);
    const Reference<T> r = medium.reference_at(z);
    Conserved<T> stored;
    for (int v = 0; v < n_variables; ++v) stored[v] = s(v, 0, 0, 0);
    const Primitive<T> w = primitive_of(FlatMetric{}, stored, r, gamma);
    const T theta = theta_perturbation(w, r, medium.theta_at(z), gamma);
    return {{{w[w_u], w[w_v], w[w_w], theta, w[w_rho]}}, T(R(0))};
  }
};

// Adds `factor` dt times the rate of diffusion to `target`, which is the stage, or the increment of
// a 2N scheme. Reads DiffusingValues. The last stage is finished here.
template <class R>
struct Diffuse {
  static constexpr int outputs = n_variables, extra_index = -1;
  Flow<R, Traits{.terrain = true}> flow;
  const R* target = nullptr;  // cell (0, 0, 0)
  std::int64_t stride_var = 0;
  R factor = 0;
  bool last = false;
  const exec::Clock* clock = nullptr;

  template <class S>
  WM_HD exec::Changed<typename S::value_type, outputs> operator()(const S& s) const {
    using T = typename S::value_type;
    Conserved<T> rate;
    for (int v = 0; v < n_variables; ++v) rate[v] = T(R(0));
    if (flow.active(0)) add_lateral<0>(rate, s);
    if (flow.active(1)) add_lateral<1>(rate, s);
    add_upright(rate, s);
    const Place at{s.i, s.j, s.k};
    const R step = factor * R(clock->dt);
    exec::Changed<T, outputs> changed;
    for (int v = 0; v < n_variables; ++v) {
      changed.value[v] = fma_(T(step), rate[v], load_as<T>(target + v * stride_var + s.offset));
    }
    changed.signal = T(R(0));
    if (last) changed.signal = Finish<Flow<R, Traits{.terrain = true}>>{flow}(changed.value, at);
    return changed;
  }

 private:
  WM_HD const Medium<R>& medium() const { return flow.p.mesh.medium; }

  // Through both faces across x or y, over the volume of the cell.
  template <int axis, class T, class S>
  WM_HD void add_lateral(Conserved<T>& rate, const S& s) const {
    const T per = flow.p.mesh.inverse_spacing[axis] *
                  rcp_(medium().template thickness<T>(c_middle, Place{s.i, s.j, s.k}));
    add_difference(rate, lateral_flux<axis, T>(s, 0), lateral_flux<axis, T>(s, 1), per);
  }
  template <class T, class S>
  WM_HD void add_upright(Conserved<T>& rate, const S& s) const {
    const Place at{s.i, s.j, s.k};
    const R inverse = medium().stretched() ? medium().stretch_value(s.k, t_inverse)
                                           : flow.p.mesh.inverse_spacing[2];
    const T per = inverse * rcp_(medium().template thickness<T>(c_middle, at));
    add_difference(rate, upright_flux<T>(s, 0), upright_flux<T>(s, 1), per);
  }
  template <class T>
  WM_HD static void add_difference(Conserved<T>& rate, const Conserved<T>& lower,
                                   const Conserved<T>& upper, const T& per) {
    for (int v = 0; v < n_variables; ++v) rate[v] = fma_(lower[v] - upper[v], per, rate[v]);
  }

  // Lower (0) or upper (1) face of a cell along x or y.
  template <int axis, class T, class S>
  WM_HD Conserved<T> lateral_flux(const S& s, int up) const {
    constexpr bool x = axis == 0;
    const int ai = x ? up : 0, aj = x ? 0 : up;              // the cell above the face
    const int bi = ai - (x ? 1 : 0), bj = aj - (x ? 0 : 1);  // and below
    const Place above{s.i + ai, s.j + aj, s.k}, below{s.i + bi, s.j + bj, s.k};
    const auto& m = medium();
    const R per_distance = flow.p.mesh.inverse_spacing[axis];
    const T h_above = m.template column<T>(c_middle, above),
            h_below = m.template column<T>(c_middle, below);
    const T slope = (per_distance * m.middle_decay(s.k)) * (h_above - h_below);
    const T upright = rcp_(R(1) - (R(0.5) * m.inverse_depth) * (h_above + h_below));
    Vec<T, d_rho> across;
    for (int v = 0; v < d_rho; ++v) {
      const T per_zeta = R(0.5) * (along_column<T>(s, v, ai, aj) + along_column<T>(s, v, bi, bj));
      across[v] = per_distance * (s(v, ai, aj, 0) - s(v, bi, bj, 0)) - slope * (upright * per_zeta);
    }
    const T area = m.template thickness<T>(x ? c_face_x : c_face_y, above);
    const T z = m.template face_height<axis, T>(above);
    return carried(z, pair<T>(s, ai, aj, 0, bi, bj, 0), across, area);
  }

  // Likewise between levels.
  template <class T, class S>
  WM_HD Conserved<T> upright_flux(const S& s, int up) const {
    const int k = s.k + up;  // of the cell above
    if (k == flow.p.mesh.ground || k == flow.p.mesh.lid) {
      Conserved<T> none;
      for (int v = 0; v < n_variables; ++v) none[v] = T(R(0));
      return none;
    }
    const auto& m = medium();
    const Place above{s.i, s.j, k};
    const R per_distance = distance_inverse(k);
    const R decay = R(0.5) * (m.middle_decay(k) + m.middle_decay(k - 1));
    const T upright = per_distance * rcp_(m.template thickness<T>(c_middle, above));
    const Slope<T> slope = m.template slope<true, T>(above);
    const R half_x = R(0.5) * flow.p.mesh.inverse_spacing[0],
            half_y = R(0.5) * flow.p.mesh.inverse_spacing[1];
    const auto h = [&](int di, int dj) {
      return m.template column<T>(c_middle, Place{s.i + di, s.j + dj, k});
    };
    const T rise_x = (half_x * decay) * (h(1, 0) - h(-1, 0)),
            rise_y = (half_y * decay) * (h(0, 1) - h(0, -1));
    Vec<T, d_rho> across;
    for (int v = 0; v < d_rho; ++v) {
      const T z = upright * (s(v, 0, 0, up) - s(v, 0, 0, up - 1));
      const auto along = [&](R half, int di, int dj) {
        if (half == R(0)) return T(R(0));  // an axis of one cell
        return (R(0.5) * half) * ((s(v, di, dj, up) - s(v, -di, -dj, up)) +
                                  (s(v, di, dj, up - 1) - s(v, -di, -dj, up - 1)));
      };
      const T x = along(half_x, 1, 0) - rise_x * z, y = along(half_y, 0, 1) - rise_y * z;
      across[v] = z - slope.x * x - slope.y * y;
    }
    return carried(m.template face_height<2, T>(above), pair<T>(s, 0, 0, up, 0, 0, up - 1), across,
                   T(R(1)));
  }

  // Means of two cells: velocities and rho'.
  template <class T>
  struct Means {
    T velocity[3], rho;
  };
  template <class T, class S>
  WM_HD static Means<T> pair(const S& s, int ai, int aj, int ak, int bi, int bj, int bk) {
    Means<T> mean;
    const auto of = [&](int v) { return R(0.5) * (s(v, ai, aj, ak) + s(v, bi, bj, bk)); };
    for (int v = 0; v < 3; ++v) mean.velocity[v] = of(d_u + v);
    mean.rho = of(d_rho);
    return mean;
  }

  // The flux of the gradient `across` a face at the height z.
  template <class T>
  WM_HD Conserved<T> carried(const T& z, const Means<T>& mean, const Vec<T, d_rho>& across,
                             const T& area) const {
    const Reference<T> r = medium().reference_at(z);
    // R_d = c_p (1 - 1/gamma); Pi = T/theta of the reference.
    const R gas = flow.p.c_p * (R(1) - R(1) / flow.p.gamma);
    const T exner = r.p * rcp_(r.rho * (gas * medium().theta_at(z)));
    const T mass = (-flow.p.viscosity * area) * (r.rho + mean.rho);
    Conserved<T> flux;
    flux[s_rho] = T(R(0));
    flux[s_energy] = mass * (flow.p.c_p * exner) * across[d_theta];
    for (int v = 0; v < 3; ++v) {
      flux[s_mx + v] = mass * across[d_u + v];
      flux[s_energy] = fma_(flux[s_mx + v], mean.velocity[v], flux[s_energy]);
    }
    return flux;
  }

  // One over the distance of the middles of level k and of the one below, in zeta.
  WM_HD R distance_inverse(int k) const {
    return medium().stretched() ? medium().stretch_value(k, t_inverse_distance)
                                : flow.p.mesh.inverse_spacing[2];
  }

  // The derivative by zeta in a cell, of second order where the thickness of levels is a smooth
  // function; next to the ground and the lid from the two differences on the side of the air.
  template <class T, class S>
  WM_HD T along_column(const S& s, int v, int di, int dj) const {
    const auto difference = [&](int upper) {  // across the lower face of the level `upper` above
      return distance_inverse(s.k + upper) * (s(v, di, dj, upper) - s(v, di, dj, upper - 1));
    };
    if (s.k == flow.p.mesh.ground) return R(1.5) * difference(1) - R(0.5) * difference(2);
    if (s.k + 1 == flow.p.mesh.lid) return R(1.5) * difference(0) - R(0.5) * difference(-1);
    return R(0.5) * (difference(0) + difference(1));
  }
};

}  // namespace watersmeet::atmosphere
