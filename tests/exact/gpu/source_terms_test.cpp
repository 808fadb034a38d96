// Source terms on a GPU against those on the CPU: the pass itself, and steps of systems with sources of every kind of name.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "exec/source_text.hpp"
#include "support/on_gpu.hpp"
#include "support/source_pass.hpp"

namespace watersmeet::test {
namespace {

// Terms that use every operation and every kind of input.
exec::SourceTerms terms_of_everything(Precision precision) {
  using enum Operation;
  using Kind = exec::SourceInput::Kind;
  static const double numbers[4] = {0, 1, 2, 3};
  exec::SourceTerms terms;
  terms.precision = precision;
  terms.inputs = {{.kind = Kind::variable, .variable = 1},
                  {.kind = Kind::mean, .variable = 0, .reach = {1, 0, -1}},
                  {.kind = Kind::extra},
                  {.kind = Kind::place, .values = numbers, .stride = {0, 1, 7}},
                  {.kind = Kind::time},
                  {.kind = Kind::step},
                  {.kind = Kind::scalar, .variable = 0}};
  terms.tables = {{2, {{numbers, 4, 0}, {numbers, 2, 3.5}}, numbers}};
  for (int n = 0; n < 7; ++n) terms.code.push_back({input, n});
  for (int n = 0; n < 4; ++n) terms.code.push_back({add});
  for (int o = int(negative); o <= int(tanh); ++o) terms.code.push_back({Operation(o)});
  for (int o = int(add); o <= int(min); ++o) {
    terms.code.push_back({constant, 0, 0.1 * o});
    terms.code.push_back({Operation(o)});
  }
  terms.code.push_back({choose});
  terms.code.push_back({constant, 0, std::numeric_limits<double>::infinity()});
  terms.code.push_back({table});
  const int length = int(terms.code.size());
  terms.programs = {{1, 0, length}, {0, 0, length}};
  terms.code.insert(terms.code.end(), {{input, 4}, {input, 5}, {table}});
  terms.scalars = {{0, length, 3}};
  return terms;
}

TEST(SourceText, CompilesWithoutADevice) {
  if (!built_with_cuda()) GTEST_SKIP() << "built without CUDA";
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    const exec::SourceText source = exec::source_text(terms_of_everything(precision));
    EXPECT_FALSE(exec::compiled_source(source.text, 90).empty());
    EXPECT_THROW(exec::compiled_source(source.text + "?", 90), Error);
  }
}

class GpuSourceTerms : public OnGpu {};

TEST_F(GpuSourceTerms, OfOnePassAreThoseOfTheCpu) {
  if (cuda_devices().empty()) return;
  Queue queue = make_cuda_queue();
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    for (const exec::UpdateForm form : {exec::UpdateForm::two, exec::UpdateForm::stored,
                                        exec::UpdateForm::base, exec::UpdateForm::history}) {
      // Rows longer and shorter than a warp, more rows than a tile has.
      for (const Index3& n : {Index3{37, 5, 4}, Index3{3, 41, 2}, Index3{130, 1, 1}}) {
        SourcePass pass;
        pass.n = n;
        pass.box = {{0, 0, 0}, n};
        pass.precision = precision;
        pass.update = {.form = form, .a = -0.4, .b = 0.75, .read_old = true};
        pass.clock.t = 2;
        pass.clock.dt = 0.125;
        pass.clock.active = 1;
        for (const char* const text :
             {"x*y + t*sum + f(x)", "sin(3*u)/(v + 2) - exp(-x)", "u > v ? y^2 : 0.3*t"}) {
          pass.early = form == exec::UpdateForm::stored && text[0] == 's';
          const auto here = pass.run(text, {}), there = pass.run(text, queue);
          ASSERT_FALSE(there.out.empty()) << text;
          const double error = precision == Precision::single_ ? 1e-6 : 1e-12;
          for (std::size_t c = 0; c < here.out.size(); ++c) {
            EXPECT_NEAR(here.out[c], there.out[c], error) << text;
            EXPECT_NEAR(here.increment[c], there.increment[c], error) << text;
          }
        }
        const auto bad = pass.run("1/(x - x)", queue);
        EXPECT_TRUE(std::isnan(exec::bits_to_double(bad.clock.signal_bits)));
      }
    }
  }
  destroy_queue(queue);
}

const NamedCase cases[] = {{"isothermal", R"toml([case]
system = "isothermal"
[grid]
cells = [36, 20, 18]
[time]
steps = 4
[[initial]]
density = "1 + 0.1*sin(x + y)*cos(z)"
velocity = ["0.1*sin(y)", "0.2*cos(z)", "0.1*sin(x)"]
[[source]]
velocity = ["0.3*sin(y)*cos(2*t) - 0.1*speed*velocity.x", "-0.2*velocity.y", "0.1*p - 0.1*rho"]
density = "0.1*(1 - rho)*exp(-r^2)"
)toml"},
                           {"mhd", R"toml([case]
system = "mhd"
[grid]
cells = [18, 20, 12]
[physics]
energy = "entropy"
[time]
steps = 4
[[initial]]
velocity = ["0.1*sin(y)", "0.2*cos(z)", "0.1*sin(x)"]
potential = ["0.1*cos(z)", 0, "0.1*sin(y)"]
[[source]]
potential = [0, "0.05*sin(x)", "-0.1*vector_potential.z"]
heating = "0.2*(temperature - 1.2) + 0.1*entropy"
)toml"},
                           {"multicomponent", R"toml([case]
system = "multicomponent"
[grid]
cells = [20, 18, 12]
[physics.fluids.air]
gamma = 1.4
density = 1.0
[time]
steps = 4
[[initial]]
fluid = "air"
pressure = "1 + 0.1*sin(x)*cos(y)"
velocity = ["0.1*sin(y)", "0.2*cos(z)", 0]
[[source]]
density = "0.1*(1 - rho)"
momentum = ["0.1*sin(z)*rho", "-0.1*velocity.y*mach", 0]
energy = "0.3*(1 - p) + 0.01*sound_speed"
)toml"},
                           {"boussinesq", R"toml([case]
system = "boussinesq"
[grid]
cells = [20, 16, 12]
z_stretching = 1.0
[physics]
viscosity = 0.02
buoyancy = 1.0
[boundary]
x = "no_slip"
y = "periodic"
z = "no_slip"
[time]
steps = 4
dt = 0.01
[[source]]
velocity = ["0.3*sin(z)*cos(2*t)", "-0.2*velocity.x*speed", "0.1*temperature*exp(-r)"]
temperature = "0.1*(z - 2) - 0.2*temperature*velocity.z"
)toml"},
                           {"shallow_water", R"toml([case]
system = "shallow_water"
[grid]
cells = [40, 36, 1]
upper = [6.0, 5.0, 1.0]
[physics]
bed = "-1 + 0.1*cos(2*pi*x/6)"
friction = { drag = 0.01 }
[time]
steps = 4
[[initial]]
surface = "0.05*sin(2*pi*x/6)"
[[source]]
surface = "0.1*exp(-x^2) - 0.01*depth"
discharge = ["0.1*sin(y)*depth", "-0.2*velocity.y*froude + 0.01*bed", 0]
)toml"},
                           {"atmosphere", R"toml([case]
system = "atmosphere"
[grid]
cells = [12, 10, 8]
upper = [6e3, 5e3, 4e3]
[physics]
reference = { kind = "stratified", brunt_vaisala = 0.01 }
terrain = "100*exp(-((x - 3e3)/800)^2)"
[time]
steps = 4
[[initial]]
theta = "exp(-((x - 3e3)^2 + (z - 2e3)^2)/1e6)"
[[source]]
momentum = ["-1e-3*rho*velocity.x", "1e-3*rho*sin(y/800)", "1e-4*w"]
energy = "-0.1*rho*(temperature - 280 + 0.006*z) + 1e-5*p"
)toml"}};

class GpuSourcesOfSystems : public OnGpu, public ::testing::WithParamInterface<NamedCase> {};

TEST_P(GpuSourcesOfSystems, AreThoseOfTheCpu) {
  Simulation here = Simulation::from_text(GetParam().text, on("cpu", "double")),
             there = Simulation::from_text(GetParam().text, on("gpu", "double"));
  here.step(4);
  there.step(4);
  expect_fields_agree(here, there, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Systems, GpuSourcesOfSystems, ::testing::ValuesIn(cases), name_of_case);

}  // namespace
}  // namespace watersmeet::test
