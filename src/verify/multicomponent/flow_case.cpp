#include "verify/multicomponent/flow_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

namespace {
// Members of an inline table, those that are set.
std::string table_of(const std::vector<std::pair<const char*, double>>& members) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : members) {
    if (value > 0) texts.push_back(fmt::format("{} = {:.17e}", name, value));
  }
  return fmt::format("{{ {} }}", fmt::join(texts, ", "));
}
}  // namespace

std::string text_of(const FlowCase& c) {
  std::string text = box_text("multicomponent", c.cells, c.lower, c.upper);
  text += fmt::format("geometry = \"{}\"\n{}[physics]\nmodel = \"{}\"\n",
                      c.axisymmetric ? "axisymmetric" : "cartesian", c.grid, c.model);
  if (c.density_scale > 0 || c.speed_scale > 0) {
    text += fmt::format("scales = {}\n",
                        table_of({{"density", c.density_scale}, {"speed", c.speed_scale}}));
  }
  text += "[physics.fluids]\n" + c.fluids;
  text += fmt::format(
      "[numerics]\nreconstruction = \"{}\"\nriemann = \"{}\"\nenergy = \"{}\"\npositivity = "
      "\"{}\"\n",
      c.reconstruction, c.riemann, c.energy, c.positivity);
  if (c.epsilon > 0) text += fmt::format("weno_epsilon = {:.17e}\n", c.epsilon);
  if (c.scales.rho > 0) {
    text += fmt::format("weno_scales = {}\n", table_of({{"density", c.scales.rho},
                                                        {"speed", c.scales.u},
                                                        {"pressure", c.scales.p},
                                                        {"Gamma", c.scales.Gamma},
                                                        {"Pi", c.scales.Pi}}));
  }
  text += fmt::format("[time]\nend = 1e9\nscheme = \"{}\"\ncfl = {:.17e}\ncfl_norm = \"{}\"\n",
                      c.scheme, c.cfl, c.cfl_norm);
  if (c.dt > 0) text += fmt::format("dt = {:.17e}\n", c.dt);
  if (!c.boundary.empty()) text += "[boundary]\n" + c.boundary;
  return text + c.initial;
}

std::string fluid_line(const std::string& name, const schemes::GasState& s) {
  return fmt::format("{} = {{ gamma = {:.17e}, p_c = {:.17e}, density = {:.17e} }}\n", name,
                     s.gamma, s.p_c, s.rho);
}

std::string initial_entry(const std::string& fluid, const schemes::GasState& s, int axis,
                          const std::string& shape) {
  double u[3] = {0, 0, 0};
  u[axis] = s.u;
  std::string text = fmt::format(
      "[[initial]]\nfluid = \"{}\"\ndensity = {:.17e}\npressure = {:.17e}\n"
      "velocity = [{:.17e}, {:.17e}, {:.17e}]\n",
      fluid, s.rho, s.p, u[0], u[1], u[2]);
  if (!shape.empty()) text += fmt::format("shape = {{ {} }}\n", shape);
  return text;
}

std::string half_space(double x, const char* side) {
  return fmt::format("kind = \"half_space\", x = {:.17g}, side = \"{}\", smoothing = 0", x, side);
}

std::string two_halves(const schemes::GasState& left, const schemes::GasState& right, double x) {
  return initial_entry("left", left) + initial_entry("right", right, 0, half_space(x));
}

FlowCase sedov::case_of(const Index3& cells, double h) {
  const double hot = 3.5 * h;
  schemes::GasState still{1, 0, ahead, 1.4, 0}, heated = still;
  heated.p = 0.4 / (4 * std::numbers::pi / 3 * hot * hot * hot);
  FlowCase c{.cells = cells, .fluids = fluid_line("gas", still), .scales = {1, 1, 1, 1, 1}};
  c.initial = initial_entry("gas", still) +
              initial_entry("gas", heated, 0,
                            fmt::format("kind = \"sphere\", centre = [0, 0, 0], radius = {:.17g}, "
                                        "smoothing = 0",
                                        hot));
  return c;
}

double sedov::time_of(double energy) { return std::sqrt(0.851072 * std::pow(radius, 5) / energy); }

double sedov::front(const std::vector<double>& rho, double first, double step) {
  std::vector<double> x;
  for (std::size_t i = 0; i < rho.size(); ++i) x.push_back(first + step * static_cast<double>(i));
  return last_fall(x, rho, 0.5 * (1 + *std::max_element(rho.begin(), rho.end())));
}

bool reaches(Verification& v, Simulation& s, double t, const std::string& name) {
  try {
    s.advance_to(t);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::diverged) throw;
    v.failed(name + "run to its end", error.what());
    return false;
  }
  return true;
}

}  // namespace watersmeet::verify
