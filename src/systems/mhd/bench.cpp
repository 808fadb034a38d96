// The rows of the MHD benchmark: isothermal and full MHD in both precisions.
#include <fmt/format.h>

#include "systems/mhd/system.hpp"

namespace watersmeet::mhd {

namespace {
// Smooth, fully three-dimensional flow and field, so that no value is trivial and nothing decays to zero.
std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  return fmt::format(
      R"toml([case]
system = "mhd"
[grid]
cells = [{}, {}, {}]
[physics]
energy = "{}"
viscosity = 1.0e-3
resistivity = 1.0e-3
[numerics]
precision = "{}"
[time]
steps = 1000000000
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
potential = ["0.1*sin(y + z)", "0.1*cos(x)*sin(2*z)", "0.1*sin(x)*cos(y)"]
)toml",
      cells[0], cells[1], cells[2], variant.label("energy"), variant.precision);
}
}  // namespace

systems::Bench bench(Backend backend) {
  systems::Bench result;
  result.grids = backend == Backend::cuda ? std::vector<Index3>{{256, 256, 256}, {512, 512, 512}}
                                          : std::vector<Index3>{{64, 64, 64}, {128, 128, 128}};
  for (const char* precision : {"single", "double"}) {
    for (const char* energy : {"isothermal", "entropy"})
      result.variants.push_back({precision, {{"energy", energy}}});
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::mhd
