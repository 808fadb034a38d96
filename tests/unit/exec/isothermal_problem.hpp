#pragma once
// A periodic box of random numbers, stored for the fused loops (with exchanged ghosts) and for the
// reference.

#include <gtest/gtest.h>
#include <cstdint>

#include <limits>
#include <random>

#include "comm/exact_reduction.hpp"
#include "comm/exchange.hpp"
#include "isothermal_reference.hpp"
#include "mesh/box.hpp"
#include "support/view.hpp"
#include "systems/forcing.hpp"

namespace watersmeet::isothermal {

inline const std::vector<Index3> awkward_sizes = {{1, 1, 1},  {7, 1, 1},  {1, 7, 1},  {1, 1, 5},
                                                  {2, 3, 1},  {3, 2, 4},  {5, 7, 3},  {17, 1, 2},
                                                  {1, 2, 13}, {13, 5, 7}, {33, 3, 2}, {6, 20, 18}};

inline Physics physics_of(double nu, double zeta, double hyper, bool upwind_density,
                          bool upwind_velocity) {
  Physics p;
  p.sound_speed = 1.3;
  p.viscosity = nu;
  p.bulk_viscosity = zeta;
  p.hyperviscosity = hyper;
  p.upwind_density = upwind_density;
  p.upwind_velocity = upwind_velocity;
  return p;
}

template <class R>
Real tolerance() {
  return 200 * std::numeric_limits<R>::epsilon();
}
inline exec::StageUpdate<double> whole_step() {
  return {exec::UpdateForm::two, 0.0, 1.0, false, true, true};  // out = u + dt R
}

template <class R>
struct Problem {
  static constexpr Precision precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
  static constexpr double spacing[3] = {0.5, 0.8, 0.4};
  Queue queue;
  mesh::Mesh mesh;
  memory::State state, divergence, acceleration;
  std::unique_ptr<comm::Team> team;
  comm::Exchange exchange, divergence_exchange;
  Reference reference;
  exec::Clock clock;
  Forcing forcing;
  Case of;  // as loops() finds it
  std::vector<R> table;
  std::vector<std::int32_t> wave_vectors;
  std::mt19937 generator{42};

  explicit Problem(const Index3& n, const Physics& physics = {}, int threads = 1)
      : queue{Backend::cpu, nullptr, threads},
        mesh(mesh::make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true})) {
    const std::vector<Index3> widths = {{3, n[1] == 1 ? 0 : 3, n[2] == 1 ? 0 : 3}};
    const std::vector<memory::BlockShape> shapes = {{n, widths[0]}};
    state = memory::State(shapes, 4, 3, precision, queue);
    divergence = memory::State(shapes, 1, 1, precision, queue);
    acceleration = memory::State(shapes, 3, 1, precision, queue);
    const std::vector<mesh::Part> whole = {{0, mesh.block(0).interior(), 0}};
    const comm::Domain domain(mesh, whole, 0);
    team = std::make_unique<comm::Team>(queue);
    exchange = comm::Exchange(domain, mesh::plan_ghosts(mesh, widths, mesh::GhostReach::edges),
                              state, *team, queue);
    divergence_exchange = comm::Exchange(
        domain, mesh::plan_ghosts(mesh, widths, mesh::GhostReach::faces), divergence, *team, queue);
    reference.n = n;
    reference.physics = physics;
    for (std::size_t a = 0; a < 3; ++a)
      reference.physics.inverse_spacing[a] = n[a] > 1 ? 1.0 / spacing[a] : 0.0;
    for (int v = 0; v < 4; ++v) reference.f[v] = randomise(state, 0, v);
    for (int reg = 1; reg < 3; ++reg) {
      for (int v = 0; v < 4; ++v) randomise(state, reg, v);
    }
    exchange.fill(state, 0, queue);
    clock.active = 1;
    clock.dt = 0.5;
  }

  // Random numbers into a variable; returns them as the reference sees them.
  std::vector<Real> randomise(memory::State& target, int reg, int variable) {
    std::uniform_real_distribution<R> uniform(R(-0.4), R(0.4));
    const std::size_t count = static_cast<std::size_t>(mesh.block(0).interior().count());
    std::vector<R> values(count);
    for (R& x : values) x = uniform(generator);
    memory::copy_interior_from_host(target, reg, 0, variable, values.data(), queue);
    return {values.begin(), values.end()};
  }
  std::vector<R> interior(int reg, int variable) const {
    std::vector<R> values(static_cast<std::size_t>(mesh.block(0).interior().count()));
    memory::copy_interior_to_host(state, reg, 0, variable, values.data(), queue);
    return values;
  }
  std::vector<char> bytes(int reg) const {
    const char* const p = static_cast<const char*>(state.start(reg));
    return {p, p + state.register_bytes()};
  }
  R& cell(int reg, int variable, const Index3& c) {
    return test::make_view<R>(state.start(reg), state.layout(0))(variable, c[0], c[1], c[2]);
  }

  void add_acceleration() {
    const auto fields = std::make_shared<std::array<std::vector<Real>, 3>>();
    for (int a = 0; a < 3; ++a)
      (*fields)[static_cast<std::size_t>(a)] = randomise(acceleration, 0, a);
    reference.force = [this, fields](const Index3& c) {
      const std::size_t p = reference.index(c);
      return std::array<Real, 3>{(*fields)[0][p], (*fields)[1][p], (*fields)[2][p]};
    };
    accelerated = true;
  }

  // One wave vector; tables are sized as the system does.
  void add_forcing(ForcingPlace place, double helicity) {
    const Index3 n = reference.n;
    forcing.place = place;
    std::int64_t at = 8;
    for (std::size_t a = 0; a < 3; ++a) {
      wave_vectors.push_back(n[a] > 1 ? 2 - 3 * static_cast<int>(a) : 0);  // 2, -1, -4
      forcing.unit_wavenumber[a] = 6.283185307179586 / (spacing[a] * static_cast<double>(n[a]));
      forcing.lower[a] = 0.3 - static_cast<double>(a);
      forcing.spacing[a] = spacing[a];
      forcing.n[a] = static_cast<std::int32_t>(n[a]);
      forcing.table_size[a] = n[a] + 32;
      forcing.cells_of_all *= n[a];
      forcing.table_offset[a] = at;
      at += 2 * forcing.table_size[a];
    }
    table.assign(static_cast<std::size_t>(at), R(0));
    forcing.table = table.data();
    forcing.wave_vectors = wave_vectors.data();
    forcing.count = 1;
    forcing.seed = 1234;
    forcing.amplitude = 0.7;
    forcing.helicity = helicity;
    forcing.sound_speed = reference.physics.sound_speed;
    forcing.mean_wavenumber = 1.9;
    if (place == ForcingPlace::inside)
      reference.force = [this](const Index3& c) { return forcing_force(c); };
  }
  // N Re{ f_k exp(i k.x + i phi) } with N = f0 c sqrt(k_f c / dt).
  std::array<Real, 3> forcing_force(const Index3& c, std::int64_t step = 0) const {
    const systems::DrawnWave w = systems::draw_wave(forcing, step);
    Real phase = w.phase;
    for (std::size_t a = 0; a < 3; ++a) {
      phase += Real(w.k[a]) * (Real(forcing.lower[a]) + Real(c[a]) * Real(forcing.spacing[a]));
    }
    const Real amplitude = Real(0.7) * forcing.sound_speed *
                           std::sqrt(Real(1.9) * forcing.sound_speed / Real(clock.dt));
    std::array<Real, 3> f{};
    for (std::size_t a = 0; a < 3; ++a) {
      const int i = static_cast<int>(a);
      f[a] = amplitude * (w.re[i] * std::cos(phase) - w.im[i] * std::sin(phase));
    }
    return f;
  }

  exec::Launch launch(Method method) {
    exec::Launch l;
    l.registers = {&state.layout(0),
                   state.start(0),
                   state.start(1),
                   state.start(2),
                   method == Method::points19 ? divergence.start(0) : nullptr,
                   &divergence.layout(0)};
    l.box = mesh.block(0).interior();
    l.clock = &clock;
    l.queue = queue;
    return l;
  }
  std::unique_ptr<systems::CentralLoops> loops(Method method, bool extended) {
    of.physics = reference.physics;
    of.forcing = forcing;
    of.acceleration = accelerated ? acceleration.start(0) : nullptr;
    of.acceleration_layout = &acceleration.layout(0);
    return make_loops(Backend::cpu, precision, {method, extended ? Terms::extended : Terms::plain},
                      of);
  }
  // Sums and maxima of the time series.
  std::vector<double> diagnose(Method method) {
    const auto made = loops(method, false);
    const exec::Launch l = launch(method);
    std::vector<double> results(n_sums + n_maxima);
    const auto self = comm::make_self();
    comm::reduce_exactly(
        *self, n_sums, n_maxima, mesh.block(0).interior().count(),
        [&](double* largest) { made->measure(l, largest); },
        [&](const exec::SumScale* scales, std::int64_t* high_low) {
          made->count(l, scales, high_low);
        },
        results.data());
    return results;
  }
  // Divergence pass of the 19-point method, then the stage.
  void run(Method method, bool extended, const exec::Launch& l) {
    const auto made = loops(method, extended);
    if (method == Method::points19) {
      exec::Launch d = l;
      d.registers.out = divergence.start(0);
      d.box = mesh.block(0).interior();
      made->pass(0, d);
      divergence_exchange.fill(divergence, 0, queue);
    }
    made->stage(l);
  }
  bool accelerated = false;
};

}  // namespace watersmeet::isothermal
