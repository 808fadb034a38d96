// The rows of the benchmark of aerodynamics: orders 1 and 3, one grid and two, in both precisions,
// on wavy blocks in space. The grid of a row
// is that of the nodes of its one block.
#include <fmt/format.h>

#include "systems/aerodynamics/system.hpp"

namespace watersmeet::aerodynamics {

namespace {
std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  const bool multigrid = variant.label("grids") == "2V";
  return fmt::format(
      R"toml([case]
system = "aerodynamics"
[grid]
mesh = {{ kind = "wavybox", cells = [{}, {}, {}], blocks = [1, 1, 1], turns = "none" }}
[physics]
freestream = {{ mach = 0.5, alpha_deg = 10, beta_deg = 5 }}
[numerics]
precision = "{}"
order = {}
dissipation = "scalar"
multigrid = {{ levels = {}, cycle = "V", pre = 1, post = 1, sequencing = false }}
[time]
cfl = 0.5
residual_drop = 0
force_window = 0
first_order_cycles = 0
steps = 1000000000
[[initial]]
flow = {{ kind = "vortex", centre = [5, 5, 0], strength = 0.1 }}
[boundary]
outer = "farfield"
)toml",
      cells[0] - 1, cells[1] - 1, cells[2] - 1, variant.precision, variant.label("order"),
      multigrid ? 2 : 1);
}
}  // namespace

systems::Bench bench(Backend backend) {
  systems::Bench result;
  result.unit = "node";
  result.grids = {{33, 33, 33}, {65, 65, 65}};
  if (backend == Backend::cuda) {
    result.grids.push_back({97, 97, 81});    // 0.76 million nodes
    result.grids.push_back({129, 129, 97});  // 1.6 million
  }
  for (const char* precision : {"double", "single"}) {
    for (const char* order : {"1", "3"}) {
      for (const char* grids : {"1", "2V"}) {
        result.variants.push_back({precision, {{"order", order}, {"grids", grids}}});
      }
    }
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::aerodynamics
