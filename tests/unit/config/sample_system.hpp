#pragma once
// A small system's keys on top of the common ones, and a case that is right, for the tests of the
// input.

#include "config/input.hpp"
#include "config/schema.hpp"
#include "sample_tables.hpp"

namespace sample {

using namespace watersmeet;
using namespace watersmeet::config;

inline std::vector<std::string> systems() { return {"isothermal", "multicomponent", "boussinesq"}; }

inline Schema schema() {
  Schema schema = common_schema(systems());
  schema.add({
      {.path = "physics.sound_speed",
       .type = KeyType::real,
       .unit = "length/time",
       .default_text = "1.0",
       .lowest = 0,
       .lowest_open = true,
       .help = "Speed of sound."},
      {.path = "physics.viscosity",
       .type = KeyType::real,
       .unit = "length^2/time",
       .default_text = "5.0e-3",
       .lowest = 0,
       .help = "Kinematic viscosity."},
      {.path = "physics.scales.mass",
       .type = KeyType::real,
       .default_text = "1.0",
       .help = "Unit of mass."},
      {.path = "numerics.order",
       .type = KeyType::integer,
       .default_text = "6",
       .choices = {"2", "4", "6"},
       .help = "Order of the differences."},
      {.path = "numerics.method",
       .type = KeyType::choice,
       .default_text = "\"55-point\"",
       .choices = {"55-point", "19-point"},
       .help = "Stencil."},
      {.path = "forcing.kind",
       .type = KeyType::choice,
       .default_text = "\"none\"",
       .choices = {"none", "nonhelical", "helical"},
       .help = "Random forcing."},
      {.path = "forcing.amplitude",
       .type = KeyType::real,
       .default_text = "0.02",
       .lowest = 0,
       .highest = 1,
       .help = "Amplitude f0."},
      {.path = "forcing.modes", .type = KeyType::list_reals3, .help = "Wave vectors."},
      {.path = "forcing.seed",
       .type = KeyType::integer,
       .default_text = "1",
       .help = "Seed of the random numbers."},
      {.path = "initial[].density",
       .type = KeyType::expression,
       .unit = "density",
       .default_text = "1.0",
       .variables = "x y z r",
       .help = "Density."},
      {.path = "initial[].velocity",
       .type = KeyType::expressions3,
       .unit = "length/time",
       .default_text = "[0, 0, 0]",
       .variables = "x y z r",
       .help = "Velocity."},
      {.path = "source[].velocity",
       .type = KeyType::expressions3,
       .unit = "length/time^2",
       .default_text = "[0, 0, 0]",
       .variables = "x y z r t",
       .help = "Source of velocity."},
  });
  schema.add_foreign("multicomponent", {"physics.fluids.water.gamma", "numerics.riemann"});
  schema.add_foreign("boussinesq", {"physics.rayleigh", "physics.prandtl"});
  return schema;
}

// The second system; it and the first have physics.scales, initial[].velocity and more in common.
inline Schema tables_schema() {
  Schema schema = common_schema(systems());
  schema.add(fluid_keys());
  for (const char* side : {"x_lower", "x_upper"}) schema.add(side_keys(side));
  schema.add(entry_keys());
  schema.add({.path = "physics.scales.density", .default_text = "1.0", .help = "Unit of density."});
  const Schema other = sample::schema();
  std::vector<std::string> paths;
  for (const Key& key : other.keys()) paths.push_back(key.path);
  schema.add_foreign("isothermal", paths);
  schema.add_foreign("boussinesq",
                     {"physics.rayleigh", "physics.viscosity", "physics.fluids.*.expansion"});
  return schema;
}

inline const char* right_case() {
  return R"toml([case]
system = "isothermal"
name = "forced"

[constants]
k0 = 2
length = "2*pi/k0"

[grid]
cells = [64, 32, 16]
upper = ["2*pi", "length", 1.5]

[physics]
viscosity = 1e-2

[forcing]
kind = "helical"
modes = [[1, 0, 0], [0, "k0", -1.5]]

[time]
end = "3*pi"
cfl = 0.5

[[initial]]
density = "1 + 0.1*sin(k0*x)"

[[initial]]
density = 2
velocity = ["sin(y)", 0, "r"]

[output]
fields = ["rho", "velocity"]
every = 0.5
)toml";
}

inline Input checked(const std::string& text, const std::vector<std::string>& overrides = {},
                     const std::string& name = "case.toml") {
  Input input = Input::from_text(text, name, overrides);
  const std::string system = input.system(systems());
  input.validate(system == "multicomponent" ? tables_schema() : schema());
  return input;
}

}  // namespace sample
