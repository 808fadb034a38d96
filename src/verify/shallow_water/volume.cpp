// What must be kept: the volume of water in a closed basin, to round-off, whatever moves in it; and
// on a flat bed without walls the momentum.
#include <fmt/format.h>

#include <cmath>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
WaterCase basin(const Index3& cells, bool islands, double c3) {
  WaterCase c;
  c.cells = cells;
  c.upper = {static_cast<double>(cells[0]), static_cast<double>(cells[1]), 1};
  c.bed = fmt::format("{}*sin(x/5)*cos(y/4) - {}", islands ? 1.2 : 0.4, islands ? 0.5 : 1.5);
  c.wet_dry = islands;
  c.transverse = c3;
  return c;
}
}  // namespace

void verify_water_volume(Verification& v) {
  const std::int64_t steps = v.by_extent(200, 2000, 10000);
  // Single precision rounds the surface of a cell by 6e-8 of it in every stage.
  const double slack = v.single() ? 2e-6 : 1e-13;
  const struct {
    bool islands;
    double c3;
  } choices[] = {{false, 0}, {false, -1.0 / 24}, {true, 0}, {true, -1.0 / 24}};
  for (const auto& [islands, c3] : choices) {
    WaterCase c = basin({53, 37, 1}, islands, c3);
    c.surface = "0.2*exp(-((x - 20)^2 + (y - 15)^2)/30)";
    c.physics = "coriolis = { f = 0.02 }\n";
    Simulation s = start(v, c);
    s.step(steps);
    const auto numbers = s.diagnostics();
    const std::string name =
        fmt::format("{}{}, {} steps, ", islands ? "basin with islands" : "basin",
                    c3 != 0 ? ", c3 = -1/24" : "", steps);
    v.below(name + "drift of the volume", std::abs(numbers.at("volume_drift")), slack);
    v.above(name + "least depth", numbers.at("depth_min"), v.single() ? -1e-5 : -1e-13);
    v.above(name + "fastest water", numbers.at("speed_max"), 1e-3);
  }
  // The ledger counts the water that passes sides with conditions: its sum with the volume does not change.
  for (const auto& [islands, c3] : choices) {
    WaterCase c = basin({47, 31, 1}, islands, c3);
    c.surface = "0.1*exp(-((x - 20)^2 + (y - 15)^2)/30)";
    c.boundary =
        "x_lower = { kind = \"level\", surface = \"0.1*sin(t)\" }\n"
        "x_upper = { kind = \"far\", surface = 0, velocity = [0.1, 0.2, 0] }\n"
        "y_lower = \"open\"\ny_upper = { kind = \"flow\", velocity = [0, \"0.004*x\", 0] }\n";
    Simulation s = start(v, c);
    const double before = s.diagnostics().at("volume");
    s.step(v.at_least(Extent::quick) ? 400 : 100);
    const auto numbers = s.diagnostics();
    const std::string name =
        fmt::format("{}{}, ", islands ? "open sides with islands" : "open sides",
                    c3 != 0 ? ", c3 = -1/24" : "");
    v.below(name + "drift of the volume with what has left", std::abs(numbers.at("volume_drift")),
            slack);
    v.above(name + "change of the volume itself", std::abs(numbers.at("volume") / before - 1),
            1e-3);
  }
  WaterCase c;
  c.cells = {40, 30, 1};
  c.bed = "-1";
  c.surface = "0.1*sin(2*pi*x)*cos(2*pi*y)";
  c.velocity = {"0.5 + 0.1*sin(2*pi*y)", "0.3"};
  c.boundary = "x = \"periodic\"\ny = \"periodic\"\n";
  Simulation s = start(v, c);
  const auto before = s.diagnostics();
  s.step(200);
  const auto after = s.diagnostics();
  for (const char* name : {"momentum_x", "momentum_y"}) {
    v.below(fmt::format("flat bed, relative drift of {}", name),
            std::abs(after.at(name) / before.at(name) - 1), v.single() ? 2e-5 : 1e-12);
  }
  v.below("flat bed, drift of the volume", std::abs(after.at("volume_drift")), slack);
}

}  // namespace watersmeet::verify
