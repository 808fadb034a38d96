// The rows of the multicomponent benchmark: model x reconstruction x schedule in both precisions.
#include <fmt/format.h>

#include "systems/multicomponent/system.hpp"

namespace watersmeet::multicomponent {

namespace {
// Air bubbles in water under a shock: every branch of the flux is taken somewhere, and the state
// stays one of its kind for as long as it is measured.
std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  return fmt::format(
      R"toml([case]
system = "multicomponent"
[grid]
cells = [{}, {}, {}]
upper = [1, 1, 1]
[physics]
model = "{}"
[physics.fluids]
water = {{ gamma = 6.12, p_c = 3.43e8, density = 1000.0 }}
air = {{ gamma = 1.4, density = 1.204 }}
[numerics]
reconstruction = "{}"
precision = "{}"
[device]
schedule = "{}"
[time]
steps = 1000000000
cfl = 0.5
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
shape = {{ kind = "shock", x = 0.1, side = "lower", pressure_jump = 4e7 }}
[[initial]]
fluid = "air"
shape = {{ kind = "sphere_row", radius = 0.2, count = 2, gap = 0.05, first = [0.3, 0.5, 0.5], direction = "x", smoothing = 2 }}
[boundary]
x_lower = "inflow"
y = "periodic"
z = "periodic"
)toml",
      cells[0], cells[1], cells[2], variant.label("model"), variant.label("reconstruction"),
      variant.precision, variant.label("schedule"));
}
}  // namespace

systems::Bench bench(Backend backend) {
  const bool gpu = backend == Backend::cuda;
  systems::Bench result;
  result.unit = "cell";
  result.grids = gpu ? std::vector<Index3>{{256, 256, 256}, {512, 512, 512}}
                     : std::vector<Index3>{{64, 64, 64}, {128, 128, 128}};
  for (const char* precision : {"single", "double"}) {
    for (const char* model : {"mpcf", "mpcf-k"}) {
      for (const char* reconstruction : {"weno5-js", "weno5-z"}) {
        for (const char* schedule : {"tile", "sweeps"}) {
          // One schedule on the CPU.
          if (!gpu && std::string(schedule) == "sweeps") continue;
          result.variants.push_back({precision,
                                     {{"model", model},
                                      {"reconstruction", reconstruction},
                                      {"schedule", gpu ? schedule : "auto"}}});
        }
      }
    }
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::multicomponent
