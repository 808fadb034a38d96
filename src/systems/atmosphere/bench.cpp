// The rows of the benchmark of the atmosphere: mesh x solver x stencil x schedule x precision. A
// warm bubble in wind, so that no term vanishes; smooth for as long as it is measured.
#include <fmt/format.h>

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

namespace {

std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  const std::string mesh = variant.label("mesh"), riemann = variant.label("riemann");
  return fmt::format(
      R"toml([case]
system = "atmosphere"
[grid]
cells = [{}, {}, {}]
lower = [-20e3, -10e3, 0]
upper = [20e3, 10e3, 10e3]
[physics]
reference = {{ kind = "stratified", brunt_vaisala = 0.01 }}
wind = [10, 5, 0]
{}[numerics]
precision = "{}"
riemann = "{}"
reconstruction = {{ transverse = "{}" }}
[device]
schedule = "{}"
[time]
steps = 1000000000
[[initial]]
theta = "2*exp(-(x^2 + y^2 + (z - 3000)^2)/2000^2)"
[boundary]
x = "periodic"
y = "periodic"
)toml",
      cells[0], cells[1], cells[2],
      mesh == "terrain" ? "terrain = \"500*exp(-(x^2 + y^2)/3000^2)\"\n" : "", variant.precision,
      riemann, variant.label("stencil") == "25-point" ? "-1/24" : "0", variant.label("schedule"));
}

}  // namespace

systems::Bench bench(Backend backend) {
  systems::Bench result;
  result.unit = "cell";
  result.grids = backend == Backend::cuda ? std::vector<Index3>{{484, 232, 116}, {1024, 512, 128}}
                                          : std::vector<Index3>{{121, 58, 29}, {484, 232, 116}};
  for (const char* precision : {"single", "double"}) {
    const auto add = [&](const char* mesh, const char* riemann, const char* schedule,
                         const char* stencil = "13-point") {
      result.variants.push_back(
          {precision,
           {{"mesh", mesh}, {"riemann", riemann}, {"stencil", stencil}, {"schedule", schedule}}});
    };
    if (backend == Backend::cpu) {  // one schedule
      for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", "auto");
      add("flat", "ausm", "auto");
      add("flat", "lmars", "auto", "25-point");
      continue;
    }
    for (const char* schedule : {"tile", "sweeps"}) {
      for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", schedule);
      add("flat", "ausm", schedule);
    }
    for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", "tile", "25-point");
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::atmosphere
