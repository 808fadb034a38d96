#pragma once
// Random forcing: one plane wave a step, f(x) = Re{ N f_k exp(i k.x + i phi) }, with k, its
// polarisation and phi redrawn every step from a counter-based generator keyed by (seed, step), so
// that nothing but the step number must be kept.
//
//   e      unit vector in the plane perpendicular to k at a random angle
//   f_k    [ k x e + i sigma khat x (k x e) ] / ( sqrt(1 + sigma^2) |k x e| )
//
// sigma = 0: non-helical; sigma = +1: curl f = +|k| f, positive helicity (the sign of Pencil Code).
// The mean square of f is N^2/2 for every sigma. N = f0 c sqrt(|k| c / dt), |k| being the mean over
// the shell or that of the drawn vector. Sources: Pekkila et al. (2017), equations 24 and 25;
// Brandenburg (2001), ApJ 550, 824.
//
// Kick: N dt f is added to u once after the last stage. Inside: N f is a term of the equation,
// constant over the step.

#include <cstdint>
#include <numbers>

#include "core/vec.hpp"
#include "exec/clock.hpp"
#include "schemes/forcing_wave.hpp"
#include "schemes/philox.hpp"

namespace watersmeet::systems {

enum class ForcingPlace : int { none, kick, inside };

// How the forcing of a run is drawn (forcing.hpp). Vectors are integer triples in device memory.
struct Forcing {
  ForcingPlace place = ForcingPlace::none;
  const std::int32_t* wave_vectors = nullptr;  // [count][3]
  std::int32_t count = 0;
  std::uint64_t seed = 0;
  double amplitude = 0, helicity = 0, mean_wavenumber = 0;
  double sound_speed = 1;
  bool mean_normalisation = true;
  double unit_wavenumber[3] = {1, 1, 1};  // 2 pi / L
  double lower[3] = {0, 0, 0}, spacing[3] = {1, 1, 1};
  std::int32_t n[3] = {1, 1, 1};      // of the whole domain
  std::int64_t first[3] = {0, 0, 0};  // global index of entry 0 of each axis table
  std::int64_t cells_of_all = 1;      // of the whole domain
  std::int64_t table_offset[3] = {0, 0,
                                  0};  // of the axis tables: values of re, then of im at + padded n
  std::int64_t table_size[3] = {0, 0, 0};  // padded lengths
  void* table = nullptr;                   // vector[6], then the tables, in the run's precision
};

struct DrawnWave {
  std::int32_t number[3];  // integer wave vector
  double k[3];             // k_a = number_a 2 pi / L_a
  double phase;            // in [-pi, pi)
  Vec<double, 3> re, im;   // F_re, F_im, |F_re|^2 + |F_im|^2 = 1 (times the amplitude once applied)
};

// Pure: the wave of a step without its amplitude.
WM_HD DrawnWave draw_wave(const Forcing& f, std::int64_t step) {
  constexpr double pi = std::numbers::pi;
  const schemes::Philox4 r = schemes::philox4x32(f.seed, static_cast<std::uint64_t>(step));
  DrawnWave w;
  const double uniform = schemes::to_unit_interval(r.v[0]);
  std::int32_t index = static_cast<std::int32_t>(uniform * f.count);
  if (index >= f.count) index = f.count - 1;
  double k2 = 0;
  for (int a = 0; a < 3; ++a) {
    w.number[a] = f.wave_vectors[3 * index + a];
    w.k[a] = w.number[a] * f.unit_wavenumber[a];
    k2 += w.k[a] * w.k[a];
  }
  const double psi = 2.0 * pi * schemes::to_unit_interval(r.v[1]);
  w.phase = pi * (2.0 * schemes::to_unit_interval(r.v[2]) - 1.0);
  const double magnitude = sqrt(k2);
  const Vec<double, 3> khat = {{w.k[0] / magnitude, w.k[1] / magnitude, w.k[2] / magnitude}};
  // Any axis not along k starts the basis of the perpendicular plane.
  const bool along_x = w.number[1] == 0 && w.number[2] == 0;
  const Vec<double, 3> axis = {{along_x ? 0.0 : 1.0, along_x ? 1.0 : 0.0, 0.0}};
  Vec<double, 3> e1 = cross(khat, axis);
  const double length = sqrt(dot(e1, e1));
  for (int a = 0; a < 3; ++a) e1[a] /= length;
  const Vec<double, 3> e2 = cross(khat, e1);
  Vec<double, 3> e;
  for (int a = 0; a < 3; ++a) e[a] = cos(psi) * e1[a] + sin(psi) * e2[a];
  const Vec<double, 3> transverse = cross(khat, e);  // (k x e) / |k x e|: e is perpendicular to k
  const Vec<double, 3> rotated = cross(khat, transverse);
  const double scale = 1.0 / sqrt(1.0 + f.helicity * f.helicity);
  for (int a = 0; a < 3; ++a) {
    w.re[a] = scale * transverse[a];
    w.im[a] = scale * f.helicity * rotated[a];
  }
  return w;
}

// What F is multiplied by: N dt for a kick, N inside the equation.
WM_HD double forcing_amplitude(const Forcing& f, const DrawnWave& w, double dt) {
  const double k = f.mean_normalisation ? f.mean_wavenumber
                                        : sqrt(w.k[0] * w.k[0] + w.k[1] * w.k[1] + w.k[2] * w.k[2]);
  const double n = f.amplitude * f.sound_speed * sqrt(k * f.sound_speed / dt);
  return f.place == ForcingPlace::kick ? n * dt : n;
}

// How the work of a step's kick is counted, for any units of the case. W bounds the work on a point
// that moves at signal * h, which no point outruns (but along an axis of one cell). A cell counts W
// as 2^(b - 1) to 2^b units, b = min(40, 56 - ceil(log2 N)): N cells make at most 2^56 of them,
// which leaves room for a mean work of 127 W, and for cells of 2048 W (work_units_of()). The
// rounding of a cell is at most 2^-b W, up or down, and so is lost in the mean: b = 32 for 256^3
// cells (a work in single precision has 24 bits), 26 for 1024^3 and 16 for 2^40.
WM_HD void set_kick_work_unit(const Forcing& f, double amplitude, exec::Clock& clock) {
  clock.work_scale = clock.work_unit = 0.0;
  if (f.place != ForcingPlace::kick) return;
  double widest = 0.0;
  for (int a = 0; a < 3; ++a) widest = f.n[a] > 1 && f.spacing[a] > widest ? f.spacing[a] : widest;
  const double bound = amplitude * (clock.signal * widest + amplitude);
  if (!(bound > 1e-280 && bound < 1e280)) return;  // nothing that a kick could add
  int log2_cells = 0, exponent = 0;
  while ((std::int64_t{1} << log2_cells) < f.cells_of_all) ++log2_cells;
  frexp(bound, &exponent);
  const int bits = log2_cells < 16 ? 40 : 56 - log2_cells;
  clock.work_scale = ldexp(1.0, bits - exponent);
  clock.work_unit = ldexp(1.0, exponent - bits) / static_cast<double>(f.cells_of_all);
}

// Writes one entry of the tables of a step: `entry` runs over the padded x, y and z tables, then
// the six components of F.
template <class R>
WM_HD void write_forcing_entry(const Forcing& f, const DrawnWave& w, double amplitude,
                               std::int64_t entry) {
  R* const table = static_cast<R*>(f.table);
  for (int axis = 0; axis < 3; ++axis) {
    if (entry < f.table_size[axis]) {
      const double x = f.lower[axis] + static_cast<double>(f.first[axis] + entry) * f.spacing[axis];
      const double phase = w.k[axis] * x + (axis == 0 ? w.phase : 0.0);
      table[f.table_offset[axis] + entry] = R(cos(phase));
      table[f.table_offset[axis] + f.table_size[axis] + entry] = R(sin(phase));
      return;
    }
    entry -= f.table_size[axis];
  }
  if (entry < 3) table[entry] = R(amplitude * w.re[static_cast<int>(entry)]);
  if (entry >= 3 && entry < 6) table[entry] = R(amplitude * w.im[static_cast<int>(entry) - 3]);
}
WM_HD std::int64_t forcing_entries(const Forcing& f) {
  return f.table_size[0] + f.table_size[1] + f.table_size[2] + 6;
}

// What a step begins with (exec/begin_step.hpp).
template <class R>
struct PrepareForcing {
  Forcing forcing;
  struct Drawn {
    DrawnWave wave;
    double amplitude;
  };
  WM_HD bool wanted() const { return forcing.place != ForcingPlace::none; }
  WM_HD Drawn draw(exec::Clock& clock) const {
    Drawn d;
    d.wave = draw_wave(forcing, clock.step);
    d.amplitude = forcing_amplitude(forcing, d.wave, clock.dt);
    set_kick_work_unit(forcing, d.amplitude, clock);
    return d;
  }
  WM_HD std::int64_t entries() const { return forcing_entries(forcing); }
  WM_HD void write(const Drawn& d, std::int64_t entry) const {
    write_forcing_entry<R>(forcing, d.wave, d.amplitude, entry);
  }
};

template <class R>
schemes::ForcingWave<R> wave_of(const Forcing& f) {
  const R* const t = static_cast<const R*>(f.table);
  schemes::ForcingWave<R> w;
  w.vector = t;
  w.x_re = t + f.table_offset[0];
  w.x_im = w.x_re + f.table_size[0];
  w.y_re = t + f.table_offset[1];
  w.y_im = w.y_re + f.table_size[1];
  w.z_re = t + f.table_offset[2];
  w.z_im = w.z_re + f.table_size[2];
  return w;
}

}  // namespace watersmeet::systems
