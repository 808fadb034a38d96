#include "verify/multicomponent/flow_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/error.hpp"

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
  std::string text = fmt::format(
      "[case]\nsystem = \"multicomponent\"\n"
      "[grid]\ncells = [{}]\nlower = [{:.17e}]\nupper = [{:.17e}]\ngeometry = \"{}\"\n"
      "[physics]\nmodel = \"{}\"\n",
      fmt::join(c.cells, ", "), fmt::join(c.lower, ", "), fmt::join(c.upper, ", "),
      c.axisymmetric ? "axisymmetric" : "cartesian", c.model);
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

Simulation start(const Verification& v, const FlowCase& c, const std::string& precision,
                 int threads) {
  return v.start(text_of(c), precision, threads);
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

std::vector<double> centres(const Simulation& s, int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  std::vector<double> x(static_cast<std::size_t>(s.cells()[a]));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = s.lower()[a] + (static_cast<double>(i) + 0.5) * s.spacing()[a];
  return x;
}

std::vector<double> component(const std::vector<double>& vectors, int c) {
  std::vector<double> values(vectors.size() / 3);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = vectors[3 * i + static_cast<std::size_t>(c)];
  return values;
}

double largest_deviation(const std::vector<double>& a, double value) {
  double largest = 0;
  for (const double x : a) {
    const double deviation = std::abs(x / value - 1);
    if (!(deviation <= largest)) largest = deviation;  // keeps a NaN
    if (std::isnan(deviation)) break;
  }
  return largest;
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size(), "fields of one size");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace watersmeet::verify
