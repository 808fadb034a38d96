// Decay of a field, the limit without one, div B, and the same bits.
#include <fmt/format.h>

#include <cmath>

#include "verify/bit_rows.hpp"
#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

namespace {
const char* const names = "xyz";

// A turbulent start: no component or direction like another one.
MhdCase busy_case(const Index3& cells, bool entropy) {
  MhdCase c{.cells = cells, .viscosity = 0.02, .resistivity = 0.03};
  c.physics =
      "background_field = [0.2, -0.1, 0.3]\nhyperviscosity = 1e-9\nhyperresistivity = 2e-9\n";
  c.density = "1+0.1*cos(x+y-z)";
  c.velocity = {"0.3*sin(x)*cos(y)", "0.2*cos(z)", "0.1*sin(y)"};
  c.potential = {"0.3*cos(y+z)", "0.2*sin(x-z)", "0.1*cos(x)*sin(y)"};
  c.numerics = "upwind = [\"rho\", \"potential\"]\n";
  c.forcing = "kind = \"helical\"\nhelicity = 0.5\namplitude = 0.05\nk_min = 1.0\nk_max = 2.0\n";
  if (entropy) {
    c.physics += "energy = \"entropy\"\nthermal_diffusivity = 0.02\nconductivity = 0.01\n";
    c.entropy = "0.05*sin(x+z)";
  }
  return c;
}
}  // namespace

// A = sin(k x) e_y of small amplitude decays as exp(-eta K2 t), K2 the symbol of the second derivative: div A = 0, so that both gauges say
// the same.
void verify_resistive_decay(Verification& v) {
  constexpr double k = 3, eta = 0.05, amplitude = 1e-3, t_end = 1;
  constexpr std::int64_t n = 32;
  const double k2 = second_symbol(k, two_pi / static_cast<double>(n));
  for (const char* const gauge : {"weyl", "resistive"}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t across = (axis + 1) % 3;
      MhdCase c{.physics = fmt::format("gauge = \"{}\"\n", gauge), .resistivity = eta};
      c.potential[across] = fmt::format("{}*sin({}*{})", amplitude, k, names[axis]);
      make_thin(c, static_cast<int>(axis), n, v.on_gpu() ? 32 : 4);
      Simulation s = start(v, c);
      const double before = rms(s.variable(fmt::format("a{}", names[across])));
      s.advance_to(t_end);
      v.near_relative(fmt::format("{} gauge, A_{}({}), decay over exp(-eta K2 t)", gauge,
                                  names[across], names[axis]),
                      rms(s.variable(fmt::format("a{}", names[across]))) / before,
                      std::exp(-eta * k2 * t_end), v.single() ? 2e-6 : 1e-7);
    }
  }
}

// Without a field the equations are those of isothermal flow, which has its own program.
void verify_without_field(Verification& v) {
  const std::string common =
      "[grid]\ncells = [24, 20, 16]\n[time]\nend = 1000.0\n[[initial]]\ndensity = "
      "\"1+0.2*cos(x+y-z)\"\n"
      "velocity = [\"0.3*sin(x)*cos(y)\", \"0.2*cos(z)\", \"0.1*sin(y)\"]\n[forcing]\nkind = "
      "\"helical\"\namplitude = 0.05\n[physics]\nviscosity = 0.03\nbulk_viscosity = 0.02\n";
  Simulation flow = v.start("[case]\nsystem = \"isothermal\"\n" + common);
  Simulation mhd = v.start("[case]\nsystem = \"mhd\"\n" + common + "resistivity = 0.01\n");
  flow.step(50);
  mhd.step(50);
  const double round_off = v.single() ? 2e-5 : 1e-13;
  for (const char* const name : {"lnrho", "ux", "uy", "uz"}) {
    v.below(fmt::format("{} after 50 forced steps, difference from the isothermal system", name),
            rms_difference(mhd.variable(name), flow.variable(name)) / rms(flow.variable(name)),
            round_off);
  }
  v.zero("vector potential", largest_magnitude(mhd.field("vector_potential")));
}

// The first derivatives that make curl A commute, so that its discrete divergence is round-off whatever A is.
void verify_solenoidal_field(Verification& v) {
  for (const bool entropy : {false, true}) {
    Simulation s = start(v, busy_case({24, 20, 16}, entropy));
    s.step(50);
    const auto found = s.diagnostics();
    const double scale = found.at("b_max") / s.spacing()[0];
    v.below(fmt::format("{} after 50 steps, largest divergence over |B|/h",
                        entropy ? "full MHD" : "isothermal MHD"),
            found.at("div_b_max") / scale, v.single() ? 1e-5 : 1e-14);
  }
}

void verify_mhd_bits(Verification& v) {
  for (const bool entropy : {false, true}) {
    for (const bool shocks : {false, true}) {
      MhdCase c = busy_case({23, 19, 17}, entropy);
      if (shocks) c.physics += "shock_viscosity = 2\n";
      bit_rows(v,
               fmt::format("{} MHD, {}", entropy ? "full" : "isothermal",
                           shocks ? "shock viscosity, " : ""),
               {.on_threads = 10, .before = 20, .after = 20}, text_of(c));
    }
  }
}

}  // namespace watersmeet::verify
