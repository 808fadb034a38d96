// Air beyond lateral sides that a case gives: what the cell beside a side has makes it an open side, a layer comes in with the wind, and a pressure
// in proportion to the velocity lets sound leave.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::beyond_test {

namespace {

// Air at 300 K without gravity in a tube of 100 cells of 30.
std::string tube(const std::string& wind, const std::string& boundary, const std::string& more) {
  return R"toml([case]
system = "atmosphere"
[grid]
cells = [100, 1, 4]
upper = [3000, 30, 120]
[physics]
gravity = 0
reference = { kind = "isothermal", temperature = 300 }
wind = [)toml" +
         wind + ", 0, 0]\n[boundary]\n" + boundary + "[time]\nend = 1000\n" + more;
}

Simulation until(double t, const std::string& text) {
  Simulation air = Simulation::from_text(text, {"cpu", "double", 1, {}});
  air.advance_to(t);
  return air;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

TEST(AirBeyondSides, OfTheCellMakesAnOpenSide) {
  const std::string initial = R"toml([[initial]]
theta = "sin(x/200)"
velocity = ["10 + sin(x/300)", 0, "cos(x/250)"]
)toml";
  const auto after = [&](const std::string& lower) {
    return until(5, tube("10", "x_lower = " + lower + "\nx_upper = \"open\"\n", initial));
  };
  const Simulation open = after("\"open\""),
                   same = after(
                       "{ kind = \"inflow\", velocity = [\"velocity.x\", \"velocity.y\", \"w\"], "
                       "theta = \"theta_perturbation\" }"),
                   other = after("{ kind = \"inflow\", theta = 1 }");
  for (const std::string& name : open.variables()) {
    const std::vector<double> a = open.variable(name), b = same.variable(name),
                              c = other.variable(name);
    double rounding = 0, difference = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
      rounding = std::max(rounding, std::abs(a[n] - b[n]));
      difference = std::max(difference, std::abs(a[n] - c[n]));
    }
    const double size = std::max(largest(a), 1e-6);
    EXPECT_LT(rounding, 1e-9 * size) << name;
    if (name != "my") {
      EXPECT_GT(difference, 1e-5 * size) << name;
    }
  }
}

TEST(AirBeyondSides, BringsALayerIn) {
  const Simulation air =
      until(100, tube("20",
                      "x_lower = { kind = \"inflow\", theta = \"2*exp(-((x + 500 - "
                      "20*t)/300)^2)\" }\nx_upper = \"open\"\n",
                      ""));
  const std::vector<double> theta = air.field("theta_perturbation");
  double error = 0;
  for (std::size_t n = 0; n < theta.size(); ++n) {
    const double way = (30 * (static_cast<double>(n % 100) + 0.5) - 1500) / 300;
    error = std::max(error, std::abs(theta[n] - 2 * std::exp(-way * way)));
  }
  EXPECT_LT(error, 0.06);
}

// A wind begins within a second; without the pressure beyond the outlet that of its beginning, rho a U, would stay.
TEST(AirBeyondSides, LetsSoundLeave) {
  const double impedance = 1e5 / (287 * 300) * std::sqrt(1.4 * 287 * 300);
  const auto after = [&](const std::string& outlet) {
    return largest(until(40, tube("0",
                                  "x_lower = { kind = \"inflow\", velocity = [\"10*min(t, 1)\", 0, "
                                  "0] }\nx_upper = " +
                                      outlet + "\n",
                                  ""))
                       .field("pressure_perturbation"));
  };
  EXPECT_LT(after("{ kind = \"open\", pressure = \"" + std::to_string(impedance) +
                  "*(velocity.x - 10)\" }"),
            10);
  EXPECT_NEAR(after("\"open\""), 10 * impedance, 0.05 * 10 * impedance);
}

}  // namespace watersmeet::beyond_test
