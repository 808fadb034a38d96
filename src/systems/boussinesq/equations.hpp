#pragma once
// Boussinesq equations of incompressible, buoyant flow, per unit mass:
//
//   (1)  du/dt = -div(u u) + nu lap u - grad p + e_g sum_s B_s s - f x u - d u + a
//   (2)  ds/dt = -div(u s) + kappa_s lap s + q_s               s: temperature, then further scalars
//   (3)  div u = 0
//
// after Cohen and Molemaker (2009), with rotation, on a beta plane with f_z + beta (y - y_0), linear
// drag d, accelerations, sources and several scalars. The pressure, which follows from (3), is in projection.hpp.
//
// e_g points against gravity. Second-order central differences in flux form on a staggered grid
// (Harlow and Welch 1965, Phys. Fluids 8, 2182); every flux is the same expression on both sides of
// its face, so that sums telescope, and with div u = 0 the advection keeps kinetic energy and s^2.
//
//        +----v(j+1)----+
//        |              |          u on the low x face of its cell, v on the low y face,
//       u(i)    s     u(i+1)       w on the low z face; p and scalars at the centre
//        |              |
//        +-----v(j)-----+
//
// Along z widths and distances of centres come from tables. Along x and y cells are equal, or not:
// Metrics and StretchedMetrics.

#include <cstdint>

#include "core/math.hpp"
#include "core/table_address.hpp"
#include "core/vec.hpp"

namespace watersmeet::boussinesq {

enum Variables : int { velocity_x = 0, velocity_y = 1, velocity_z = 2, temperature = 3 };
constexpr int most_scalars = 9;  // temperature among them
constexpr int first_scalar = temperature, most_variables = first_scalar + most_scalars;

// How a transported value on a face is made from those on its sides. Upwind is of first order: for
// comparison with programs that use it. Limited, of scalars alone, is in limited.hpp.
enum class Advection : int { centred, upwind, limited };

template <class R>
struct Metrics {
  static constexpr bool stretched = false;
  R inverse_x = 0, inverse_y = 0;       // 1/h; 0 along an axis of one cell, like the tables
  const R* inverse_width = nullptr;     // 1/dz of cell k, -1 .. n
  const R* inverse_distance = nullptr;  // 1/(z_k - z_(k-1)) of centres, face k, 0 .. n

  // Inverses of the width of the cell and of the distance over the face below it, moved by `by` along the axis.
  template <int axis, class S>
  WM_HD R over_width(const S& s, int by = 0) const {
    if constexpr (axis == 2) return inverse_width[s.k + by];
    return axis == 0 ? inverse_x : inverse_y;
  }
  template <int axis, class S>
  WM_HD R over_distance(const S& s, int by = 0) const {
    if constexpr (axis == 2) return inverse_distance[s.k + by];
    return axis == 0 ? inverse_x : inverse_y;
  }
  WM_HD R over_width_at(int axis, int cell) const {
    return axis == 2 ? inverse_width[cell] : axis == 0 ? inverse_x : inverse_y;
  }
  WM_HD R over_distance_at(int axis, int face) const {
    return axis == 2 ? inverse_distance[face] : axis == 0 ? inverse_x : inverse_y;
  }
};

// The same where cells along x or y differ: tables of all axes, those along x read cell by cell.
template <class R>
struct StretchedMetrics {
  static constexpr bool stretched = true;
  Vec<const R*, 3> inverse_width{}, inverse_distance{};

  template <int axis, class S>
  WM_HD auto over_width(const S& s, int by = 0) const {
    return entry<axis>(inverse_width[axis] + by, s);
  }
  template <int axis, class S>
  WM_HD auto over_distance(const S& s, int by = 0) const {
    return entry<axis>(inverse_distance[axis] + by, s);
  }
  WM_HD R over_width_at(int axis, int cell) const { return inverse_width[axis][cell]; }
  WM_HD R over_distance_at(int axis, int face) const { return inverse_distance[axis][face]; }

 private:
  template <int axis, class S>
  WM_HD static auto entry(const R* table, const S& s) {
    if constexpr (axis == 0) {
      return load_as<typename S::value_type>(table + s.i);
    } else {
      return table[axis == 1 ? s.j : s.k];
    }
  }
};

// Which faces of a block are walls and so not advanced: the lowest ones along each axis. Factors of
// the first cells of a row, of which only that of cell 0 can be 0.
template <class R>
struct Advanced {
  static constexpr int widest_pack = 16;
  R x[widest_pack + 1];
  bool wall_y = false, wall_z = false;
  template <class S>
  WM_HD typename S::value_type along_x(const S& s) const {
    return load_as<typename S::value_type>(x + (s.i == 0 ? 0 : 1));
  }
  template <class S>
  WM_HD R along_y(const S& s) const {
    return wall_y && s.j == 0 ? R(0) : R(1);
  }
  template <class S>
  WM_HD R along_z(const S& s) const {
    return wall_z && s.k == 0 ? R(0) : R(1);
  }
};
template <class R>
Advanced<R> advanced_faces(const bool (&wall)[3]) {
  Advanced<R> a;
  for (R& factor : a.x) factor = R(1);
  if (wall[0]) a.x[0] = R(0);
  a.wall_y = wall[1];
  a.wall_z = wall[2];
  return a;
}

template <class R>
struct Coefficients {
  R viscosity = 0;
  Vec<R, most_scalars> diffusivity{};
  Vec<Vec<R, most_scalars>, 3> buoyancy{};  // B_s e_g
  Vec<R, 3> acceleration{};
  Vec<R, most_scalars> source{};
  bool rotating = false;
  Vec<R, 3> coriolis{};  // f, twice the angular velocity
  // On a beta plane beta (y - y_0) of the low y face of row j, which adds to f_z; else null.
  TableAddress<R> planetary;
  R drag = 0;  // d
  // Accelerations and sources that vary in space: one field a variable, congruent with the state,
  // or null.
  TableAddress<R> fields;
  std::int64_t fields_stride = 0;
};

// Transport of a value from one side of a face to the other by the velocity through it.
template <Advection advection, class T>
WM_HD T transport(const T& velocity, const T& below, const T& above) {
  using R = RealOf<T>;
  if constexpr (advection == Advection::centred) return velocity * (R(0.5) * (below + above));
  return velocity * select(velocity > T(R(0)), below, above);
}

// e_g . sum_s B_s s of the first scalars on the low face along an axis.
template <int axis, class R, class S>
WM_HD typename S::value_type buoyancy(const Coefficients<R>& c, int scalars, const S& s) {
  typename S::value_type sum = R(0);
  for (int n = 0; n < scalars; ++n) {
    const int var = first_scalar + n;
    sum += (R(0.5) * c.buoyancy[axis][n]) *
           (s(var, -(axis == 0), -(axis == 1), -(axis == 2)) + s(var, 0, 0, 0));
  }
  return sum;
}

template <class R, int n_variables, Advection advection, class M = Metrics<R>>
struct RightHandSide {
  static constexpr int outputs = n_variables, inputs = n_variables, radius = 1;
  static constexpr int scalars = n_variables - first_scalar;
  static constexpr bool heavy = false, history = true,
                        rings = advection == Advection::centred && !M::stretched;

  M m;
  Coefficients<R> c;
  Advanced<R> advanced;

  // u_by u_to, momentum along `to` through the low edge of the axes `to` and `by`; the edge is moved
  // by (di, dj, dk).
  template <int to, int by, class S>
  WM_HD typename S::value_type edge_flux(const S& s, int di, int dj, int dk) const {
    using T = typename S::value_type;
    constexpr int bx = by == 0, by_ = by == 1, bz = by == 2, tx = to == 0, ty = to == 1,
                  tz = to == 2;
    const T through = R(0.5) * (s(by, di - tx, dj - ty, dk - tz) + s(by, di, dj, dk));
    return transport<advection>(through, s(to, di - bx, dj - by_, dk - bz), s(to, di, dj, dk));
  }
  // The same along its own axis, at the centre of the cell moved by (di, dj, dk).
  template <int axis, class S>
  WM_HD typename S::value_type centre_flux(const S& s, int di, int dj, int dk) const {
    using T = typename S::value_type;
    const T below = s(axis, di, dj, dk),
            above = s(axis, di + (axis == 0), dj + (axis == 1), dk + (axis == 2));
    return transport<advection>(R(0.5) * (below + above), below, above);
  }
  // u_by u_to above a point of the component `to` along `by`, less that below.
  template <int to, int by, class S>
  WM_HD typename S::value_type difference_of_fluxes(const S& s) const {
    constexpr int x = by == 0, y = by == 1, z = by == 2;
    if constexpr (to == by) return centre_flux<to>(s, 0, 0, 0) - centre_flux<to>(s, -x, -y, -z);
    if constexpr (to != by) return edge_flux<to, by>(s, x, y, z) - edge_flux<to, by>(s, 0, 0, 0);
  }
  // Over the distance along `by` of points between which a point of the component `to` lies.
  template <int to, int by, class S>
  WM_HD auto over_step(const S& s) const {
    if constexpr (to == by) return m.template over_distance<by>(s);
    if constexpr (to != by) return m.template over_width<by>(s);
  }
  // div(u u) along an axis.
  template <int to, class S>
  WM_HD typename S::value_type divergence_of_flux(const S& s) const {
    return difference_of_fluxes<to, 0>(s) * over_step<to, 0>(s) +
           difference_of_fluxes<to, 1>(s) * over_step<to, 1>(s) +
           difference_of_fluxes<to, 2>(s) * over_step<to, 2>(s);
  }

  // Second difference along an axis of uneven cells, of values at centres along it or on its faces.
  template <int axis, bool on_faces, class S>
  WM_HD typename S::value_type second_difference(const S& s, int var) const {
    constexpr int x = axis == 0, y = axis == 1, z = axis == 2;
    const auto here = s(var, 0, 0, 0);
    const auto up = s(var, x, y, z) - here, down = here - s(var, -x, -y, -z);
    if constexpr (on_faces) {
      return (up * m.template over_width<axis>(s) - down * m.template over_width<axis>(s, -1)) *
             m.template over_distance<axis>(s);
    }
    return (up * m.template over_distance<axis>(s, 1) - down * m.template over_distance<axis>(s)) *
           m.template over_width<axis>(s);
  }
  // Second differences along x and y of a component of the velocity, or with -1 of a scalar; and along
  // z for values in the middle of z cells.
  template <int component, class S>
  WM_HD typename S::value_type laplacian_xy(const S& s, int var) const {
    if constexpr (M::stretched) {
      return second_difference<0, component == 0>(s, var) +
             second_difference<1, component == 1>(s, var);
    } else {
      return uniform_laplacian_xy(s, var);
    }
  }
  template <class S>
  WM_HD typename S::value_type uniform_laplacian_xy(const S& s, int var) const {
    const auto here = s(var, 0, 0, 0);
    return ((s(var, 1, 0, 0) - here) - (here - s(var, -1, 0, 0))) * (m.inverse_x * m.inverse_x) +
           ((s(var, 0, 1, 0) - here) - (here - s(var, 0, -1, 0))) * (m.inverse_y * m.inverse_y);
  }
  template <class S>
  WM_HD typename S::value_type laplacian_z(const S& s, int var) const {
    const auto here = s(var, 0, 0, 0);
    return ((s(var, 0, 0, 1) - here) * m.template over_distance<2>(s, 1) -
            (here - s(var, 0, 0, -1)) * m.template over_distance<2>(s)) *
           m.template over_width<2>(s);
  }
  template <class S>
  WM_HD typename S::value_type laplacian_w(const S& s) const {
    const auto here = s(velocity_z, 0, 0, 0);
    return ((s(velocity_z, 0, 0, 1) - here) * m.template over_width<2>(s) -
            (here - s(velocity_z, 0, 0, -1)) * m.template over_width<2>(s, -1)) *
           m.template over_distance<2>(s);
  }

  // lap of a component of the velocity.
  template <int axis, class S>
  WM_HD typename S::value_type laplacian(const S& s) const {
    if constexpr (axis == 2) return laplacian_xy<axis>(s, axis) + laplacian_w(s);
    return laplacian_xy<axis>(s, axis) + laplacian_z(s, axis);
  }

  // Mean of the component `of` around a point of the component `at`.
  template <int at, int of, class S>
  WM_HD typename S::value_type around(const S& s) const {
    constexpr int x = at == 0, y = at == 1, z = at == 2, ox = of == 0, oy = of == 1, oz = of == 2;
    return R(0.25) * ((s(of, -x, -y, -z) + s(of, 0, 0, 0)) +
                      (s(of, ox - x, oy - y, oz - z) + s(of, ox, oy, oz)));
  }

  // -f x u.
  template <class S, class T>
  WM_HD void add_rotation(const S& s, Vec<T, n_variables>& r) const {
    constexpr int x = velocity_x, y = velocity_y, z = velocity_z;
    const Vec<R, 3>& f = c.coriolis;
    r[x] += f[2] * around<x, y>(s) - f[1] * around<x, z>(s);
    r[y] += f[0] * around<y, z>(s) - f[2] * around<y, x>(s);
    r[z] += f[1] * around<z, x>(s) - f[0] * around<z, y>(s);
  }
  // The part of f_z that varies with y. It stands at the points of v, so that what u gains v loses.
  template <class S, class T>
  WM_HD void add_beta(const S& s, Vec<T, n_variables>& r) const {
    constexpr int x = velocity_x, y = velocity_y;
    const R below = c.planetary[s.j], above = c.planetary[s.j + 1];
    r[x] += (R(0.25) * below) * (s(y, -1, 0, 0) + s(y, 0, 0, 0)) +
            (R(0.25) * above) * (s(y, -1, 1, 0) + s(y, 0, 1, 0));
    r[y] -= below * around<y, x>(s);
  }

  // (1) but for the pressure, and (2).
  template <class S>
  WM_HD Vec<typename S::value_type, n_variables> operator()(const S& s) const {
    using T = typename S::value_type;
    constexpr int x = velocity_x, y = velocity_y, z = velocity_z;
    Vec<T, n_variables> r;
    r[x] = -divergence_of_flux<x>(s);
    r[y] = -divergence_of_flux<y>(s);
    r[z] = -divergence_of_flux<z>(s);
    r[x] += c.viscosity * laplacian<x>(s) + buoyancy<x>(c, scalars, s);
    r[y] += c.viscosity * laplacian<y>(s) + buoyancy<y>(c, scalars, s);
    r[z] += c.viscosity * laplacian<z>(s) + buoyancy<z>(c, scalars, s);
    for (int a = 0; a < 3; ++a) r[a] += c.acceleration[a] - c.drag * s(a, 0, 0, 0);
    if (c.rotating) add_rotation(s, r);
    if (c.planetary) add_beta(s, r);
    for (int n = 0; n < scalars; ++n) r[first_scalar + n] = scalar_rate(s, n);
    if (c.fields) {
      for (int var = 0; var < n_variables; ++var)
        r[var] += load_as<T>(c.fields + var * c.fields_stride + s.offset);
    }
    r[x] *= advanced.along_x(s);
    r[y] *= advanced.along_y(s);
    r[z] *= advanced.along_z(s);
    return r;
  }

  // kappa lap s and the source of a scalar, without what varies in space.
  template <class S>
  WM_HD typename S::value_type diffused_and_made(const S& s, int n) const {
    const int var = first_scalar + n;
    return c.diffusivity[n] * (laplacian_xy<-1>(s, var) + laplacian_z(s, var)) + c.source[n];
  }

  template <class S>
  WM_HD typename S::value_type scalar_rate(const S& s, int n) const {
    using T = typename S::value_type;
    const int var = first_scalar + n;
    const auto flux = [&](int axis, int di, int dj, int dk) -> T {
      return transport<advection>(s(axis, di, dj, dk),
                                  s(var, di - (axis == 0), dj - (axis == 1), dk - (axis == 2)),
                                  s(var, di, dj, dk));
    };
    const T advected = (flux(0, 1, 0, 0) - flux(0, 0, 0, 0)) * m.template over_width<0>(s) +
                       (flux(1, 0, 1, 0) - flux(1, 0, 0, 0)) * m.template over_width<1>(s) +
                       (flux(2, 0, 0, 1) - flux(2, 0, 0, 0)) * m.template over_width<2>(s);
    return c.diffusivity[n] * (laplacian_xy<-1>(s, var) + laplacian_z(s, var)) - advected +
           c.source[n];
  }
};

}  // namespace watersmeet::boussinesq
