#pragma once
// Advection and diffusion of a scalar q with constant velocity a and diffusivity kappa on a periodic box:
//
//   dq/dt + a . grad q = kappa lap q
//
// once by fluxes through faces (exec/face.hpp), once by central differences at points (exec/cell.hpp).

#include <memory>

#include "exec/face.hpp"
#include "exec/loops.hpp"
#include "exec/sample.hpp"
#include "schemes/central.hpp"

namespace watersmeet::advection {
enum class Form : int { face, cell };

// Parameters of a case. Inverse spacing is 0 along an axis of one cell; signal: sum |a_i| / h_i.
struct Case {
  Real3 velocity{}, inverse_spacing{};
  double diffusivity = 0, signal = 0;
};

template <class R>
struct Coefficients {
  R velocity[3], inverse_spacing[3], kappa;
  explicit Coefficients(const Case& c) : kappa(R(c.diffusivity)) {
    for (int a = 0; a < 3; ++a) velocity[a] = R(c.velocity[std::size_t(a)]);
    for (int a = 0; a < 3; ++a) inverse_spacing[a] = R(c.inverse_spacing[std::size_t(a)]);
  }
};

// The face form: q are means over cells. The value at a face is that of the polynomial of fourth degree with the means of five cells, upwind
// of the face; the derivative there, times h, is that of the cubic with the means of the four cells about the face.
template <class R>
struct Fluxes : Coefficients<R> {
  static constexpr int variables = 1, states = 2, seen = 1, records = 1, kept = 0, radius = 3;
  static constexpr bool heavy = false;
  using Coefficients<R>::Coefficients, Coefficients<R>::velocity, Coefficients<R>::inverse_spacing;
  WM_HD bool active(int axis) const { return inverse_spacing[axis] > R(0); }
  template <class T>
  WM_HD Vec<T, 2> state(const Vec<T, 1>& q) const {
    return {{q[0], T(R(0))}};
  }
  template <class T, class Window>
  WM_HD exec::Edges<T, 2> edges(const Window& q) const {
    const T a = q(0, -2), b = q(0, -1), c = q(0, 0), d = q(0, 1), e = q(0, 2);
    const R w = R(1.0 / 60.0), s = R(1.0 / 12.0);
    return {{{w * (R(27) * b + R(47) * c - R(13) * d + R(2) * e - R(3) * a),
              s * (R(15) * (c - b) - (d - a))}},
            {{w * (R(27) * d + R(47) * c - R(13) * b + R(2) * a - R(3) * e),
              s * (R(15) * (d - c) - (e - b))}},
            T(R(0))};
  }
  template <class T>
  WM_HD Vec<T, 0> keep(const exec::Edges<T, 2>&, const Vec<T, 2>&) const {
    return {};
  }
  template <int axis, class T>
  WM_HD Vec<T, 1> flux(const Vec<T, 2>& left, const Vec<T, 2>& right) const {
    const T upwind = velocity[axis] > R(0) ? left[0] : right[0];
    const R conductance = R(0.5) * this->kappa * inverse_spacing[axis];
    return {{velocity[axis] * upwind - conductance * (left[1] + right[1])}};
  }
  template <int axis, class T>
  WM_HD void add(Vec<T, 1>& rate, const Vec<T, 1>& lower, const Vec<T, 1>& upper, const Vec<T, 2>&,
                 const Vec<T, 0>&, int) const {
    rate[0] = rate[0] + inverse_spacing[axis] * (lower[0] - upper[0]);
  }
};

// The cell form: q are values at points.
template <class R>
struct Differences : Coefficients<R> {
  static constexpr int inputs = 1, outputs = 1, radius = schemes::radius6;
  static constexpr bool heavy = false, rings = false;
  schemes::Weights6<R> w;
  explicit Differences(const Case& c)
      : Coefficients<R>(c), w(schemes::make_weights6<R>(c.inverse_spacing.data())) {}
  template <class S>
  WM_HD Vec<typename S::value_type, 1> operator()(const S& s) const {
    using schemes::second6;
    const auto g = schemes::gradient6(s, 0, w);
    const auto laplacian = second6<0>(s, 0, w) + second6<1>(s, 0, w) + second6<2>(s, 0, w);
    const R* const a = this->velocity;
    return {{this->kappa * laplacian - (a[0] * g[0] + a[1] * g[1] + a[2] * g[2])}};
  }
};

// Of the last stage. 0 q makes the signal of a value that is not finite no number, which stops the run.
template <class R>
struct Finish {
  R signal;
  template <class T>
  WM_HD T operator()(Vec<T, 1>& q) const {
    return T(signal) + R(0) * q[0];
  }
};

// The time series; the extra variable is the closed form.
enum Sums : int { sum_q, sum_error2, n_sums, n_maxima = 1 };  // the maximum is not shown
struct Diagnose {
  static constexpr int sums = n_sums, maxima = n_maxima, extra_index = 1;
  template <class S>
  WM_HD exec::Sample<typename S::value_type, sums, maxima> operator()(const S& s) const {
    const auto q = s(0, 0, 0, 0), error = q - s(1, 0, 0, 0);
    return {{{q, error * error}}, {{abs_(q)}}};
  }
};

// Of one back end and number type; variants.hpp defines it for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<exec::Loops> make(Form form, const Case& of);
};

}  // namespace watersmeet::advection
