#pragma once
// A block of two-fluid states for the fused loops and for the reference. Ghosts behind the six
// faces are periodic images; everything else that is not an interior cell (edges and corners of the
// ghost frame, padding) is NaN, so that a loop that lets any of it into a result is found out.

#include <gtest/gtest.h>
#include <cstdint>

#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "memory/state.hpp"
#include "support/two_fluid_reference.hpp"
#include "systems/multicomponent/functors.hpp"

namespace watersmeet::multicomponent {

struct TileShape {
  int i = 0, j = 0, k = 64;  // exec::FaceTilesCpu
};

// Instantiated once for the whole program, in two_fluid_stage.cpp.
template <class R>
void run_stage(const exec::Launch& launch, const Case& of, Variant variant, const TileShape& tiles);
// The general variant cell by cell, without packs.
template <class R>
void run_scalar_stage(const exec::Launch& launch, const Case& of, const TileShape& tiles);

inline const char* name_of(Variant v) {
  return v == Variant::js ? "js" : v == Variant::z ? "z" : "general";
}

// Water- and air-like fluids in units of 1000 kg/m^3 and 1000 m/s.
constexpr double gamma_water = 0.1953125, pi_water = 0.4099921875;
constexpr double gamma_air = 2.5, pi_air = 0.0;

using Primitives = Primitive<double>;

// Pure and mixed cells in any order, with strong jumps.
inline std::function<Primitives(const Index3&)> random_states(unsigned seed, double jump = 1.0) {
  const auto generator = std::make_shared<std::mt19937>(seed);
  return [generator, jump](const Index3&) {
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const double draw = uniform(*generator);
    const double share = 0.5 + jump * (std::min(1.0, std::max(0.0, 1.6 * draw - 0.3)) - 0.5);
    Primitives w;
    w[w_rho] = share * 0.02 + (1 - share) * (1 + 0.1 * uniform(*generator));
    for (int a = 0; a < 3; ++a) w[w_u + a] = jump * (uniform(*generator) - 0.5);
    w[w_p] = 0.1 * std::exp(2 * jump * (uniform(*generator) - 0.5));
    w[w_gamma] = share * gamma_air + (1 - share) * gamma_water;
    w[w_pi] = share * pi_air + (1 - share) * pi_water;
    return w;
  };
}

template <class R>
struct TwoFluidProblem {
  static constexpr Precision precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
  Index3 n;
  memory::State state;
  Case of;
  FlowParameters<double>& flow = of.flow;
  Finish<double>& finish = of.finish;
  exec::Clock clock;
  exec::StageUpdate<double> update;
  TileShape tiles;
  int threads = 1;
  double epsilon = 1e-6;
  std::array<double, 7> scale = {1, 1, 1, 1, 0.5, 2, 0.5};

  explicit TwoFluidProblem(const Index3& cells, const Real3& spacing = {0.5, 0.8, 0.4}) : n(cells) {
    Index3 ghosts;
    double smallest = 1e300;
    for (std::size_t a = 0; a < 3; ++a) {
      ghosts[a] = n[a] > 1 ? 3 : 0;
      const int axis = static_cast<int>(a);
      flow.inverse_spacing[axis] = finish.inverse_spacing[axis] = n[a] > 1 ? 1 / spacing[a] : 0;
      if (n[a] > 1) smallest = std::min(smallest, spacing[a]);
    }
    finish.inverse_smallest = 1 / smallest;
    state = memory::State({{n, ghosts}}, n_variables, 3, precision, Queue{});
    set_weno(epsilon);
    flow.gamma_g = gamma_air;
    flow.gamma_l = gamma_water;
    flow.pi_g = pi_air;
    flow.pi_l = pi_water;
    flow.p_c_g = pi_air / (gamma_air + 1);
    flow.p_c_l = pi_water / (gamma_water + 1);
    clock.active = 1;
    clock.dt = 1;
    update = {exec::UpdateForm::stored, 0, 1, false, true, false};  // the increment is dt R(u)
    for (int r = 0; r < 3; ++r) poison(r);
  }

  void set_weno(double eps) {
    epsilon = eps;
    for (int v = 0; v < n_variables; ++v) {
      const double s = scale[static_cast<std::size_t>(v)];
      flow.weno[v] = {eps, 1 / (4 * s * s)};
    }
  }
  void set_split(bool split) { flow.split = finish.split = split; }

  // Physical constants of the fluids after rounding to R, so that "uniform" means the same bits.
  std::int64_t at(int v, const Index3& c) const {
    const BlockLayout& l = state.layout(0);
    return l.first + v * l.stride_var + l.at(c[0], c[1], c[2]);
  }
  R* start(int reg) const { return static_cast<R*>(state.start(reg)); }
  R& value(int reg, int v, const Index3& c) const { return start(reg)[at(v, c)]; }
  void poison(int reg) {
    std::fill(start(reg), start(reg) + state.layout(0).elements,
              std::numeric_limits<R>::quiet_NaN());
  }
  template <class Visit>
  void for_cells(const Visit& visit) const {
    for (std::int64_t k = 0; k < n[2]; ++k)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) visit(Index3{i, j, k});
  }

  // Interior cells of a register in stored form, and the ghosts behind its faces.
  void fill(const std::function<Primitives(const Index3&)>& f, int reg = 0) {
    for_cells([&](const Index3& c) {
      const Conserved<double> stored = conserved_of(f(c), flow.split);
      for (int v = 0; v < n_variables; ++v) value(reg, v, c) = R(stored[v]);
    });
    fill_ghosts(reg);
  }
  Index3 wrapped(Index3 c) const {
    for (std::size_t a = 0; a < 3; ++a) c[a] = ((c[a] % n[a]) + n[a]) % n[a];
    return c;
  }
  void fill_ghosts(int reg) {
    for_cells([&](const Index3& c) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (n[a] == 1) continue;
        for (std::int64_t m = 1; m <= 3; ++m) {
          Index3 below = c, above = c;
          below[a] = -m;
          above[a] = n[a] - 1 + m;
          for (int v = 0; v < n_variables; ++v) {
            value(reg, v, below) = value(reg, v, wrapped(below));
            value(reg, v, above) = value(reg, v, wrapped(above));
          }
        }
      }
    });
  }
  // What the loops take a cell to be, without further rounding.
  Seven primitive(int reg, const Index3& cell) const {
    const Index3 c = wrapped(cell);
    std::array<Real, 7> s;
    for (int v = 0; v < n_variables; ++v) s[static_cast<std::size_t>(v)] = value(reg, v, c);
    const Real kinetic = (s[1] * s[1] + s[2] * s[2] + s[3] * s[3]) / (2 * s[0]);
    const Real p = (s[4] - kinetic - (flow.split ? 0 : s[6])) / s[5];
    return {s[0], s[1] / s[0], s[2] / s[0], s[3] / s[0], p, s[5], s[6]};
  }
  TwoFluidReference reference(Variant variant) const {
    TwoFluidReference r;
    r.n = n;
    const FlowParameters<R> p = rounded_to<FlowParameters<R>>(flow);
    for (std::size_t a = 0; a < 3; ++a) {
      r.active[a] = n[a] > 1;
      if (r.active[a]) r.h[a] = 1 / Real(p.inverse_spacing[static_cast<int>(a)]);
    }
    r.primitive = [this](const Index3& c) { return primitive(0, c); };
    r.reconstruction = variant == Variant::js  ? Reconstruction::weno5_js
                       : variant == Variant::z ? Reconstruction::weno5_z
                                               : flow.reconstruction;
    r.epsilon = Real(R(epsilon));
    for (std::size_t v = 0; v < 7; ++v) {
      r.scale[v] = std::sqrt(1 / (4 * Real(p.weno[static_cast<int>(v)].inverse_scale)));
    }
    r.compaction = p.compaction;
    r.gamma_g = p.gamma_g;
    r.gamma_l = p.gamma_l;
    r.pi_g = p.pi_g;
    r.pi_l = p.pi_l;
    if (variant != Variant::general) return r;
    r.riemann = p.riemann;
    r.roe_speeds = p.roe_speeds;
    r.positivity = p.positivity;
    r.keep = sizeof(R) == 4 ? R(1e-4) : R(1e-6);
    r.faces_source = p.faces_source;
    r.axisymmetric = p.axisymmetric;
    r.first_j = p.first_j;
    return r;
  }

  exec::Launch launch() {
    exec::Launch l;
    l.registers.layout = &state.layout(0);
    l.registers.in = state.start(0);
    l.registers.out = state.start(1);
    l.registers.increment = state.start(2);
    l.box = {{0, 0, 0}, n};
    l.update = update;
    l.clock = &clock;
    l.queue.threads = threads;
    return l;
  }
  std::unique_ptr<TwoFluidLoops> loops(Variant variant) const {
    return make_loops(Backend::cpu, precision, variant, of);
  }
  void run(Variant variant) { run_stage<R>(launch(), of, variant, tiles); }
  void run(Variant variant, const Box& box) {
    exec::Launch l = launch();
    l.box = box;
    run_stage<R>(l, of, variant, tiles);
  }

  std::vector<R> interior(int reg) const {
    std::vector<R> all;
    for (int v = 0; v < n_variables; ++v) {
      for_cells([&](const Index3& c) { all.push_back(value(reg, v, c)); });
    }
    return all;
  }
};

}  // namespace watersmeet::multicomponent
