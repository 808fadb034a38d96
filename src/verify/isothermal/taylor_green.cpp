// The Taylor-Green vortex: at Re = 100 a smooth regression case with a closed energy budget, at Re
// = 1600 the transition to turbulence against a pseudo-spectral solution of the incompressible
// equations (384^3), and the limit of central differences, which have no dissipation of their own.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/math.hpp"
#include "verify/isothermal/flows.hpp"
#include "verify/isothermal/groups.hpp"
#include "verify/reference_data.hpp"

namespace watersmeet::verify {

namespace {
struct History {
  std::vector<double> t, energy, dissipation;
  double first_total = 0, last_total = 0;  // kinetic plus free energy c^2 <rho ln rho>
};

double free_energy(const Simulation& s, double c) {
  double sum = 0;
  const std::vector<double> l = s.variable("lnrho");
  for (const double value : l) sum += std::exp(value) * value;
  return c * c * sum / static_cast<double>(l.size());
}

History follow(const Verification& v, const VerifyCase& c, double t_end, double every) {
  Simulation s = start(v, c);
  History h;
  const auto samples = static_cast<int>(std::lround(t_end / every));
  for (int i = 0; i <= samples; ++i) {
    if (i > 0) s.advance_to(i * every);
    const auto d = s.diagnostics();
    h.t.push_back(s.t());
    h.energy.push_back(d.at("kinetic_energy"));
    h.dissipation.push_back(d.at("dissipation"));
    if (i == 0) h.first_total = h.energy[0] + free_energy(s, c.sound_speed);
  }
  h.last_total = h.energy.back() + free_energy(s, c.sound_speed);
  return h;
}

double simpson(const std::vector<double>& f, double every) {
  double sum = f.front() + f.back();
  for (std::size_t i = 1; i + 1 < f.size(); ++i) sum += f[i] * (i % 2 == 1 ? 4.0 : 2.0);
  return sum * every / 3;
}

double largest_change(const History& coarse, const History& fine) {
  double largest = 0;
  for (std::size_t i = 0; i < fine.t.size(); ++i) {
    largest = max_or_nan(largest, std::abs(coarse.energy[i] / fine.energy[i] - 1));
  }
  return largest;
}

// The initial averages are exact: <rho u^2>/2 = 1/8 and, the density being correlated with the
// strain, <2 nu rho S:S> = nu (48 + 5 M^2)/64. In the budget the diagnosed dissipation, of first
// derivatives, differs from what the viscous term takes out by the truncation error.
void smooth_rows(Verification& v) {
  constexpr double every = 0.05, nu = 0.01, mach = 0.1;
  const bool quick = v.at_least(Extent::quick);
  const double t_end = quick ? 5 : 2;
  const std::int64_t coarse_n = quick ? 32 : 16;
  const History coarse = follow(v, taylor_green_case(coarse_n, 100), t_end, every);
  const History fine = follow(v, taylor_green_case(2 * coarse_n, 100), t_end, every);
  const std::string until = fmt::format(" until t = {}", t_end);
  v.near_relative("Re = 100, E(0)", fine.energy[0], 0.125, 1e-10);
  v.near_relative("Re = 100, dissipation at t = 0", fine.dissipation[0],
                  nu * (48 + 5 * mach * mach) / 64, 1e-6);
  const double change = largest_change(coarse, fine);
  v.below(
      fmt::format("Re = 100, change of E(t) from {}^3 to {}^3{}", coarse_n, 2 * coarse_n, until),
      change, quick ? 2e-3 : 2e-2);
  v.near_relative(
      fmt::format("Re = 100, {}^3, energy lost over dissipation{}", 2 * coarse_n, until),
      (fine.first_total - fine.last_total) / simpson(fine.dissipation, every), 1,
      quick ? 5e-4 : 2e-3);
  if (v.at_least(Extent::full)) {
    const History finest = follow(v, taylor_green_case(128, 100), t_end, every);
    v.above("Re = 100, order of E(t) from 32^3, 64^3, 128^3" + until,
            order_of(change, largest_change(fine, finest)), 5);
  }
}

// Time at which the run stops being finite, or t_end.
double survival(const Verification& v, const VerifyCase& c, double t_end) {
  Simulation s = start(v, c);
  try {
    s.advance_to(t_end);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
  }
  return s.t();
}

void limit_rows(Verification& v) {
  VerifyCase c = taylor_green_case(48, 1600);
  v.within("Re = 1600, 48^3, central differences fail at t", survival(v, c, 8), 4, 6);
  c.upwind = "\"rho\", \"velocity\"";
  v.near("Re = 1600, 48^3, upwind differences last until t", survival(v, c, 8), 8, 0);
}

void spectral_rows(Verification& v) {
  const std::vector<std::vector<double>> reference =
      read_reference("taylor-green-re1600-spectral-384.csv");
  const std::int64_t n = v.on_gpu() ? 256 : 128;
  const double t_end = v.on_gpu() ? 10 : 5;
  const History h = follow(v, taylor_green_case(n, 1600), t_end, 0.05);
  double largest = 0;
  std::size_t peak = 0, reference_peak = 0;
  for (std::size_t i = 0; i < h.t.size(); ++i) {
    largest = max_or_nan(largest, std::abs(h.energy[i] / interpolate(reference, 1, h.t[i]) - 1));
    if (h.dissipation[i] > h.dissipation[peak]) peak = i;
  }
  v.below(fmt::format("Re = 1600, {}^3, E(t) from the spectral solution until t = {}", n, t_end),
          largest, 0.005);
  if (!v.on_gpu())
    return v.leave_out("Taylor-Green at Re = 1600 on 256^3 until t = 10",
                       "about 10^11 point updates are left to a GPU");
  for (std::size_t i = 0; i < reference[0].size(); ++i) {
    if (reference[2][i] > reference[2][reference_peak]) reference_peak = i;
  }
  v.near_relative("Re = 1600, 256^3, peak of the dissipation", h.dissipation[peak],
                  reference[2][reference_peak], 0.03);
  v.near("Re = 1600, 256^3, time of the peak", h.t[peak], reference[0][reference_peak], 0.1);
}
}  // namespace

void verify_taylor_green(Verification& v) {
  if (v.single())
    return v.leave_out("Taylor-Green vortex",
                       "no tolerances in single precision, but see `precision`");
  smooth_rows(v);
  if (v.at_least(Extent::full)) {
    limit_rows(v);
    spectral_rows(v);
  }
}

}  // namespace watersmeet::verify
