#pragma once
// Shock tubes with exact solutions: a case text of two states on both sides of a plane, and the
// error against the exact Riemann solution.

#include <fmt/format.h>
#include <cstdint>

#include <cmath>
#include <string>
#include <vector>

#include "schemes/exact_riemann.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet {

struct Tube {
  std::string name;
  schemes::GasState left, right;
  double lower = 0, upper = 1, place = 0.5, end = 0.2, cfl = 0.6;
  double scales[5] = {1, 1, 1, 1, 1};  // rho, u, p, Gamma, Pi of the smoothness indicators
};

// Along x, y or z; `more` are lines of further sections.
inline std::string case_text(const Tube& t, std::int64_t n, int axis = 0,
                             const std::string& reconstruction = "weno5-js",
                             const std::string& more = "") {
  const char* const names[3] = {"x", "y", "z"};
  std::int64_t cells[3] = {1, 1, 1};
  double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  cells[axis] = n;
  lower[axis] = t.lower;
  upper[axis] = t.upper;
  const auto velocity = [&](double u) {
    double v[3] = {0, 0, 0};
    v[axis] = u;
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]);
  };
  const auto entry = [&](const char* fluid, const schemes::GasState& s) {
    return fmt::format(
        "[[initial]]\nfluid = \"{}\"\ndensity = {:.17g}\npressure = {:.17g}\nvelocity = {}\n",
        fluid, s.rho, s.p, velocity(s.u));
  };
  return fmt::format(R"toml([case]
system = "multicomponent"
[grid]
cells = [{}, {}, {}]
lower = [{:.17g}, {:.17g}, {:.17g}]
upper = [{:.17g}, {:.17g}, {:.17g}]
[physics.fluids]
left = {{ gamma = {:.17g}, p_c = {:.17g} }}
right = {{ gamma = {:.17g}, p_c = {:.17g} }}
[numerics]
reconstruction = "{}"
weno_epsilon = 1e-6
weno_scales = {{ density = {:g}, speed = {:g}, pressure = {:g}, Gamma = {:g}, Pi = {:g} }}
[time]
end = {:.17g}
cfl = {:g}
[output]
overview = false
)toml",
                     cells[0], cells[1], cells[2], lower[0], lower[1], lower[2], upper[0], upper[1],
                     upper[2], t.left.gamma, t.left.p_c, t.right.gamma, t.right.p_c, reconstruction,
                     t.scales[0], t.scales[1], t.scales[2], t.scales[3], t.scales[4], t.end,
                     t.cfl) +
         entry("left", t.left) + entry("right", t.right) +
         fmt::format(
             "shape = {{ kind = \"half_space\", {} = {:.17g}, side = \"upper\", smoothing "
             "= 0 }}\n",
             names[axis], t.place) +
         more;
}

// (1/N) sum |rho - exact at the cell's centre|
inline double density_error(const Tube& t, const std::vector<double>& rho) {
  const schemes::ExactRiemann exact(t.left, t.right);
  const double n = static_cast<double>(rho.size()), h = (t.upper - t.lower) / n;
  double sum = 0;
  for (std::size_t i = 0; i < rho.size(); ++i) {
    const double x = t.lower + (static_cast<double>(i) + 0.5) * h;
    sum += std::abs(rho[i] - exact.sample((x - t.place) / t.end).rho);
  }
  return sum / n;
}

inline SimulationOptions on_one_thread(const std::string& precision = "double") {
  SimulationOptions options;
  options.device = "cpu";
  options.precision = precision;
  options.threads = 1;
  return options;
}

inline const Tube sod = {"Sod", {1, 0, 1, 1.4, 0}, {0.125, 0, 0.1, 1.4, 0}};

}  // namespace watersmeet
