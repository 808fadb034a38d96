// The rows of the benchmark of the atmosphere: mesh (and stretched levels, viscosity or implicit
// sound) x solver x stencil x schedule x precision, and the strategies with one launch per axis in
// double precision. A warm bubble in wind, so that no term vanishes; smooth for as long as it is
// measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/atmosphere/system.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::atmosphere {

namespace {

// A sphere of about as many columns, at least one panel of 8 x 8.
std::string transverse_of(const systems::BenchVariant& variant) {
  return variant.label("stencil") == "25-point" ? "-1/24" : "0";
}

std::string scheme_of(const systems::BenchVariant& variant) {
  return variant.label("mesh").ends_with("hevi") ? "scheme = \"hevi\"\n" : "";
}

std::string sphere_text(const systems::BenchVariant& variant, const Index3& cells) {
  const auto n = std::max<std::int64_t>(
      8, std::llround(std::sqrt(static_cast<double>(cells[0] * cells[1]) / 6)));
  return fmt::format(
      R"toml([case]
system = "atmosphere"
[grid]
kind = "cubed_sphere"
cells = [{0}, {0}, {1}]
top = 30e3
{7}[physics]
gravity = 9.80616
atmosphere = "{5}"
reference = {{ kind = "isothermal", temperature = 250 }}
[numerics]
precision = "{2}"
riemann = "{3}"
reconstruction = {{ transverse = "{6}" }}
[device]
schedule = "{4}"
[time]
{8}steps = 1000000000
[[initial]]
state = "baroclinic-wave"
)toml",
      n, cells[2], variant.precision, variant.label("riemann"), variant.label("schedule"),
      variant.label("mesh") == "deep-sphere" ? "deep" : "shallow", transverse_of(variant),
      variant.label("mesh") == "stretched-sphere" ? "z_mapping = \"s + s^2\"\n" : "",
      scheme_of(variant));
}

const std::string no_strategy = "-";

std::string device_section(const systems::BenchVariant& variant) {
  for (const exec::Strategy& choice : systems::all_strategies()) {
    if (exec::name_of(choice) == variant.label("strategy")) return systems::device_text(choice);
  }
  return fmt::format("[device]\nschedule = \"{}\"\n", variant.label("schedule"));
}

std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  const std::string mesh = variant.label("mesh"), riemann = variant.label("riemann");
  if (mesh.find("sphere") != std::string::npos) return sphere_text(variant, cells);
  return fmt::format(
      R"toml([case]
system = "atmosphere"
[grid]
cells = [{}, {}, {}]
lower = [-20e3, -10e3, 0]
upper = [20e3, 10e3, 10e3]
{}[physics]
reference = {{ kind = "stratified", brunt_vaisala = 0.01 }}
wind = [10, 5, 0]
{}{}[numerics]
precision = "{}"
riemann = "{}"
reconstruction = {{ transverse = "{}" }}
{}[time]
steps = 1000000000
{}[[initial]]
theta = "2*exp(-(x^2 + y^2 + (z - 3000)^2)/2000^2)"
[boundary]
x = "periodic"
y = "periodic"
)toml",
      cells[0], cells[1], cells[2],
      mesh.find("stretched") != std::string::npos ? "z_mapping = \"s + s^2\"\n" : "",
      mesh.starts_with("terrain") ? "terrain = \"500*exp(-(x^2 + y^2)/3000^2)\"\n" : "",
      mesh.ends_with("viscous") ? "viscosity = 5\n" : "", variant.precision, riemann,
      transverse_of(variant), device_section(variant), scheme_of(variant));
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
      result.variants.push_back({precision,
                                 {{"mesh", mesh},
                                  {"riemann", riemann},
                                  {"stencil", stencil},
                                  {"schedule", schedule},
                                  {"strategy", no_strategy}}});
    };
    if (backend == Backend::cpu) {  // one schedule
      for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", "auto");
      add("flat", "ausm", "auto");
      add("flat", "lmars", "auto", "25-point");
      add("flat-hevi", "lmars", "auto");
      add("sphere", "lmars", "auto");
      add("sphere", "lmars", "auto", "25-point");
      continue;
    }
    for (const char* schedule : {"tile", "sweeps"}) {
      for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", schedule);
      add("flat", "ausm", schedule);
    }
    for (const char* mesh : {"flat", "terrain"}) add(mesh, "lmars", "tile", "25-point");
    for (const char* mesh : {"flat-stretched", "terrain-stretched", "terrain-viscous"}) {
      add(mesh, "lmars", "tile");
    }
    for (const char* schedule : {"tile", "sweeps"}) {
      for (const char* mesh : {"flat-hevi", "terrain-hevi"}) add(mesh, "lmars", schedule);
    }
    add("sphere-hevi", "lmars", "tile");
    for (const char* mesh : {"sphere", "deep-sphere"}) {
      for (const char* schedule : {"tile", "sweeps"}) add(mesh, "lmars", schedule);
      add(mesh, "lmars", "tile", "25-point");
    }
    add("stretched-sphere", "lmars", "tile");
  }
  if (backend == Backend::cuda) {
    for (const char* stencil : {"13-point", "25-point"}) {
      for (const exec::Strategy& choice : systems::all_strategies()) {
        result.variants.push_back({"double",
                                   {{"mesh", "flat"},
                                    {"riemann", "lmars"},
                                    {"stencil", stencil},
                                    {"schedule", "axes"},
                                    {"strategy", exec::name_of(choice)}}});
      }
    }
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::atmosphere
