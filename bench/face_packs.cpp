// What packs gain: a stage of two fluids on one core, by the loop that the program uses and by the
// same loop, compiled with the same flags, that takes one cell after the other. Both must give the
// same numbers. Prints time per cell and right-hand side and the ratio, in both precisions.
//
//   cmake --build build/release --target bench_face_packs
//   taskset -c 0 build/release/bench/bench_face_packs [CELLS [SAMPLES]]
//
// CELLS: along each axis, 96 when not given. SAMPLES: of which the median counts, 5 when not given;
// those of the two loops take turns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "exec/face_cpu.hpp"
#include "memory/state.hpp"
#include "systems/multicomponent/functors.hpp"

namespace watersmeet::multicomponent {
namespace {

constexpr Variant variant = Variant::js;
constexpr double gamma_water = 0.1953125, pi_water = 0.4099921875, gamma_air = 2.5;

// A bubble of air in water with waves in both and a jump of pressure through its middle, in units
// of 1000 kg/m^3 and 1000 m/s. Every cell, ghosts included, follows from its place.
Primitive<double> primitive_at(double x, double y, double z) {
  const double distance = std::hypot(x - 0.5, y - 0.5, z - 0.5);
  const double air = 0.5 - 0.5 * std::tanh(40 * (distance - 0.25));
  const double wave = std::sin(6.2832 * x) * std::cos(12.566 * y) * std::cos(18.85 * z);
  Primitive<double> w;
  w[w_rho] = 1.204e-3 * air + (1 - air) * (1 + 0.01 * wave);
  for (int a = 0; a < 3; ++a) w[w_u + a] = 0.02 * wave;
  w[w_p] = (x < 0.5 ? 0.04 : 1e-4) * (1 + 0.1 * wave);
  w[w_gamma] = gamma_air * air + gamma_water * (1 - air);
  w[w_pi] = pi_water * (1 - air);
  return w;
}

template <class R>
struct Problem {
  static constexpr Precision precision = sizeof(R) == 8 ? Precision::double_ : Precision::single_;
  memory::State state;
  Case of;
  FlowParameters<double>& flow = of.flow;
  Finish<double>& finish = of.finish;
  exec::Clock clock;

  explicit Problem(std::int64_t n)
      : state({{{n, n, n}, {3, 3, 3}}}, n_variables, 3, precision, Queue{}) {
    const double h = 1 / static_cast<double>(n);
    const double largest[n_variables] = {1, 1, 1, 1, 0.4, 2.5, 0.4};
    for (int a = 0; a < 3; ++a) flow.inverse_spacing[a] = finish.inverse_spacing[a] = 1 / h;
    for (int v = 0; v < n_variables; ++v) flow.weno[v] = {1e-6, 1 / (4 * largest[v] * largest[v])};
    flow.split = finish.split = precision == Precision::single_;
    clock.active = 1;
    clock.dt = 0.1 * h;
    const BlockLayout& l = state.layout(0);
    for (std::int64_t k = -3; k < n + 3; ++k)
      for (std::int64_t j = -3; j < n + 3; ++j)
        for (std::int64_t i = -3; i < n + 3; ++i) {
          const auto centre = [&](std::int64_t m) { return (static_cast<double>(m) + 0.5) * h; };
          const Conserved<double> s =
              conserved_of(primitive_at(centre(i), centre(j), centre(k)), flow.split);
          for (int v = 0; v < n_variables; ++v)
            values(0)[l.first + v * l.stride_var + l.at(i, j, k)] = R(s[v]);
        }
  }
  R* values(int reg) const { return static_cast<R*>(state.start(reg)); }

  // The first stage of a step, which reads no increment: repeated, it does the same again.
  template <class T>
  void run() {
    exec::Launch l;
    const BlockLayout& layout = state.layout(0);
    l.registers = {&layout, state.start(0), state.start(1), state.start(2), nullptr, nullptr};
    l.box = {{0, 0, 0}, {layout.n[0], layout.n[1], layout.n[2]}};
    l.update = {exec::UpdateForm::stored, 0, 0.25, false, true, true};
    using F = Functors<R, variant>;
    exec::face_stage_cpu_as<T>(exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(of),
                               F::finish(of), &clock, 1, {});
  }

  // What a stage has written.
  std::vector<R> result() const {
    std::vector<R> all;
    const BlockLayout& l = state.layout(0);
    for (const int reg : {1, 2})
      for (int v = 0; v < n_variables; ++v)
        for (std::int64_t k = 0; k < l.n[2]; ++k)
          for (std::int64_t j = 0; j < l.n[1]; ++j)
            for (std::int64_t i = 0; i < l.n[0]; ++i)
              all.push_back(values(reg)[l.first + v * l.stride_var + l.at(i, j, k)]);
    all.push_back(R(exec::bits_to_double(clock.signal_bits)));
    return all;
  }
};

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

// Prints a line; whether both loops gave the same numbers.
template <class R>
bool compare(std::int64_t n, int samples) {
  Problem<R> p(n);
  const auto stages = [&]<class T>(int count) {
    return 1e9 / (static_cast<double>(n * n * n) * count) * seconds_of(Queue{}, [&] {
             for (int s = 0; s < count; ++s) p.template run<T>();
           });
  };
  const auto packs = [&](int count) { return stages.template operator()<Pack<R>>(count); };
  const auto scalars = [&](int count) { return stages.template operator()<R>(count); };
  packs(1);
  const std::vector<R> of_packs = p.result();
  p.clock.signal_bits = 0;
  scalars(1);
  const bool same = p.result() == of_packs;
  const auto enough = [&](double ns) {  // half a second a sample
    return std::max(1, static_cast<int>(0.5e9 / (ns * static_cast<double>(n * n * n))));
  };
  const int pack_count = enough(packs(1)), scalar_count = enough(scalars(1));
  std::vector<double> with, without;
  for (int s = 0; s < samples; ++s) {
    with.push_back(packs(pack_count));
    without.push_back(scalars(scalar_count));
  }
  fmt::print(
      "{}: packs of {:>2} {:7.2f} ns, one by one {:7.2f} ns per cell and right-hand side: "
      "{:.2f} times as fast; {}\n",
      name_of(Problem<R>::precision), Lanes<Pack<R>>::count, median(with), median(without),
      median(without) / median(with), same ? "same numbers" : "DIFFERENT NUMBERS");
  std::fflush(stdout);
  return same;
}

}  // namespace
}  // namespace watersmeet::multicomponent

int main(int argc, char** argv) {
  using namespace watersmeet;
  const int cells = argc > 1 ? std::atoi(argv[1]) : 96, samples = argc > 2 ? std::atoi(argv[2]) : 5;
  if (cells < 4 || samples < 1) {
    fmt::print(stderr, "usage: {} [CELLS of at least 4 [SAMPLES]]\n", argv[0]);
    return 2;
  }
  fmt::print("one core, {0} x {0} x {0} cells, weno5-js, hllc\n", cells);
  const bool single = multicomponent::compare<float>(cells, samples);
  const bool in_double = multicomponent::compare<double>(cells, samples);
  return single && in_double ? 0 : 1;
}
