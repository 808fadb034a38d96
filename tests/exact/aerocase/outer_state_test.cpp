// States of the case beyond a far field and a supersonic inflow: the free stream in other words, and a warm layer that comes in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "watersmeet/simulation.hpp"

namespace watersmeet::outer_state_test {

namespace {

std::string channel(double mach, const std::string& boundary, const std::string& more) {
  return R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "bump", cells = [60, 8], blocks = [2, 1], length = 2.0, height = 0.8, amplitude = 0.001 }
[physics]
freestream = { mach = )toml" +
         std::to_string(mach) + " }\n[boundary]\n" + boundary + "[time]\nmode = \"unsteady\"\n" +
         more;
}

Simulation after(const std::string& text, std::int64_t steps) {
  Simulation flow = Simulation::from_text(text, {"cpu", "double", 1, {}});
  flow.step(steps);
  return flow;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) largest = std::max(largest, std::abs(a[n] - b[n]));
  return largest;
}

}  // namespace

TEST(OuterStates, OfTheFreeStreamChangeNoBit) {
  const struct {
    const char *kind, *outflow;
    double mach;
    const char* velocity;
  } rows[] = {{"farfield", "farfield", 0.5, "0.5"},
              {"supersonic_inflow", "supersonic_outflow", 2, "2"}};
  for (const auto& row : rows) {
    const auto with = [&](const std::string& state) {
      return channel(row.mach,
                     std::string("inflow = { kind = \"") + row.kind + "\"" + state +
                         " }\noutflow = \"" + row.outflow + "\"\ntop = \"symmetry\"\n",
                     "steps = 100\n");
    };
    const std::string u = row.velocity;
    const Simulation plain = after(with(""), 5),
                     numbers = after(with(", state = { velocity = [" + u + ", 0, 0] }"), 5),
                     formula = after(with(", state = { density = \"1 + 0*t\", velocity = [\"" + u +
                                          " + 0*y\", 0, 0] }"),
                                     5),
                     flow =
                         after(with(", state = { velocity = [\"" + u + " + 0*rho\", 0, 0] }"), 5),
                     other =
                         after(with(", state = { velocity = [\"" + u + " + 1e-6*y\", 0, 0] }"), 5);
    for (const std::string& name : plain.variables()) {
      EXPECT_EQ(plain.variable(name), numbers.variable(name)) << row.kind << " " << name;
      EXPECT_EQ(plain.variable(name), formula.variable(name)) << row.kind << " " << name;
      EXPECT_LT(largest_difference(plain.variable(name), flow.variable(name)), 1e-13)
          << row.kind << " " << name;
    }
    EXPECT_GT(largest_difference(plain.variable("mx"), other.variable("mx")), 1e-7) << row.kind;
  }
}

// rho(x - u t) at constant pressure and velocity is a solution of Euler's equations.
TEST(OuterStates, BringALayerIn) {
  for (const char* const kind : {"farfield", "supersonic_inflow"}) {
    const bool fast = kind == std::string("supersonic_inflow");
    const std::string u = fast ? "1.5" : "0.5",
                      layer = "1 + 0.2*exp(-((x + 2 - " + u + "*t)/0.25)^2)";
    std::string text =
        channel(std::stod(u),
                std::string("inflow = { kind = \"") + kind + "\", state = { density = \"" + layer +
                    "\" } }\noutflow = \"" + (fast ? "supersonic_outflow" : "farfield") +
                    "\"\ntop = \"symmetry\"\n",
                "end = 10\n[numerics]\norder = 6\n");
    text.replace(text.find("0.001"), 5, "1e-13");
    Simulation flow = Simulation::from_text(text, {"cpu", "double", 1, {}});
    flow.advance_to(1.9 / std::stod(u));
    const std::vector<double> rho = flow.field("rho");
    double largest = 0;
    std::size_t n = 0;
    for (const BlockPoints& block : flow.blocks()) {
      for (std::size_t at = 0; at < block.xyz.size(); at += 3, ++n) {
        const double way = (block.xyz[at] + 0.1) / 0.25;
        largest = std::max(largest, std::abs(rho[n] - 1 - 0.2 * std::exp(-way * way)));
      }
    }
    EXPECT_EQ(n, rho.size());
    EXPECT_LT(largest, 5e-3) << kind;
  }
}

}  // namespace watersmeet::outer_state_test
