// The same bits: for any number of CPU threads, and after a run was saved and restored half way.
#include <fmt/format.h>

#include "verify/bit_rows.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
// A bubble off the middle under a shock, a different condition at every side, on a box that is a
// multiple of no pack and no tile.
FlowCase busy_case(const std::string& reconstruction, const std::string& scheme) {
  FlowCase c{.cells = {23, 19, 17},
             .upper = {2.3e-3, 1.9e-3, 1.7e-3},
             .model = "mpcf-k",
             .fluids = fluid_line("water", seed_water) + fluid_line("air", seed_air),
             .reconstruction = reconstruction,
             .cfl = 0.4,
             .scheme = scheme};
  c.initial = initial_entry("water", seed_water) +
              "[[initial]]\n"
              "shape = { kind = \"shock\", x = 0.3e-3, side = \"lower\", pressure_jump = 4e7 }\n"
              "[[initial]]\nfluid = \"air\"\nshape = { kind = \"sphere\", "
              "centre = [0.9e-3, 0.85e-3, 0.95e-3], radius = 0.4e-3 }\n";
  c.boundary =
      "x_lower = \"inflow\"\ny_lower = \"reflecting\"\nz = \"periodic\"\n"
      "y_upper = { kind = \"nonreflecting\", pressure = 1e5 }\n";
  return c;
}
}  // namespace

void verify_same_bits(Verification& v) {
  const bool brief = !v.at_least(Extent::quick);
  BitSteps steps{.on_threads = 15, .before = 60, .after = 60};
  if (brief) steps = {.on_threads = 5, .before = 8, .after = 8, .threads = {2}};
  for (const char* const reconstruction : {"weno5-js", "weno5-z"}) {
    for (const char* const scheme : {"rk3-cubism", "ssp-rk3"}) {
      if (brief &&
          (reconstruction != std::string("weno5-js") || scheme != std::string("rk3-cubism")))
        continue;
      const FlowCase c = busy_case(reconstruction, scheme);
      const std::string name = fmt::format("{}, {}, ", reconstruction, scheme);
      bit_rows(v, name, steps, text_of(c));
    }
  }
}

}  // namespace watersmeet::verify
