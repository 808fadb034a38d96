// Shu and Osher's shock-entropy wave (J. Comput. Phys. 83, 1989): a shock runs into a sine wave of
// the density and leaves a train of short waves behind. The reference is the same scheme on a grid
// that resolves them.
#include <fmt/format.h>

#include <algorithm>

#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double t_end = 1.8;
constexpr std::int64_t finest = 6400;

struct Density {
  std::vector<double> x, rho;

  // The highest density of the wave train behind the shock.
  double peak() const {
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] > 0.5 && x[i] < 2.3) largest = std::max(largest, rho[i]);
    return largest;
  }
};

Density solve(const Verification& v, std::int64_t n, const std::string& reconstruction) {
  const schemes::GasState behind{3.857143, 2.629369, 10.33333, 1.4, 0}, ahead{1, 0, 1, 1.4, 0};
  FlowCase c{.cells = {n, 1, 1},
             .lower = {-5, 0, 0},
             .upper = {5, 1, 1},
             .fluids = fluid_line("gas", ahead),
             .reconstruction = reconstruction,
             .epsilon = 1e-6,
             .scales = {1, 1, 1, 1, 1}};
  c.initial = "[[initial]]\nfluid = \"gas\"\npressure = 1\ndensity = \"1+0.2*sin(5*x)\"\n" +
              initial_entry("gas", behind, 0, half_space(-4, "lower"));
  Simulation s = start(v, c);
  s.advance_to(t_end);
  return {centres(s), s.field("rho")};
}

// Integral of the error, the reference taken at the centres of the coarse cells.
double error_of(const Density& coarse, const Density& reference) {
  const std::size_t ratio = reference.x.size() / coarse.x.size();
  std::vector<double> truth;
  for (std::size_t i = 0; i < coarse.x.size(); ++i) {
    const std::size_t right = i * ratio + ratio / 2;
    truth.push_back((reference.rho[right - 1] + reference.rho[right]) / 2);
  }
  return 10 * mean_difference(coarse.rho, truth);
}
}  // namespace

void verify_shu_osher(Verification& v) {
  if (v.single())
    return v.leave_out("shock and entropy wave", "its errors are known in double precision");
  const struct {
    const char* reconstruction;
    double error[3], peak[2];
  } expected[] = {{"weno5-js", {0.720, 0.254, 0.109}, {4.128, 4.635}},
                  {"weno5-z", {0.706, 0.248, 0.113}, {4.197, 4.676}}};
  const bool all = v.at_least(Extent::full);
  for (const auto& e : expected) {
    Density reference;
    if (all) {
      reference = solve(v, finest, e.reconstruction);
      v.near_relative(fmt::format("{}, N = {}, peak of the wave train", e.reconstruction, finest),
                      reference.peak(), 4.680, 0.005);
    }
    for (int level = 0; level < 3; ++level) {
      const std::int64_t n = 200 << level;
      if (n > 200 && !v.at_least(Extent::quick)) break;
      const Density coarse = solve(v, n, e.reconstruction);
      const std::string name = fmt::format("{}, N = {}, ", e.reconstruction, n);
      if (level < 2)
        v.near_relative(name + "peak of the wave train", coarse.peak(), e.peak[level], 0.005);
      if (all)
        v.below(name + "integral of |error| of rho", error_of(coarse, reference),
                1.15 * e.error[level]);
    }
  }
  if (!all)
    v.leave_out("errors of the shock-entropy wave", "they need the grid of the full extent");
}

}  // namespace watersmeet::verify
