// Random forcing: the sets of wave vectors, the shape and sign of a kick, and the mean energy input
// f0^2 c^3 k_f / 4.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "run/engine.hpp"
#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double f0 = 1e-4, dt = 0.01;

VerifyCase forced(std::int64_t n, const std::string& lines) {
  return {
      .cells = {n, n, n}, .dt = dt, .forcing = fmt::format("amplitude = {:.17e}\n", f0) + lines};
}

// Numbers of vectors and mean wave numbers of the shells in use, counted in
// tests/python/test_reference_cavity.py.
void shell_rows(Verification& v) {
  const struct {
    double k_min, k_max;
    int count;
    double mean;
  } shells[] = {{1, 2, 32, 1.526},
                {1.5, 2.5, 62, 2.231},
                {2.5, 3.5, 98, 3.134},
                {3, 5, 422, 4.090},
                {9.5, 10.5, 1250, 10.093}};
  for (const auto& shell : shells) {
    Simulation s =
        start(v, forced(32, fmt::format("kind = \"nonhelical\"\nk_min = {:.1f}\nk_max = {:.1f}\n",
                                        shell.k_min, shell.k_max)));
    const auto notes = s.engine().system().notes();
    const std::string name = fmt::format("shell {} to {}", shell.k_min, shell.k_max);
    v.near(name + ", wave vectors", std::atof(notes.at("forcing_wavevectors").c_str()), shell.count,
           0);
    v.near(name + ", mean wave number", std::atof(notes.at("forcing_mean_wavenumber").c_str()),
           shell.mean, 5e-4);
  }
}

// One kick on a gas at rest: |u|^2 = (N dt)^2/2 in the mean, u.curl u = 2 sigma/(1 + sigma^2) k
// |u|^2; k is 3 for all these vectors.
void kick_rows(Verification& v) {
  const std::string vectors =
      "wavevectors = [[3, 0, 0], [0, 3, 0], [0, 0, -3], [2, 2, 1], [-2, 1, 2], [1, -2, 2]]\n";
  for (const std::string application : {"kick", "rhs"}) {
    for (const double sigma : {1.0, -1.0, 0.5, 0.0}) {
      const std::string kind = sigma == 0.0
                                   ? "kind = \"nonhelical\"\n"
                                   : fmt::format("kind = \"helical\"\nhelicity = {:.1f}\n", sigma);
      double helicity = 0, square = 0;
      constexpr int draws = 8;
      for (int seed = 1; seed <= draws; ++seed) {
        Simulation s = start(
            v, forced(32, vectors + kind +
                              fmt::format("seed = {}\napplication = \"{}\"\n", seed, application)));
        s.step();
        const auto d = s.diagnostics();
        const double u2 = d.at("u_rms") * d.at("u_rms");
        helicity += d.at("helicity") / (3 * u2) / draws;
        square += u2 / draws;
      }
      const std::string name = fmt::format("{}, sigma = {:+.1f}, ", application, sigma);
      // First derivatives of waves with k h = 0.59 carry an error of 3e-4.
      v.near(name + "relative helicity", helicity, 2 * sigma / (1 + sigma * sigma), 5e-4);
      v.near_relative(name + "mean square of the first kick", square, f0 * f0 * 3 * dt / 2, 1e-5);
    }
  }
}

// Mean of numbers and its standard error.
class Mean {
 public:
  void add(double x) {
    sum_ += x;
    squares_ += x * x;
    ++count_;
  }
  double value() const { return sum_ / count_; }
  double error() const { return std::sqrt((squares_ / count_ - value() * value()) / count_); }

 private:
  double sum_ = 0, squares_ = 0;
  int count_ = 0;
};

// Mean of (|u + du|^2 - |u|^2)/(2 dt) over many steps. Between the steps the velocity is reduced by
// a tenth, so that it stays statistically steady; at this amplitude nothing else changes it. Of its
// parts |du|^2/(2 dt) is nearly the same in every step, and u.du/dt has the mean 0: kicks do
// not depend on the velocity.
void energy_rows(Verification& v, const std::string& kind) {
  constexpr double f = 1e-6, kept = 0.9;
  const int steps = v.at_least(Extent::quick) ? 4000 : 1000;
  VerifyCase c = forced(8, fmt::format("kind = \"{}\"\nk_min = 1.5\nk_max = 2.5\n", kind));
  c.forcing.replace(0, c.forcing.find('\n') + 1, fmt::format("amplitude = {:.17e}\n", f));
  Simulation s = start(v, c);
  const double mean_k =
      std::atof(s.engine().system().notes().at("forcing_mean_wavenumber").c_str());
  const double expected = f * f * mean_k / 4;
  double of_kicks = 0;
  Mean across;
  const std::vector<double> no_density(512, 0.0);
  std::array<std::vector<double>, 3> before;
  before.fill(no_density);
  for (int step = 0; step < steps; ++step) {
    s.step();
    double square = 0, product = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const char* const name = std::array{"ux", "uy", "uz"}[i];
      std::vector<double> u = s.variable(name);
      for (std::size_t p = 0; p < u.size(); ++p) {
        const double change = u[p] - before[i][p];
        square += change * change / 512;
        product += before[i][p] * change / 512;
        u[p] *= kept;
      }
      s.set_variable(name, u);
      before[i] = u;
    }
    s.set_variable("lnrho", no_density);
    of_kicks += square / (2 * dt) / expected / steps;
    across.add(product / dt / expected);
  }
  v.near(fmt::format("{}, |du|^2/(2 dt) over f0^2 c^3 k/4, mean of {} steps", kind, steps),
         of_kicks, 1, 1e-6);
  v.near(fmt::format("{}, u.du/dt over the same, 4 standard errors", kind), across.value(), 0,
         4 * across.error());
  v.below(fmt::format("{}, standard error of that mean", kind), across.error(), 0.05);
}
}  // namespace

void verify_forcing(Verification& v) {
  shell_rows(v);
  if (v.single())
    return v.leave_out("forcing, kicks and energy input", "no tolerances in single precision");
  kick_rows(v);
  energy_rows(v, "nonhelical");
  energy_rows(v, "helical");
}

}  // namespace watersmeet::verify
