// The rows of the isothermal benchmark: method x storage x schedule in both precisions.
#include <fmt/format.h>

#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

namespace {
// Smooth, fully three-dimensional flow, so that no value is trivial and nothing decays to zero, of few
// terms: 2e9 points are filled before they are timed.
std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  return fmt::format(
      R"toml([case]
system = "isothermal"
[grid]
cells = [{}, {}, {}]
[physics]
viscosity = 1.0e-3
[numerics]
method = "{}"
precision = "{}"
storage = "{}"
[device]
schedule = "{}"
[time]
steps = 1000000000
[[initial]]
density = "1 + 0.1*sin(x + y + z)"
velocity = ["0.1*sin(y + 2*z)", "0.1*sin(z + 2*x)", "0.1*sin(x + 2*y)"]
)toml",
      cells[0], cells[1], cells[2], variant.label("method"), variant.precision,
      variant.label("storage"), variant.label("schedule"));
}

// The ring needs a GPU. Stored increments in double, and on a GPU in the direct schedule, are left
// out to keep the table short.
bool is_measured(bool gpu, const std::string& precision, const std::string& storage,
                 const std::string& schedule) {
  if (precision == "double" && storage == "stored") return false;
  return schedule == "ring" ? gpu : !gpu || storage == "two";
}
}  // namespace

systems::Bench bench(Backend backend) {
  const bool gpu = backend == Backend::cuda;
  systems::Bench result;
  result.grids = gpu ? std::vector<Index3>{{256, 256, 256}, {512, 512, 512}}
                     : std::vector<Index3>{{64, 64, 64}, {128, 128, 128}};
  for (const char* precision : {"single", "double"}) {
    for (const char* method : {"55-point", "19-point"}) {
      for (const char* storage : {"two", "stored"}) {
        for (const char* schedule : {"ring", "direct"}) {
          if (!is_measured(gpu, precision, storage, schedule)) continue;
          result.variants.push_back(
              {precision, {{"method", method}, {"storage", storage}, {"schedule", schedule}}});
        }
      }
    }
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::isothermal
