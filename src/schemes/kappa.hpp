#pragma once
// The kappa family of reconstructions of cell averages at both edges of a cell (van Leer 1985,
// Lectures in Applied Mathematics 22, 327), with a transverse term and limiters.
//
//        cells     below    here    above            d- = here - below,  d+ = above - here
//                         |      |
//        edges of here  lower  upper
//
//   upper = here + (1 + k)/4 d+ + (1 - k)/4 d- + c3 L
//   lower = here - (1 + k)/4 d- - (1 - k)/4 d+ + c3 L
//
// k = 0 is Fromm's scheme, 1/3 the upwind-biased one of third order, 1/2 QUICK. L is the undivided
// second difference of the cell across the axis: with c3 = -1/24 it turns the average over a face
// into the value at its centre. Everything is written in differences of neighbours, so that a
// uniform field gives its value without rounding, and so that the mirror image of the cells gives
// the mirror image of the edges to the last bit.
//
// Limited, an edge is here +- slope/2 with a slope that vanishes at extrema:
//   minmod    the smaller of d+ and d-
//   van_leer  their harmonic mean
//   tvd       the kappa scheme's own slope, no larger than 2 d+ and 2 d- (Koren's at k = 1/3)
//
// Where cells are not equally wide, an edge is that of here + (x/h) s + (3k/2)(x^2/h^2 - 1/12) c,
// with x from the middle of the cell of width h, and with the slope s and the curvature c of the
// parabola that has the averages of the three cells: exact for straight lines, for parabolas with
// k = 1/3, and on equal cells what stands above. Limiters compare the differences as slopes, over
// the distance of the middles, and stay between the cells.

#include "core/math.hpp"
#include "schemes/edge_values.hpp"

namespace watersmeet::schemes {

enum class Limiter : int { none, minmod, van_leer, tvd };

template <class R>
struct KappaWeights {
  R toward = 0, away = 0;  // of the difference on the side of the edge, and of the other one
  R transverse = 0;        // c3
};

template <class R>
WM_HD KappaWeights<R> kappa_weights(R kappa, R transverse = R(0)) {
  return {R(0.25) * (R(1) + kappa), R(0.25) * (R(1) - kappa), transverse};
}

// Without a limiter and without the transverse term.
template <class T>
WM_HD EdgeValues<T> kappa_edges(const T& below, const T& here, const T& above,
                                const KappaWeights<RealOf<T>>& w) {
  const T up = above - here, down = here - below;
  return {fma_(T(-w.toward), down, fma_(T(-w.away), up, here)),
          fma_(T(w.toward), up, fma_(T(w.away), down, here))};
}

// Half the limited slope towards the edge on whose side the difference `toward` is; both
// differences point the same way.
template <class T>
WM_HD T limited_half_slope(const T& toward, const T& away, const KappaWeights<RealOf<T>>& w,
                           Limiter limiter) {
  using R = RealOf<T>;
  const T product = toward * away, none = T(R(0));
  const auto monotonic = product > none;
  if (limiter == Limiter::van_leer) {
    return select(monotonic, product * rcp_(toward + away), none);
  }
  const T least = min_(abs_(toward), abs_(away));
  T size = R(0.5) * least;
  if (limiter == Limiter::tvd) {
    size = min_(abs_(w.toward * toward + w.away * away), least);
  }
  return select(monotonic, select(toward > none, size, -size), none);
}

template <class T>
WM_HD EdgeValues<T> limited_edges(const T& below, const T& here, const T& above,
                                  const KappaWeights<RealOf<T>>& w, Limiter limiter) {
  const T up = above - here, down = here - below;
  return {here - limited_half_slope(down, up, w, limiter),
          here + limited_half_slope(up, down, w, limiter)};
}

// On cells that are not equally wide: upper = here + upper_up d+ + upper_down d-,
// lower = here - lower_up d+ - lower_down d-.
template <class R>
struct UnevenKappaWeights {
  R upper_up = 0, upper_down = 0, lower_up = 0, lower_down = 0;
};
template <class R>
WM_HD UnevenKappaWeights<R> uneven_kappa_weights(R below, R here, R above, R kappa) {
  const R share = here / (below + here + above), curved = R(1.5) * kappa * here;
  const R up = share / (here + above), down = share / (below + here);
  const R slope_up = below + R(0.5) * here, slope_down = above + R(0.5) * here;
  return {up * (slope_up + curved), down * (slope_down - curved), up * (slope_up - curved),
          down * (slope_down + curved)};
}
template <class T>
WM_HD EdgeValues<T> uneven_kappa_edges(const T& below, const T& here, const T& above,
                                       const UnevenKappaWeights<RealOf<T>>& w) {
  const T up = above - here, down = here - below;
  return {fma_(T(-w.lower_down), down, fma_(T(-w.lower_up), up, here)),
          fma_(T(w.upper_up), up, fma_(T(w.upper_down), down, here))};
}

// Limited. share_up, share_down: the cell's width over its distance from the middle of the cell
// above and below, which make differences those over its own width.
template <class T>
WM_HD EdgeValues<T> limited_uneven_edges(const T& below, const T& here, const T& above,
                                         const UnevenKappaWeights<RealOf<T>>& w, RealOf<T> share_up,
                                         RealOf<T> share_down, Limiter limiter) {
  using R = RealOf<T>;
  const T up = above - here, down = here - below;
  const T slope_up = share_up * up, slope_down = share_down * down;
  const T least = min_(abs_(up), abs_(down)), none = T(R(0));
  const auto monotonic = slope_up * slope_down > none;
  const auto signed_size = [&](const T& size) {
    const T within = min_(size, least);
    return select(monotonic, select(up > none, within, -within), none);
  };
  if (limiter == Limiter::tvd) {
    return {here - signed_size(abs_(w.lower_up * up + w.lower_down * down)),
            here + signed_size(abs_(w.upper_up * up + w.upper_down * down))};
  }
  const T half =
      signed_size(abs_(limited_half_slope(slope_up, slope_down, KappaWeights<R>{}, limiter)));
  return {here - half, here + half};
}

// L on cells that are not equally wide: up d+ - down d-, the square of the cell's width times the
// second derivative of that parabola; on equal cells 1 and 1.
template <class R>
struct UnevenCurvatureWeights {
  R up = 1, down = 1;
};
template <class R>
WM_HD UnevenCurvatureWeights<R> uneven_curvature_weights(R below, R here, R above) {
  const R share = R(6) * here * here / (below + here + above);
  return {share / (here + above), share / (below + here)};
}

// c3 L, which both edges take on.
template <class T>
WM_HD T transverse_term(const T& left, const T& here, const T& right,
                        const KappaWeights<RealOf<T>>& w) {
  return w.transverse * ((right - here) - (here - left));
}

}  // namespace watersmeet::schemes
