// The rows of the shallow water benchmark: stencil x precision, on planes and, where a grid is six
// cells high, on cubed spheres; on GPUs also the strategies with one launch per axis in double
// precision. A wavy surface over a wavy bed, so that no term vanishes; smooth for as long as it is
// measured. Rows "limited" have van Leer's limiter and the solver HLLC, rows "wet-dry" besides the
// treatment of dry cells, though none is dry: the time that it costs wherever water is.
#include <fmt/format.h>

#include "systems/shallow_water/system.hpp"
#include "systems/strategies.hpp"

namespace watersmeet::shallow_water {

namespace {

const std::string no_strategy = "-";

// A march has none: `auto` takes it.
std::string device_section(const systems::BenchVariant& variant) {
  for (const exec::Strategy& choice : systems::all_strategies()) {
    if (exec::name_of(choice) == variant.label("strategy")) return systems::device_text(choice);
  }
  return "";
}

std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  const std::string stencil = variant.label("stencil");
  std::string numerics;
  if (stencil == "13-point") numerics = "reconstruction = { transverse = \"-1/24\" }\n";
  if (stencil == "limited" || stencil == "wet-dry") {
    numerics = "reconstruction = { limiter = \"vanleer\" }\n";
  }
  if (stencil == "wet-dry") numerics += "wet_dry = true\n";
  if (cells[2] == 6) {
    return fmt::format(
        R"toml([case]
system = "shallow_water"
[grid]
kind = "cubed_sphere"
cells = [{}, {}, 6]
[physics]
bed = "1000 + 500*sin(4*lon)*cos(lat)^4"
[numerics]
precision = "{}"
{}[time]
steps = 1000000000
cfl = 1.2
[[initial]]
surface = "8000 + 100*cos(3*lon)*cos(lat)^3"
velocity = ["30*cos(lat)", "0.1*cos(lon)*sin(2*lat)", 0]
)toml",
        cells[0], cells[1], variant.precision, numerics);
  }
  return fmt::format(
      R"toml([case]
system = "shallow_water"
[grid]
cells = [{}, {}, {}]
upper = [1e6, 1e6, 1]
[physics]
gravity = 9.80616
bed = "-1000 + 100*sin(8*pi*x/1e6)*cos(6*pi*y/1e6)"
coriolis = {{ f = 1e-4 }}
[numerics]
precision = "{}"
{}{}[time]
steps = 1000000000
cfl = 1.2
[[initial]]
surface = "sin(4*pi*x/1e6)*cos(2*pi*y/1e6)"
velocity = ["0.1*cos(2*pi*y/1e6)", "0.1*sin(4*pi*x/1e6)", 0]
[boundary]
x = "periodic"
y = "periodic"
)toml",
      cells[0], cells[1], cells[2], variant.precision, numerics, device_section(variant));
}

}  // namespace

systems::Bench bench(Backend backend) {
  systems::Bench result;
  result.unit = "cell";
  // 2508 x 418 cells are as many as six panels of 418 x 418, 4096 x 4096 nearly as many as six of
  // 1672 x 1672.
  result.grids = {{1024, 1024, 1}, {2508, 418, 1}, {418, 418, 6}};
  if (backend == Backend::cuda) {
    result.grids.push_back({4096, 4096, 1});
    result.grids.push_back({1672, 1672, 6});
  }
  for (const char* precision : {"single", "double"}) {
    for (const char* stencil : {"9-point", "13-point", "limited", "wet-dry"}) {
      result.variants.push_back(
          {precision, {{"stencil", stencil}, {"schedule", "march"}, {"strategy", no_strategy}}});
    }
  }
  if (backend == Backend::cuda) {
    for (const Index3& cells : {Index3{1024, 1024, 1}, Index3{4096, 4096, 1}}) {
      for (const char* stencil : {"9-point", "13-point"}) {
        for (const exec::Strategy& choice : systems::all_strategies()) {
          result.variants.push_back(
              {"double",
               {{"stencil", stencil}, {"schedule", "axes"}, {"strategy", exec::name_of(choice)}},
               cells});
        }
      }
    }
  }
  result.case_text = case_text;
  result.fixed = {"numerics.reconstruction", "numerics.wet_dry"};  // the stencil
  result.on_grid = [](const systems::BenchVariant& variant, const Index3& cells) {
    return cells[2] != 6 || variant.label("stencil") != "wet-dry";
  };
  return result;
}

}  // namespace watersmeet::shallow_water
