// The rows of the Boussinesq benchmark: solver of the pressure x schedule in both precisions, on
// turbulent Rayleigh-Benard convection between plates.
#include <fmt/format.h>

#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

namespace {
// Box, Rayleigh and Prandtl number of Cohen and Molemaker (2009), Parallel CFD, Table III. From
// noise the first steps are not yet turbulent, but a step with a direct solver costs the same. The
// tolerance of multigrid in double is the paper's 1e-8 in units of diffusion: sqrt(Ra Pr) times
// less in free-fall units.
std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  return fmt::format(
      R"toml([case]
system = "boussinesq"
[grid]
cells = [{}, {}, {}]
lower = [-1, -1, -0.5]
upper = [1, 1, 0.5]
[physics]
rayleigh = 1e7
prandtl = 0.71
[numerics]
precision = "{}"
pressure = {{ solver = "{}"{} }}
[device]
schedule = "{}"
[time]
steps = 1000000000
[[initial]]
temperature = "-z"
noise = {{ amplitude = 1e-2, seed = 7 }}
[[initial]]
noise = {{ field = "velocity", amplitude = 1e-2, seed = 8 }}
[boundary]
x = "periodic"
y = "periodic"
z_lower = {{ kind = "no_slip", temperature = 0.5 }}
z_upper = {{ kind = "no_slip", temperature = -0.5 }}
)toml",
      cells[0], cells[1], cells[2], variant.precision, variant.label("solver"),
      variant.label("solver") == "mg" && variant.precision == "double" ? ", tol_abs = 3.75e-12"
                                                                       : "",
      variant.label("schedule"));
}
}  // namespace

systems::Bench bench(Backend backend) {
  const bool gpu = backend == Backend::cuda;
  systems::Bench result;
  result.unit = "cell";
  result.grids = {{64, 64, 32}, {128, 128, 64}};
  if (gpu) {
    result.grids.push_back({256, 256, 128});
    result.grids.push_back({384, 384, 192});
  }
  for (const char* precision : {"double", "single"}) {
    for (const char* solver : {"fft", "mg"}) {
      for (const char* schedule : {"ring", "direct"}) {
        // One schedule on the CPU; and multigrid gains nothing from the other one.
        if (std::string(schedule) == (gpu ? "direct" : "ring") &&
            (!gpu || std::string(solver) == "mg"))
          continue;
        result.variants.push_back({precision, {{"solver", solver}, {"schedule", schedule}}});
      }
    }
  }
  result.case_text = case_text;
  // Multigrid on both sides: eight cores of 2008, lines and 14 cycles, and a Tesla C1060, points
  // and 8 cycles.
  result.published = {"Cohen and Molemaker (2009), Table III",
                      "double",
                      "solver",
                      {{{64, 64, 32}, 47, 24},
                       {{128, 128, 64}, 327, 79},
                       {{256, 256, 128}, 4070, 498},
                       {{384, 384, 192}, 13670, 1616}}};
  return result;
}

}  // namespace watersmeet::boussinesq
