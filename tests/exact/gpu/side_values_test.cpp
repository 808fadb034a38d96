// Values at sides that are expressions of the state, on a GPU against those on the CPU: the text of their kernel, and steps of each system that
// has such.
#include <gtest/gtest.h>

#include <string>

#include "exec/source_text.hpp"
#include "support/on_gpu.hpp"

namespace watersmeet::test {
namespace {

TEST(SideValuesText, CompilesWithoutADevice) {
  if (!built_with_cuda()) GTEST_SKIP() << "built without CUDA";
  using enum Operation;
  using Kind = exec::SourceInput::Kind;
  for (const Precision precision : {Precision::double_, Precision::single_}) {
    exec::SourceTerms terms;
    terms.precision = precision;
    terms.of_side = true;
    terms.inputs = {{.kind = Kind::variable, .variable = 1}, {.kind = Kind::time}};
    terms.code = {{input, 0}, {input, 1}, {multiply}, {input, 0}};
    terms.programs = {{0, 0, 3}, {2, 3, 1}};
    EXPECT_FALSE(exec::compiled_source(exec::source_text(terms).text, 90).empty());
  }
}

const NamedCase side_cases[] = {{"boussinesq", R"toml([case]
system = "boussinesq"
[grid]
cells = [40, 18, 12]
upper = [4.0, 2.0, 1.5]
[physics]
viscosity = 0.02
diffusivity = 0.03
buoyancy = 1.0
scalars.salt = { diffusivity = 0.01 }
[boundary]
x_lower = { kind = "no_slip", temperature = "0.5*temperature + 0.1*y*t", scalars.salt.flux = "0.01*salt*speed" }
x_upper = { kind = "no_slip", temperature_flux = "0.04*temperature^4", velocity = [0, "0.5*velocity.y + 0.1*sin(z)", 0] }
y = "periodic"
z_lower = { kind = "stress", stress = ["-0.1*speed*velocity.x", "-0.1*speed*velocity.y + 0.01*temperature", 0], temperature_gradient = "x - temperature" }
z_upper = { kind = "no_slip", temperature_robin = [1, 0.5, "0.1*temperature^2"], scalars.salt.value = "salt + 0.1*r" }
[[initial]]
velocity = ["0.2*sin(pi*y)", "0.2*cos(2*pi*x/4)", 0]
temperature = "x - y*(2 - y)"
scalars.salt.value = "z*x"
[time]
steps = 6
dt = 0.01
scheme = "rk3"
)toml"},
                                {"shallow_water", R"toml([case]
system = "shallow_water"
[grid]
cells = [40, 36, 1]
upper = [6.0, 5.0, 1.0]
[physics]
bed = "-1 + 0.1*cos(2*pi*x/6)"
[boundary]
x_lower = { kind = "inflow", surface = "surface + 0.01*sin(t)", velocity = ["0.1 + 0.5*velocity.x", "-0.1*froude", 0] }
x_upper = { kind = "flow", velocity = ["0.2*depth^0.5", 0, 0] }
y_lower = { kind = "level", surface = "0.5*surface - 0.01*x*speed" }
y_upper = { kind = "far", surface = "0.1*depth + 0.1*bed", velocity = ["velocity.x*x/6", 0, 0] }
[numerics]
reconstruction.transverse = 0.0833
[time]
steps = 6
[[initial]]
surface = "0.05*sin(2*pi*x/6)"
)toml"},
                                {"atmosphere", R"toml([case]
system = "atmosphere"
[grid]
cells = [40, 18, 12]
upper = [4e3, 1.8e3, 1.2e3]
[physics]
reference = { kind = "stratified", theta = 290, brunt_vaisala = 0.01 }
terrain = "50 + 50*cos(2*pi*x/4e3)"
wind = [5, 1, 0]
[boundary]
x = "periodic"
y = "open"
ground = { heat_flux = "10*rho*(1 + speed)*(292 + sin(y/500 + t) - theta) + 0.1*(height - z)", stress = ["-0.3*rho*speed*velocity.x", "-0.2*rho*speed*velocity.y*cos(r/1e3)", 0] }
[time]
steps = 6
[[initial]]
theta = "3*sin(2*pi*x/4e3)"
)toml"},
                                {"walls", R"toml([case]
system = "atmosphere"
[grid]
cells = [40, 18, 12]
upper = [4e3, 1.8e3, 1.2e3]
[physics]
reference = { kind = "stratified", theta = 290, brunt_vaisala = 0.01 }
terrain = "50 + 50*cos(2*pi*x/4e3) + 0.02*y"
wind = [5, 1, 0]
[boundary]
x_lower = { kind = "wall", heat_flux = "10*rho*(292 + sin(y/500 + t) - theta) + 0.1*(height - z) + 0.01*x", stress = [0, "-0.3*rho*speed*velocity.y", "-0.2*rho*speed*w"] }
x_upper = { kind = "wall", heat_flux = "0.01*x*cos(z/100)", stress = [0, "0.1*cos(r/1e3)", 0] }
y = { kind = "wall", heat_flux = "0.01*y - 0.1*p/rho/290", stress = ["-0.2*rho*velocity.x", 0, "0.1*sin(x/300)"] }
lid = { heat_flux = "-1e-7*temperature^4 + 0.1*(z - height)", stress = ["0.1*rho*(10*sin(t) - velocity.x)", "-0.2*rho*velocity.y", 0] }
[time]
steps = 6
[[initial]]
theta = "3*sin(2*pi*x/4e3)"
)toml"},
                                {"inflow", R"toml([case]
system = "atmosphere"
[grid]
cells = [40, 18, 12]
upper = [4e3, 1.8e3, 1.2e3]
[physics]
reference = { kind = "stratified", theta = 290, brunt_vaisala = 0.01 }
terrain = "50 + 50*cos(2*pi*x/4e3) + 0.02*y"
wind = [5, 1, 0]
[boundary]
x_lower = { kind = "inflow", velocity = ["5 + 0.5*velocity.x*sin(t)", "1 + 0.001*z", "0.1*w"], theta = "sin(y/200 + t) + 0.3*theta_perturbation + 0.001*x" }
x_upper = { kind = "open", pressure = "0.5*pressure_perturbation + 20*(velocity.x - 5)" }
y = { kind = "inflow", velocity = ["velocity.x", "1 + 0.2*cos(x/100)", 0], theta = "0.2*height/100 - 0.001*y", pressure = "0.9*pressure_perturbation" }
[time]
steps = 6
[[initial]]
theta = "3*sin(2*pi*x/4e3)"
)toml"},
                                {"sphere", R"toml([case]
system = "atmosphere"
[grid]
kind = "cubed_sphere"
cells = [12, 12, 8]
radius = 1e5
top = 1e4
[physics]
reference = { kind = "isothermal", temperature = 300 }
atmosphere = "deep"
terrain = "500*cos(lat)*sin(lon)^2"
[boundary]
ground = { heat_flux = "10*rho*(301 + sin(3*lon + t) - temperature)*(1 + speed)", stress = ["rho*(20*cos(lat) - velocity_east)", "rho*sin(lat)*velocity_east + 0.1*height - 0.1*z", 0] }
lid = { heat_flux = "-1e-7*temperature^4*(1 + cos(lon)) + 0.01*(z - height)", stress = ["-0.1*rho*velocity_east", "0.1*rho*cos(lat)", 0] }
[time]
scheme = "hevi"
steps = 6
[[initial]]
theta = "5*cos(lat)*sin(lon)"
)toml"},
                                {"aerodynamics", R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "bump", cells = [48, 16], blocks = [3, 1] }
[physics]
freestream = { mach = 0.3 }
[boundary]
inflow = { kind = "inflow_total", total_pressure = "0.78 + 0.02*sin(3*t + 5*y) - 0.1*rho*speed^2", direction = ["1", "0.1*sin(4*y) + 0.2*velocity.y", 0] }
outflow = { kind = "outflow_pressure", pressure = "0.69 + 0.05*rho*speed" }
top = { kind = "exact", state = { density = "0.9*rho + 0.1", velocity = ["velocity.x", "0.5*velocity.y + 0.01*entropy", 0], pressure = "0.5*p + 0.5/1.4 + 0.001*energy*x" } }
[time]
mode = "unsteady"
steps = 6
)toml"},
                                {"gust", R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "bump", cells = [48, 16], blocks = [3, 1] }
[physics]
freestream = { mach = 0.3 }
[boundary]
inflow = { kind = "farfield", state = { density = "1 + 0.1*cos(5*y)", velocity = ["0.3 + 0.02*sin(5*y + 3*t)", "0.05*cos(4*t) + 0.3*velocity.y", 0] } }
outflow = { kind = "farfield", state = { density = "1 + 0.1*sin(x - t)" } }
[time]
mode = "unsteady"
steps = 6
)toml"},
                                {"jet", R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "bump", cells = [48, 16], blocks = [3, 1] }
[physics]
freestream = { mach = 2 }
[boundary]
inflow = { kind = "supersonic_inflow", state = { density = "1 + 0.02*(mach - 2)", velocity = ["2 + 0.3*tanh((y - 0.4)/0.2)", 0, 0] } }
outflow = "supersonic_outflow"
[time]
mode = "steady"
steps = 6
first_order_cycles = 1
)toml"},
                                {"cycles", R"toml([case]
system = "aerodynamics"
[grid]
mesh = { kind = "bump", cells = [48, 16], blocks = [3, 1] }
[physics]
freestream = { mach = 0.3 }
[boundary]
inflow = { kind = "inflow_total", total_pressure = "0.78 + 0.02*sin(5*y) - 0.1*rho*speed^2", total_temperature = "1.3 + 0.1*mach^2" }
outflow = { kind = "outflow_pressure", pressure = "0.69 + 0.05*rho*speed" }
[time]
mode = "steady"
steps = 6
first_order_cycles = 1
)toml"},
                                {"multicomponent", R"toml([case]
system = "multicomponent"
[grid]
cells = [40, 18, 12]
upper = [4.0, 2.0, 1.5]
[physics.fluids.air]
gamma = 1.4
density = 1.0
[boundary]
x_lower = { kind = "inflow", density = "0.9*rho + 0.1", pressure = "0.5*p + 0.5", velocity = ["0.2*sound_speed*sin(t + y)", 0, "velocity.z"] }
x_upper = { kind = "nonreflecting", pressure = "1 + 0.1*mach^2" }
y = "periodic"
z = { kind = "inflow", velocity = ["0.5*velocity.x", "0.1*x", "-0.01*energy"] }
[[boundary.patch]]
side = "x_lower"
lower = [0, 0.5, 0.5]
upper = [0, 1.5, 1.0]
kind = "reflecting"
[time]
steps = 6
[[initial]]
fluid = "air"
pressure = "1 + 0.1*sin(x)*cos(y)"
velocity = ["0.1*sin(y)", "0.2*cos(z)", 0]
)toml"}};

class GpuSideValues : public OnGpu, public ::testing::WithParamInterface<NamedCase> {};

TEST_P(GpuSideValues, AreThoseOfTheCpu) {
  for (const char* const precision : {"double", "single"}) {
    Simulation here = Simulation::from_text(GetParam().text, on("cpu", precision)),
               there = Simulation::from_text(GetParam().text, on("gpu", precision));
    here.step(6);
    there.step(6);
    if (precision == std::string("double")) {
      expect_fields_agree(here, there, 1e-10);
      continue;
    }
    // Two quantities are little more than rounding in single precision: the divergence, 5e-7 after
    // these steps on the CPU, and the schlieren, an exponential of a quotient of density gradients,
    // 1.9e-4 from that of double precision on the CPU.
    const bool flows = GetParam().name == std::string("boussinesq");
    expect_fields_agree(here, there, 1e-4, flows ? "divergence" : "schlieren");
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, GpuSideValues, ::testing::ValuesIn(side_cases), name_of_case);

}  // namespace
}  // namespace watersmeet::test
