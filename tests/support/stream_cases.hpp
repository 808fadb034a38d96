#pragma once
// Cases whose solution can be kept in host memory, and the comparison of their streamed runs with those that stay on the device: the same
// bits for a given time step, whatever the segments and the steps of a visit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/open_box.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet::test {

struct StreamCase {
  std::string name, text;
  int most_fused = 3;
  std::vector<std::string> set = {};
  int many_segments = 17;
};

inline std::string long_open_box(const std::string& cells, const std::string& z_sides) {
  return open_box(cells, 3, z_sides) + "dt = 2e-3\n";
}

inline void replace(std::string& text, const std::string& old, const std::string& by) {
  text.replace(text.find(old), old.size(), by);
}

// The same on a half plane, whose lower side along y is its axis.
inline std::string about_axis() {
  std::string text = long_open_box("[14, 61, 1]", "");
  replace(text, "y_lower = \"reflecting\"\n", "");
  for (const char* const swirl : {"\"0.1*y\"]", "\"-0.2*cos(3*y)\"]"}) replace(text, swirl, "0]");
  return text;
}

// Values at sides along the planes and across them that read the flow, and others that change in time; one on a part of a side.
inline std::string reading_box(const std::string& cells, const std::string& z_sides) {
  std::string text = long_open_box(cells, z_sides + R"toml([[boundary.patch]]
side = "y_upper"
lower = [0.2, 1, 0.4]
upper = [0.7, 1, 2.6]
kind = "inflow"
density = "rho + 0.01*x"
pressure = "p + 0.1*t*rho"
velocity = ["0.5*velocity.x", "-0.1*(p - 0.5)", 0]
)toml");
  replace(text, "velocity = [\"0.3 + 0.2*sin(9*t)\", 0,",
          "density = \"rho + 0.05*z\", velocity = [\"0.3 + 0.2*sin(9*t)\", \"0.2*velocity.y*p\",");
  replace(text, "pressure = 0.9", "pressure = \"0.5*p + 0.45 + 0.1*sin(9*t)*rho\"");
  return text;
}

// Blocks of cold gas fly away from a wall, one of them across the ends along z: the flux limiter replaces faces between them and the wall.
inline std::string torn_gas(const std::string& velocity, const std::string& sides) {
  const std::string gas = "[[initial]]\nfluid = \"gas\"\npressure = 5e-4\n";
  const auto block = [&](const std::string& lower, const std::string& upper) {
    return gas + "velocity = " + velocity +
           "\nshape = { kind = \"box\", smoothing = 0, lower = [0.3, 0, " + lower +
           "], upper = [0.9, 0.7, " + upper + "] }\n";
  };
  return R"toml([case]
system = "multicomponent"
[grid]
cells = [12, 10, 121]
upper = [1.2, 1, 12.1]
[physics.fluids]
liquid = { gamma = 6.12, p_c = 0.5, density = 1 }
gas = { gamma = 1.4, density = 1 }
[numerics]
positivity = "strict"
[boundary]
x = "absorbing"
)toml" + sides +
         gas + block("2.8", "4.1") + block("11.3", "12.1") + block("0", "0.4") +
         "[time]\nsteps = 1000000\ndt = 6e-3\n";
}

inline std::vector<StreamCase> torn_stream_cases() {
  const std::string wall = "y_lower = \"reflecting\"\ny_upper = \"absorbing\"\n";
  return {
      {"torn gas", torn_gas("[3, 1.5, 5]", "z_lower = \"reflecting\"\nz_upper = \"absorbing\"\n")},
      {"torn gas, base form",
       torn_gas("[1, 8, 3]", wall + "z = \"absorbing\"\n"),
       3,
       {"time.scheme=ssp-rk3"}},
      {"torn gas, periodic along z",
       torn_gas("[1, 8, 3]", wall + "z = \"periodic\"\n"),
       3,
       {"time.scheme=ssp-rk3"}}};
}

inline std::string periodic_box(const std::string& system, const std::string& cells,
                                const std::string& more) {
  return "[case]\nsystem = \"" + system + "\"\n[grid]\ncells = " + cells +
         R"toml(
[physics]
viscosity = 2e-3
)toml" + more +
         R"toml(
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
)toml" +
         (system == "mhd"
              ? "potential = [\"0.1*sin(y + z)\", \"0.1*cos(x)*sin(2*z)\", \"0.1*sin(x)*cos(y)\"]\n"
              : "");
}

inline std::string kinematic_box(const std::string& cells, const std::string& more) {
  return "[case]\nsystem = \"mhd\"\n[grid]\ncells = " + cells +
         R"toml(
upper = ["2*pi", "2*pi", "2*pi"]
[physics]
velocity = ["sin(z) + cos(y)", "sin(x) + cos(z)", "sin(y) + cos(x)"]
gauge = "resistive"
resistivity = 0.02
[[initial]]
potential = ["0.1*sin(y + z)", "0.1*cos(x)*sin(2*z)", "0.1*sin(x)*cos(y)"]
)toml" + more;
}

// A shore along the upper x side where `bed` rises above the level 0, under rotation and friction.
inline std::string shallow_plane(const std::string& cells, const std::string& bed,
                                 const std::string& sides) {
  return "[case]\nsystem = \"shallow_water\"\n[grid]\nupper = [2, 6, 1]\ncells = " + cells +
         R"toml(
[physics]
bed = ")toml" +
         bed + R"toml("
coriolis = { f = 0.3, beta = 0.2, y0 = 1 }
friction = { manning = 0.05 }
[boundary]
)toml" + sides +
         "[[initial]]\nsurface = \"" + (bed == "0" ? "1 + " : "") + R"toml(0.05*cos(3*x - y)"
velocity = ["0.3*sin(2*y)", "0.2*cos(3*x)", 0]
[time]
steps = 1000000
dt = 4e-3
)toml";
}

inline std::vector<StreamCase> shallow_stream_cases() {
  const std::string ground = "-1 + 0.2*sin(3*x)*cos(2*y)", shore = "-0.5 + 0.4*x + 0.1*cos(2*y)",
                    level = "kind = \"level\", surface = \"0.05*sin(9*t + 2*y)\" }\n",
                    four = "x_lower = { " + level +
                           "x_upper = { kind = \"far\", surface = 0 }\n"
                           "y_lower = { kind = \"flow\", velocity = [\"0.1*x\", \"0.2*cos(9*t)\", "
                           "0] }\ny_upper = \"open\"\n",
                    linked = "x = { " + level + "y = \"periodic\"\n",
                    all_linked = "x = \"periodic\"\ny = \"periodic\"\n",
                    reading =
                        "x_lower = { kind = \"inflow\", surface = \"0.9*surface + 0.01*t*y\", "
                        "velocity = [\"0.1*cos(9*t)\", \"0.5*velocity.y\", 0] }\n"
                        "x_upper = { kind = \"far\", surface = \"0.1*depth + 0.1*bed\" }\n",
                    read = reading +
                           "y_lower = { kind = \"flow\", velocity = [\"0.1*x\", "
                           "\"-0.1*depth*cos(9*t)\", 0] }\ny_upper = { kind = \"level\", surface = "
                           "\"0.5*surface - 0.01*x*speed\" }\n",
                    read_linked = reading + "y = \"periodic\"\n";
  const std::string across = "numerics.reconstruction.transverse=-1/24",
                    dry = "numerics.wet_dry=true";
  return {
      {"water with conditions on all sides", shallow_plane("[23, 61, 1]", ground, four), 4},
      {"water, 13 points", shallow_plane("[23, 61, 1]", ground, four), 4, {across}},
      {"water, 13 points, periodic along y",
       shallow_plane("[23, 61, 1]", ground, linked),
       4,
       {across}},
      {"water, wet and dry", shallow_plane("[23, 61, 1]", shore, four), 4, {dry}},
      {"water, wet and dry, periodic along y",
       shallow_plane("[23, 61, 1]", shore, linked),
       4,
       {dry, "numerics.reconstruction.limiter=tvd"}},
      {"water, periodic, increments stored",
       shallow_plane("[23, 61, 1]", ground, all_linked),
       3,
       {"time.scheme=rk4-carpenter-kennedy"}},
      {"water over flat ground, walls",
       shallow_plane("[23, 61, 1]", "0", ""),
       4,
       {"numerics.riemann=linearised"}},
      {"a long shore, whose window slides",
       shallow_plane("[12, 190, 1]", shore, four),
       4,
       {dry},
       52},
      {"a long shore periodic along y", shallow_plane("[12, 190, 1]", shore, linked), 4, {dry}, 52},
      {"water whose sides read it", shallow_plane("[23, 61, 1]", ground, read), 4},
      {"water whose sides read it, 13 points",
       shallow_plane("[23, 61, 1]", ground, read),
       4,
       {across}},
      {"a long shore whose sides read the water, periodic along y",
       shallow_plane("[12, 190, 1]", shore, read_linked),
       4,
       {dry},
       52},
  };
}

// Air that moves against the mean wind, with sponges below the lid and along two sides.
inline std::string air_box(const std::string& cells, const std::string& physics,
                           const std::string& sides) {
  return "[case]\nsystem = \"atmosphere\"\n[grid]\nupper = [2e3, 6e3, 1e3]\ncells = " + cells +
         R"toml(
[physics]
reference = { kind = "stratified", theta = 300, brunt_vaisala = 0.01 }
wind = [5, 3, 0]
coriolis = { f = 1e-3 }
sponge.top = { width = 300, rate = 0.05 }
sponge.y = { width = 1e3, rate = 0.02 }
)toml" + physics +
         "[boundary]\n" + sides + R"toml([[initial]]
theta = "0.5*sin(x/300)*cos(y/400)*sin(z/300)"
velocity = ["5 + sin(y/500)", "3 + sin(x/300)*cos(z/200)", "0.3*sin(y/600)"]
[time]
steps = 1000000
dt = 0.05
)toml";
}

inline std::vector<StreamCase> air_stream_cases() {
  const std::string
      hills = "terrain = \"60*exp(-((x - 900)/400)^2)*cos(pi*y/3e3)^2\"\n",
      thick = "viscosity = 20\n", linked = "x = \"open\"\ny = \"periodic\"\n",
      all_linked = "x = \"periodic\"\ny = \"periodic\"\n",
      open = "x = \"wall\"\ny_lower = \"open\"\ny_upper = \"wall\"\n",
      warm = R"toml(x_lower = { kind = "wall", heat_flux = "100*(301 - theta)*cos(y/500 + t)" }
x_upper = { kind = "wall", stress = [0, "-0.1*rho*speed*velocity.y", 0] }
y = { kind = "wall", heat_flux = "0.1*z + y", stress = ["-rho*velocity.x", 0, 0] }
lid = { heat_flux = "-1e-7*temperature^4*cos(y/400)", stress = ["-0.1*rho*velocity.x", "0.01*y", 0] }
)toml",
      wind_along_x =
          R"toml(x_lower = { kind = "inflow", velocity = ["4 + 0.5*velocity.x*sin(9*t)", "3 + 0.001*y", "0.1*w"], theta = "sin(y/200 + 9*t) + 0.3*theta_perturbation" }
x_upper = { kind = "open", pressure = "0.5*pressure_perturbation + sin(y/300 + t)" }
)toml",
      wind_along_y =
          R"toml(y_lower = { kind = "inflow", velocity = ["velocity.x", "3 + 0.2*cos(x/100 + 9*t)", 0], theta = "0.1*cos(x/300)*t" }
y_upper = { kind = "open", pressure = "0.9*pressure_perturbation + 0.001*x" }
)toml";
  const std::string across = "numerics.reconstruction.transverse=-1/24",
                    stored = "time.scheme=rk4-carpenter-kennedy",
                    limited = "numerics.reconstruction.limiter=vanleer";
  return {
      {"air over flat ground", air_box("[14, 61, 9]", "", open), 3, {limited}},
      {"viscous air over flat ground", air_box("[14, 61, 9]", thick, linked)},
      {"air over hills", air_box("[14, 61, 9]", hills, open)},
      {"air over hills between walls with fluxes", air_box("[14, 61, 9]", hills, warm), 3},
      {"air that flows in along x",
       air_box("[14, 61, 9]", "", wind_along_x + "y = \"periodic\"\n")},
      {"air that flows in over hills", air_box("[14, 61, 9]", hills, wind_along_x + wind_along_y),
       3},
      {"air over hills, 25 points", air_box("[14, 61, 9]", hills, open), 3, {across}},
      {"air over hills, 25 points, periodic along y",
       air_box("[14, 61, 9]", hills, linked),
       3,
       {across}},
      {"viscous air over hills", air_box("[14, 61, 9]", hills + thick, open), 3},
      {"viscous air over hills, periodic, increments stored",
       air_box("[14, 61, 9]", hills + thick, all_linked),
       2,
       {stored}},
      {"a long valley, whose window slides",
       air_box("[8, 190, 5]", hills + thick, open),
       3,
       {"time.dt=0.01"},
       52},
  };
}

// z_sides of two conditions, and of a link.
inline std::vector<StreamCase> box_stream_cases() {
  const std::string linked = "z = \"periodic\"\n";
  const std::string forced =
      "[forcing]\nkind = \"helical\"\namplitude = 0.05\nk_min = 1\nk_max = 2\n";
  const std::string accelerated =
      "acceleration = [\"0.1*sin(z)\", \"0.05*cos(2*x)\", \"0.1*sin(x + y)\"]\n";
  const std::string shocks = "shock_viscosity = 1.5\n",
                    tall = "grid.upper=[\"2*pi\", \"2*pi\", \"40*pi\"]";
  const std::string fixed = "[time]\nsteps = 1000000\ndt = 0.01\n",
                    free = "[time]\nsteps = 1000000\n";
  return {
      {"a box with conditions on all sides", long_open_box("[14, 11, 61]", shut_z)},
      {"the same, base form", long_open_box("[14, 11, 61]", shut_z), 3, {"time.scheme=ssp-rk3"}},
      {"a box periodic along z", long_open_box("[14, 11, 61]", linked)},
      {"a long box, whose window slides", long_open_box("[9, 7, 190]", shut_z), 3, {}, 52},
      {"a long box periodic along z", long_open_box("[9, 7, 190]", linked), 3, {}, 52},
      {"a box whose sides read the flow",
       reading_box("[14, 11, 61]",
                   "z_lower = { kind = \"nonreflecting\", pressure = \"0.8*p + 0.2*rho*y\" }\n"
                   "z_upper = { kind = \"inflow\", velocity = [0, \"0.5*velocity.y\", "
                   "\"-0.1*p*x\"] }\n"),
       4},
      {"a long box whose sides read the flow, periodic along z",
       reading_box("[9, 7, 190]", linked),
       4,
       {"numerics.positivity=strict"},
       52},
      {"a plane grid whose sides read the flow", reading_box("[14, 61, 1]", linked)},
      {"a plane grid", long_open_box("[14, 61, 1]", linked)},
      {"a plane grid about an axis", about_axis(), 3, {"grid.geometry=axisymmetric"}},
      {"isothermal", periodic_box("isothermal", "[20, 12, 61]", fixed)},
      {"isothermal, two registers",
       periodic_box("isothermal", "[20, 12, 61]", fixed),
       3,
       {"numerics.storage=two"}},
      {"isothermal, forced", periodic_box("isothermal", "[20, 12, 61]", forced + fixed)},
      {"isothermal, forced inside",
       periodic_box("isothermal", "[20, 12, 61]", forced + "application = \"rhs\"\n" + fixed)},
      {"isothermal, forced, free step", periodic_box("isothermal", "[20, 12, 43]", forced + free),
       1},
      {"isothermal, accelerated", periodic_box("isothermal", "[20, 12, 61]", accelerated + fixed)},
      {"mhd, accelerated",
       periodic_box("mhd", "[20, 12, 61]", "resistivity = 1e-3\n" + accelerated + fixed)},
      {"mhd", periodic_box("mhd", "[20, 12, 61]", "resistivity = 1e-3\n" + fixed)},
      {"mhd, kinematic", kinematic_box("[20, 12, 61]", fixed)},
      {"mhd, forced", periodic_box("mhd", "[20, 12, 61]", "resistivity = 1e-3\n" + forced + fixed)},
      // Passes before each stage, each of which takes three planes more; the first on a grid that a GPU computes by its ring schedule.
      {"isothermal, 19 points",
       periodic_box("isothermal", "[32, 16, 121]", accelerated + fixed),
       3,
       {"numerics.method=19-point"},
       30},
      {"isothermal, 19 points in a plane",
       periodic_box("isothermal", "[12, 121, 1]", fixed),
       3,
       {"numerics.method=19-point", "time.scheme=rk2"},
       30},
      {"isothermal, shock viscosity",
       periodic_box("isothermal", "[12, 10, 221]", accelerated + shocks + fixed),
       4,
       {tall},
       52},
      {"isothermal, shock viscosity, free step",
       periodic_box("isothermal", "[12, 10, 61]", shocks + free),
       1,
       {tall}},
      {"mhd, shock viscosity",
       periodic_box("mhd", "[12, 10, 121]", "resistivity = 1e-3\n" + shocks + forced + fixed),
       2,
       {"numerics.storage=two", tall},
       22},
  };
}

inline std::vector<StreamCase> stream_cases() {
  std::vector<StreamCase> all = box_stream_cases();
  for (const auto& more : {torn_stream_cases(), shallow_stream_cases(), air_stream_cases()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

inline bool is_of(const StreamCase& c, const std::string& system) {
  return c.text.find("system = \"" + system + "\"") != std::string::npos;
}

// Cases whose stages round otherwise where the host updates them: compilers may join right-hand side and update, fluxes at sides and sources are
// added to rates that are not yet rounded new values, and the pressure at which a GPU keeps bounds has the GPU's reciprocals in single precision.
inline bool rounds_apart(const StreamCase& c, const std::string& device = "cpu",
                         const std::string& precision = "double") {
  const bool keeps_bounds = !c.set.empty() && c.set.back() == "numerics.clip=true";
  return is_of(c, "isothermal") || is_of(c, "mhd") ||
         c.text.find("heat_flux") != std::string::npos ||
         (keeps_bounds && device == "gpu" && precision == "single");
}

// Those whose stages the host can update, water without friction, and what the end of a step of multicomponent reads: cells of different widths, and
// Gamma and Pi kept in their bounds.
inline std::vector<StreamCase> host_update_cases() {
  const std::string friction = "friction = { manning = 0.05 }\n", linked = "z = \"periodic\"\n";
  std::vector<StreamCase> all = {{"a box of uneven cells",
                                  long_open_box("[14, 11, 61]", shut_z),
                                  1,
                                  {"grid.x_stretching=1", "grid.z_stretching=1.5"}},
                                 {"a box of uneven cells, periodic along z, base form",
                                  long_open_box("[14, 11, 61]", linked),
                                  1,
                                  {"grid.y_stretching=1", "time.scheme=ssp-rk3"}},
                                 {"a box kept in its bounds",
                                  long_open_box("[14, 11, 61]", linked),
                                  1,
                                  {"numerics.clip=true"}}};
  for (StreamCase c : stream_cases()) {
    std::string words = c.text;
    for (const std::string& set : c.set) words += set + '\n';
    const auto has = [&](const std::string& word) { return words.find(word) != std::string::npos; };
    const bool kicks = has("[forcing]") && !has("application = \"rhs\"");
    const bool diffuses = has("terrain") && has("viscosity");
    if (has("positivity") || has("wet_dry") || kicks || diffuses) continue;
    if (has(friction)) c.text.erase(c.text.find(friction), friction.size());
    all.push_back(c);
  }
  return all;
}

inline std::string without_fixed_step(std::string text) {
  const std::size_t fixed = text.find("\ndt = ");
  return text.erase(fixed, text.find('\n', fixed + 1) - fixed);
}

inline std::vector<std::string> updated_on_host(int segments) {
  return {"device.memory=stream", "stream.scheme=stage", "stream.update=host",
          "stream.segments=" + std::to_string(segments)};
}

inline Simulation start_case(const StreamCase& c, const std::string& device,
                             const std::string& precision, const std::vector<std::string>& more) {
  SimulationOptions options{device, precision, 1, c.set};
  options.set.insert(options.set.end(), more.begin(), more.end());
  return Simulation::from_text(c.text, options, c.name);
}

// By how much a sum of a streamed run may differ: kicks are counted in units that follow from the signal, which a visit knows for its first step.
inline double unit_of_sum(const std::string& name, double value) {
  return name == "forcing_work" ? 1e-9 * std::abs(value) : 0;
}

inline void expect_equal(const Simulation& resident, const Simulation& streamed, bool with_fields) {
  EXPECT_EQ(resident.steps(), streamed.steps());
  EXPECT_EQ(resident.t(), streamed.t());
  EXPECT_EQ(resident.dt(), streamed.dt());
  for (const std::string& name : resident.variables())
    EXPECT_TRUE(resident.variable(name) == streamed.variable(name)) << name;
  const auto of_resident = resident.diagnostics(), of_streamed = streamed.diagnostics();
  for (const auto& [name, value] : of_resident) {
    EXPECT_NEAR(value, of_streamed.at(name), unit_of_sum(name, value)) << name;
  }
  if (!with_fields) return;
  for (const std::string& name : resident.quantities())
    EXPECT_TRUE(resident.field(name) == streamed.field(name)) << name;
}

// All cases: steps that are no multiple of those of a visit, a few segments and many, so that the window slides. What follows from segments is
// the same in both precisions: single precision has many segments alone.
inline void expect_streams_like_resident(const std::string& device, const std::string& precision) {
  for (const StreamCase& c : stream_cases()) {
    SCOPED_TRACE(c.name + ", " + precision);
    Simulation resident = start_case(c, device, precision, {});
    resident.step(7);
    const bool all = precision == "double";
    for (const int segments : {2, 5}) {
      if (!all && segments == 2) continue;
      SCOPED_TRACE("stage by stage, " + std::to_string(segments) + " segments");
      Simulation streamed = start_case(c, device, precision,
                                       {"device.memory=stream", "stream.scheme=stage",
                                        "stream.segments=" + std::to_string(segments)});
      streamed.step(7);
      expect_equal(resident, streamed, false);
    }
    for (int fused = 1; fused <= c.most_fused; ++fused) {
      for (const int segments : {2, 7 - 2 * fused, c.many_segments - 4 * fused}) {
        if (!all && segments != c.many_segments - 4 * fused) continue;
        const std::string how =
            std::to_string(fused) + " steps a visit, " + std::to_string(segments) + " segments";
        SCOPED_TRACE(how);
        Simulation streamed =
            start_case(c, device, precision,
                       {"device.memory=stream", "stream.fused_steps=" + std::to_string(fused),
                        "stream.segments=" + std::to_string(std::max(segments, 2))});
        streamed.step(7);
        expect_equal(resident, streamed, fused == 2 || c.most_fused == 1);
      }
    }
  }
}

// The largest difference of two runs in a variable, over its largest value; of a logarithm over 1.
inline double largest_difference(const Simulation& one, const Simulation& other) {
  double largest = 0;
  for (const std::string& name : one.variables()) {
    const std::vector<double> a = one.variable(name), b = other.variable(name);
    double most = name == "lnrho" ? 1 : 0, apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      most = std::max(most, std::abs(a[i]));
      apart = std::max(apart, std::abs(a[i] - b[i]));
    }
    if (most > 0) largest = std::max(largest, apart / most);
  }
  return largest;
}

// A unit of the last place of 1.
inline double last_place(const std::string& precision) {
  return precision == "single" ? 1.2e-7 : 2.2e-16;
}

// Stages that the host updates: the rates are those of the device, and the update is the arithmetic of faces.
inline void expect_host_updates_like_resident(const std::string& device,
                                              const std::string& precision) {
  for (const StreamCase& c : host_update_cases()) {
    if (c.text.find("\ndt = ") == std::string::npos) continue;
    SCOPED_TRACE(c.name + ", " + precision);
    Simulation resident = start_case(c, device, precision, {});
    resident.step(7);
    for (const int segments : {2, 3, 5, 16}) {
      if (segments % 2 != 0 && !is_of(c, "multicomponent")) continue;
      SCOPED_TRACE(std::to_string(segments) + " segments");
      Simulation streamed = start_case(c, device, precision, updated_on_host(segments));
      streamed.step(7);
      if (rounds_apart(c, device, precision)) {
        EXPECT_EQ(resident.t(), streamed.t());
        EXPECT_LT(largest_difference(resident, streamed), 40 * last_place(precision));
      } else {
        expect_equal(resident, streamed, segments == 5);
      }
    }
  }
}

// Sources are added to the rates there, where a resident run adds them to what the stage has rounded: some units of the last place in each
// stage. Bounds are kept after them, not before.
inline void expect_sources_of_host_updates(const std::string& device,
                                           const std::string& precision) {
  const std::string source = R"toml([[source]]
density = "0.3*rho*cos(9*t + x)"
momentum = ["0.2*rho*z", "-0.5*velocity.y", "0.4*sin(5*x)*p"]
energy = "0.3*p*velocity.x"
)toml";
  for (StreamCase c : host_update_cases()) {
    if (!is_of(c, "multicomponent") || c.name.find("long") != std::string::npos ||
        c.name.find("bounds") != std::string::npos)
      continue;
    SCOPED_TRACE(c.name + " with sources, " + precision);
    const Simulation plain = start_case(c, device, precision, {});
    c.text += source;
    // Rings have no flow around the axis.
    if (c.name.find("axis") != std::string::npos) replace(c.text, "\"0.4*sin(5*x)*p\"", "0");
    Simulation resident = start_case(c, device, precision, {}),
               streamed = start_case(c, device, precision, updated_on_host(5));
    resident.step(7);
    streamed.step(7);
    EXPECT_EQ(resident.t(), streamed.t());
    EXPECT_LT(largest_difference(resident, streamed), 40 * last_place(precision));
    EXPECT_GT(largest_difference(resident, plain), 1e-3);
  }
}

}  // namespace watersmeet::test
