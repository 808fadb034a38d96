// A run that stops and is resumed from a checkpoint, and one on other threads, give the same bits: the
// right-hand side of the step before and the ratio of steps come back too.
#include <fmt/format.h>

#include <string>

#include "verify/bit_rows.hpp"
#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

namespace {
ConvectionCase convection(const std::string& scheme, const std::string& solver, bool open) {
  ConvectionCase c;
  c.cells = {18, 12, 10};
  c.physics =
      "viscosity = 0.01\ndiffusivity = 0.01\nbuoyancy = 1\n"
      "scalars.dye = { diffusivity = 0.02 }\n";
  c.numerics = fmt::format("pressure = {{ solver = \"{}\" }}\n", solver);
  c.scheme = scheme;
  c.temperature = "1 - z + 0.2*sin(2*pi*x)*sin(pi*z)";
  c.velocity = "\"z*(1 - z)\", \"0\", \"0\"";
  // Walls that move and heat with time.
  c.boundary =
      "x = \"periodic\"\ny = \"free_slip\"\n"
      "z_lower = { temperature = \"1 + 0.1*sin(20*t)\" }\n"
      "z_upper = { temperature = 0, velocity = [\"cos(30*t)\", 0, 0] }\n";
  if (open) {
    c.boundary =
        "x = \"open\"\ny_lower = \"open\"\ny_upper = \"free_slip\"\n"
        "z_lower = { temperature = \"1 + 0.1*sin(20*t)\" }\n"
        "z_upper = { kind = \"open\", velocity = [\"cos(30*t)\", 0, 0] }\n";
  }
  return c;
}
}  // namespace

void verify_staggered_bits(Verification& v) {
  struct Choice {
    const char *scheme, *solver;
    bool open;
  };
  const Choice choices[] = {{"ab2", "auto", false}, {"rk3", "auto", false}, {"ab2", "mg", false},
                            {"rk3", "mg", false},   {"ab2", "auto", true},  {"rk3", "mg", true}};
  for (const auto& [scheme, solver, open] : choices) {
    const ConvectionCase c = convection(scheme, solver, open);
    const std::string name = fmt::format("{}, {}, {}", scheme, solver, open ? "open sides, " : "");
    const BitSteps steps{.on_threads = 24, .before = 11, .after = 13, .threads = {3}};
    bit_rows(v, name, steps, text_of(c));
  }
}

}  // namespace watersmeet::verify
