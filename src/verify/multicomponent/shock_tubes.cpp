// Shock tubes of gases and stiffened gases against exact solutions of the Riemann problem: star
// states of the exact solver, errors of the density, and no reconstruction that falls back.
#include <fmt/format.h>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
struct Tube {
  const char* name;
  schemes::GasState left, right;
  double lower, place, end, cfl;
  WenoScales scales;
  double p, u, rho_left, rho_right;  // between the waves
  // L1 of the density at 100, 200 and 400 cells, by validation/reference/two_fluid_problems.py.
  double js[3], z[3];
};

const Tube tubes[] = {
    {"Sod",
     {1, 0, 1, 1.4, 0},
     {0.125, 0, 0.1, 1.4, 0},
     0,
     0.5,
     0.2,
     0.6,
     {1, 1, 1, 1, 1},
     0.30313018,
     0.92745262,
     0.42631943,
     0.26557371,
     {4.76e-3, 2.43e-3, 1.31e-3},
     {4.44e-3, 2.16e-3, 1.17e-3}},
    {"Lax",
     {0.445, 0.698, 3.528, 1.4, 0},
     {0.5, 0, 0.571, 1.4, 0},
     0,
     0.5,
     0.14,
     0.6,
     {1, 1, 1, 1, 1},
     2.4660979,
     1.528723,
     0.34456847,
     1.3040845,
     {1.74e-2, 1.07e-2, 5.39e-3},
     {1.62e-2, 9.95e-3, 4.93e-3}},
    {"gas and water, scaled",
     {1.241, 0, 2.753, 1.4, 0},
     {0.991, 0, 3.059e-4, 5.5, 1.505},
     -1,
     0,
     0.2,
     0.6,
     {1, 1, 1, 1, 1},
     1.8440485,
     0.49026512,
     0.93209863,
     1.1380234,
     {6.14e-3, 3.15e-3, 1.74e-3},
     {5.03e-3, 2.65e-3, 1.40e-3}},
    {"water and gas, strong",
     {1000, 0, 1e9, 4.4, 6e8},
     {50, 0, 1e5, 1.4, 0},
     0,
     0.7,
     2.4e-4,
     0.6,
     {1e3, 1e3, 1e9, 1, 1e9},
     14190477,
     482.61041,
     804.44463,
     288.16806,
     {11.5, 6.44, 3.43},
     {11.2, 6.09, 3.15}},
    {"shocked water and air",
     {1018.16388547, 26.71317621, 4.01e7, 6.12, 3.43e8},
     seed_air,
     0,
     0.5,
     2e-4,
     0.5,
     seed_scales,
     124089.56,
     53.418434,
     999.99372,
     1.4042779,
     {5.11, 3.29, 2.08},
     {4.94, 3.14, 1.95}},
};

FlowCase case_of(const Tube& t, std::int64_t n, const std::string& reconstruction) {
  FlowCase c{.cells = {n, 1, 1},
             .lower = {t.lower, 0, 0},
             .fluids = fluid_line("left", t.left) + fluid_line("right", t.right),
             .reconstruction = reconstruction,
             .epsilon = 1e-6,
             .scales = t.scales,
             .cfl = t.cfl};
  c.initial = two_halves(t.left, t.right, t.place);
  return c;
}

void star_rows(Verification& v, const Tube& t, const schemes::ExactRiemann& exact) {
  // To half a unit of the eighth digit, or of the last one given.
  const std::string name = fmt::format("{}, exact, ", t.name);
  v.near_relative(name + "p*", exact.star_pressure(), t.p, 1e-7);
  v.near_relative(name + "u*", exact.star_velocity(), t.u, 1e-7);
  v.near_relative(name + "rho* left of the contact", exact.left_star().rho, t.rho_left, 1e-7);
  v.near_relative(name + "rho* right of the contact", exact.right_star().rho, t.rho_right, 1e-7);
}

// The middle of a plateau beside the contact, where 24 cells or more are on it.
// Pressures of a stiffened gas are compared with p_c added: the smaller part of a pressure of 1 bar
// in water is round-off of what the equation of state knows.
void plateau_rows(Verification& v, const Tube& t, const Simulation& s, const std::string& name,
                  double from, double to, double rho_star, double p_c) {
  const double h = s.spacing()[0];
  if ((to - from) * t.end < 24 * h) return;
  const double x = t.place + 0.5 * (from + to) * t.end;
  const std::size_t i = static_cast<std::size_t>((x - t.lower) / h);
  v.near_relative(name + ", rho", s.field("rho")[i], rho_star, 5e-3);
  v.near_relative(name + (p_c > 0 ? ", p + p_c" : ", p"), s.field("p")[i] + p_c, t.p + p_c, 5e-3);
  v.near_relative(name + ", u", component(s.field("velocity"), 0)[i], t.u, 5e-3);
}
}  // namespace

void verify_shock_tubes(Verification& v) {
  if (v.single()) return v.leave_out("shock tubes", "their errors are known in double precision");
  for (const Tube& t : tubes) {
    const schemes::ExactRiemann exact(t.left, t.right);
    star_rows(v, t, exact);
    for (const char* const reconstruction : {"weno5-js", "weno5-z"}) {
      const bool js = reconstruction == std::string("weno5-js");
      for (int level = 0; level < 3; ++level) {
        const std::int64_t n = 100 << level;
        Simulation s = start(v, case_of(t, n, reconstruction));
        s.advance_to(t.end);
        std::vector<double> truth;
        for (const double x : centres(s)) truth.push_back(exact.sample((x - t.place) / t.end).rho);
        const std::string name = fmt::format("{}, {}, N = {}, ", t.name, reconstruction, n);
        const double expected = js ? t.js[level] : t.z[level];
        v.below(name + "L1 error of rho", mean_difference(s.field("rho"), truth), 1.15 * expected);
        v.zero(name + "edges that fell back", s.diagnostics().at("fallback_edges"));
        if (!js || level < 2) continue;
        const double contact = exact.star_velocity();
        plateau_rows(v, t, s, name + "left of the contact", exact.left_wave().tail, contact,
                     t.rho_left, t.left.p_c);
        plateau_rows(v, t, s, name + "right of the contact", contact, exact.right_wave().tail,
                     t.rho_right, t.right.p_c);
      }
    }
  }
}

}  // namespace watersmeet::verify
