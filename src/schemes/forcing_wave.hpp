#pragma once
// The plane wave of a random forcing at a cell, from tables along the axes: what the right-hand sides and the kicks of several systems add
// (systems/forcing.hpp draws it).

#include "core/host_device.hpp"
#include "core/math.hpp"
#include "core/vec.hpp"

namespace watersmeet::schemes {

// Standing wave of the forcing of one step, F_re cos(k.x + phi) - F_im sin(k.x + phi), amplitude
// included. The tables hold exp(i k_a x_a) of the cells of each axis as (re, im) pairs; phi is
// inside the x table. They are in device memory and are rewritten at the beginning of each step.
template <class R>
struct ForcingWave {
  const R* vector = nullptr;  // F_re[3], F_im[3]
  const R *x_re = nullptr, *x_im = nullptr, *y_re = nullptr, *y_im = nullptr, *z_re = nullptr,
          *z_im = nullptr;
};

// Re{ F exp(i k.x + i phi) } at cell (i, j, k) (its first lane).
template <class T, class R>
WM_HD Vec<T, 3> forcing_at(const ForcingWave<R>& f, int i, int j, int k) {
  const R yz_re = f.y_re[j] * f.z_re[k] - f.y_im[j] * f.z_im[k];
  const R yz_im = f.y_re[j] * f.z_im[k] + f.y_im[j] * f.z_re[k];
  const T x_re = load_as<T>(f.x_re + i);
  const T x_im = load_as<T>(f.x_im + i);
  const T c = x_re * yz_re - x_im * yz_im;
  const T s = x_re * yz_im + x_im * yz_re;
  return {{f.vector[0] * c - f.vector[3] * s, f.vector[1] * c - f.vector[4] * s,
           f.vector[2] * c - f.vector[5] * s}};
}

// Adds the kick of a step to the velocity, variables `first` to first + 2 of `value`, and returns its
// work per mass.
template <int first, class T, class R, int variables>
WM_HD T add_kick(Vec<T, variables>& value, const ForcingWave<R>& forcing, int i, int j, int k) {
  const Vec<T, 3> f = forcing_at<T>(forcing, i, j, k);
  T work = T(R(0));
  for (int a = 0; a < 3; ++a) {
    // |u + f|^2 / 2 - |u|^2 / 2
    work += f[a] * (value[first + a] + R(0.5) * f[a]);
    value[first + a] += f[a];
  }
  return work;
}

// Adds to the rates of the velocity what a case may give besides: the body acceleration e.acceleration, a field, and the forcing where it is
// constant over the step.
template <int first, class S, class E, class T, class R, int variables>
WM_HD void add_forces(const S& s, const E& e, const ForcingWave<R>& forcing,
                      Vec<T, variables>& rates) {
  if (e.acceleration) {
    for (int a = 0; a < 3; ++a)
      rates[first + a] += load_as<T>(e.acceleration + a * e.acceleration_stride + s.offset);
  }
  if (e.force_inside) {
    const Vec<T, 3> f = forcing_at<T>(forcing, s.i, s.j, s.k);
    for (int a = 0; a < 3; ++a) rates[first + a] += f[a];
  }
}

}  // namespace watersmeet::schemes
