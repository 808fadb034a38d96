// A smooth bubble of up to half a degree rises between walls (A. Robert, J. Atmos. Sci. 50 (1993)
// 1865, in the form of F. X. Giraldo and M. Restelli, J. Comput. Phys. 227 (2008) 3849:
// theta' = (1 + cos(pi r/250 m))/4 K within 250 m of a point 350 m above the ground). Extremes with
// cells of 20 m are those of validation/reference/dry_air.py, the same scheme written again
// (smooth-bubble 50). Air is not heated, so that no cell may exceed the half degree of the beginning;
// what finer cells lose of it falls with the order of the scheme.
#include <fmt/format.h>

#include <cmath>

#include "core/math.hpp"
#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

namespace {

struct Rise {
  double most = 0, least = 0, up = 0, down = 0;
  double height = 0;  // where theta' falls through 0.1 K on the axis, on a straight line
  double asymmetry = 0, drift = 0;
};

Rise rise(const Verification& v, std::int64_t n, double until) {
  AirCase c;
  c.cells = {n, 1, n};
  c.upper = {1000, 1, 1000};
  c.physics = "reference = { kind = \"neutral\", theta = 300 }\n";
  const char* const r = "sqrt((x - 500)^2 + (z - 350)^2)";
  c.initial = fmt::format("theta = \"{0} < 250 ? 0.25*(1 + cos(pi*{0}/250)) : 0\"\n", r);
  Simulation s = start(v, c);
  s.advance_to(until);
  const std::vector<double> theta = s.field("theta_perturbation");
  const auto numbers = s.diagnostics();
  const auto at = [&](std::int64_t i, std::int64_t k) {
    return theta[static_cast<std::size_t>(k * n + i)];
  };
  Rise result{numbers.at("theta_max"), numbers.at("theta_min"), numbers.at("w_max"),
              numbers.at("w_min")};
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = 0; i < n; ++i) {
      result.asymmetry = max_or_nan(result.asymmetry, std::abs(at(i, k) - at(n - 1 - i, k)));
    }
  }
  const auto axis = [&](std::int64_t k) { return 0.5 * (at((n - 1) / 2, k) + at(n / 2, k)); };
  for (std::int64_t k = n - 2; k >= 0; --k) {
    if (axis(k) <= 0.1) continue;
    const double beyond = (axis(k) - 0.1) / (axis(k) - axis(k + 1));
    result.height = (static_cast<double>(k) + 0.5 + beyond) * s.spacing()[2];
    break;
  }
  result.drift = numbers.at("mass_drift");
  return result;
}

void kept_rows(Verification& v, const std::string& name, const Rise& r) {
  v.below(name + "difference of theta' from the mirror image, K", r.asymmetry, 1e-9);
  v.below(name + "drift of the mass", std::abs(r.drift), 1e-14);
}

}  // namespace

void verify_air_bubble(Verification& v) {
  if (v.single()) return v.leave_out("smooth bubble", "extremes are compared in double precision");
  if (!v.at_least(Extent::quick)) {
    kept_rows(v, "20 m, 20 s, ", rise(v, 50, 20));
    return;
  }
  const Rise coarse = rise(v, 50, 700);
  kept_rows(v, "20 m, ", coarse);
  v.near("20 m, largest theta', K", coarse.most, 0.39519, 0.001);
  v.near("20 m, smallest theta', K", coarse.least, -0.01045, 0.0003);
  v.near("20 m, fastest rise, m/s", coarse.up, 1.9189, 0.005);
  v.near("20 m, fastest fall, m/s", coarse.down, -1.4994, 0.005);
  v.near("20 m, highest 0.1 K on the axis, m", coarse.height, 963.3, 1);
  if (!v.at_least(Extent::full)) return;
  double before = coarse.most;
  for (const std::int64_t n : {100, 200}) {
    const Rise finer = rise(v, n, 700);
    const std::string name = fmt::format("{} m, ", 1000 / n);
    kept_rows(v, name, finer);
    v.above(name + "largest theta', K", finer.most, before);
    v.below(name + "largest theta', K", finer.most, 0.5);
    if (n == 200)
      v.near("order of the loss of theta' from 10 m to 5 m",
             order_of(0.5 - before, 0.5 - finer.most), 2, 0.3);
    before = finer.most;
  }
}

}  // namespace watersmeet::verify
