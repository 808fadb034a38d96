#pragma once
// Cases whose solution can be kept in host memory, and the comparison of their streamed runs with those that stay on the device: the same
// bits for a given time step, whatever the segments and the steps of a visit.

#include <gtest/gtest.h>

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

// z_sides of two conditions, and of a link.
inline std::vector<StreamCase> stream_cases() {
  const std::string linked = "z = \"periodic\"\n";
  const std::string forced =
      "[forcing]\nkind = \"helical\"\namplitude = 0.05\nk_min = 1\nk_max = 2\n";
  const std::string fixed = "[time]\nsteps = 1000000\ndt = 0.01\n",
                    free = "[time]\nsteps = 1000000\n";
  return {
      {"a box with conditions on all sides", long_open_box("[14, 11, 61]", shut_z)},
      {"the same, base form", long_open_box("[14, 11, 61]", shut_z), 3, {"time.scheme=ssp-rk3"}},
      {"a box periodic along z", long_open_box("[14, 11, 61]", linked)},
      {"a long box, whose window slides", long_open_box("[9, 7, 190]", shut_z), 3, {}, 52},
      {"a long box periodic along z", long_open_box("[9, 7, 190]", linked), 3, {}, 52},
      {"a plane grid", long_open_box("[14, 61, 1]", linked)},
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
      {"mhd", periodic_box("mhd", "[20, 12, 61]", "resistivity = 1e-3\n" + fixed)},
      {"mhd, kinematic", kinematic_box("[20, 12, 61]", fixed)},
      {"mhd, forced", periodic_box("mhd", "[20, 12, 61]", "resistivity = 1e-3\n" + forced + fixed)},
  };
}

inline Simulation start_case(const StreamCase& c, const std::string& device,
                             const std::string& precision, const std::vector<std::string>& more) {
  SimulationOptions options{device, precision, 1, c.set};
  options.set.insert(options.set.end(), more.begin(), more.end());
  return Simulation::from_text(c.text, options, c.name);
}

inline void expect_equal(const Simulation& resident, const Simulation& streamed, bool with_fields) {
  EXPECT_EQ(resident.steps(), streamed.steps());
  EXPECT_EQ(resident.t(), streamed.t());
  EXPECT_EQ(resident.dt(), streamed.dt());
  for (const std::string& name : resident.variables())
    EXPECT_TRUE(resident.variable(name) == streamed.variable(name)) << name;
  const auto of_resident = resident.diagnostics(), of_streamed = streamed.diagnostics();
  for (const auto& [name, value] : of_resident) {
    // Kicks are counted in units that follow from the signal, which a visit knows for its first step.
    const double unit = name == "forcing_work" ? 1e-9 * std::abs(value) : 0;
    EXPECT_NEAR(value, of_streamed.at(name), unit) << name;
  }
  if (!with_fields) return;
  for (const std::string& name : resident.quantities())
    EXPECT_TRUE(resident.field(name) == streamed.field(name)) << name;
}

// All cases: steps that are no multiple of those of a visit, a few segments and many, so that the window slides.
inline void expect_streams_like_resident(const std::string& device, const std::string& precision) {
  for (const StreamCase& c : stream_cases()) {
    SCOPED_TRACE(c.name + ", " + precision);
    Simulation resident = start_case(c, device, precision, {});
    resident.step(7);
    for (const int segments : {2, 5}) {
      SCOPED_TRACE("stage by stage, " + std::to_string(segments) + " segments");
      Simulation streamed = start_case(c, device, precision,
                                       {"device.memory=stream", "stream.scheme=stage",
                                        "stream.segments=" + std::to_string(segments)});
      streamed.step(7);
      expect_equal(resident, streamed, false);
    }
    for (int fused = 1; fused <= c.most_fused; ++fused) {
      for (const int segments : {2, 7 - 2 * fused, c.many_segments - 4 * fused}) {
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

}  // namespace watersmeet::test
