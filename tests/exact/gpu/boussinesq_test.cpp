// Buoyant flow on a GPU: both schedules and the transforms of the pressure against the CPU, which
// differ by round-off alone; the same bits after a restart. Skipped where no GPU answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "support/on_gpu.hpp"

using namespace watersmeet;

namespace boussinesq_test {

namespace {

struct Choice {
  std::string name, cells, boundary;
  std::string physics = "", numerics = "", grid = "", scheme = "ab2", initial = "";
};

const std::string box = "x = \"periodic\"\ny = \"periodic\"\nz = \"periodic\"\n";
const std::string plates =
    "x = \"periodic\"\ny = \"periodic\"\n"
    "z_lower = { temperature = \"1 + 0.1*cos(2*pi*x)\" }\nz_upper = { temperature = 0 }\n";
// A kind each, profiles and values that change with time, flow through two sides.
const std::string six_walls =
    "x_lower = { kind = \"no_slip\", velocity = [\"y*(1 - y)*z*(1 - z)\", 0, 0], temperature = 1 "
    "}\n"
    "x_upper = { kind = \"no_slip\", velocity = [\"y*(1 - y)*z*(1 - z)\", 0, 0], "
    "temperature_flux = 0.1 }\n"
    "y_lower = \"free_slip\"\n"
    "y_upper = { kind = \"partial_slip\", slip = 0.3, velocity = [0.2, 0, \"sin(9*t)\"] }\n"
    "z_lower = { kind = \"stress\", stress = [\"0.01*x\", 0, 0], temperature_robin = [1, 0.5, "
    "\"cos(5*t)\"] }\n"
    "z_upper = { kind = \"no_slip\", velocity = [\"x*(1 - x)*(1 + t)\", 0, 0], temperature = \"x\" "
    "}\n";

// Open at both ends of an axis, beside walls and periodic sides, and where three of them meet.
const std::string channel =
    "x_lower = { velocity = [\"6*z*(1 - z)*(1 + 0.2*sin(9*t))\", 0, 0], temperature = \"z\" }\n"
    "x_upper = { kind = \"open\", temperature = 0.3 }\n"
    "y = \"periodic\"\nz = \"no_slip\"\n";
const std::string open_box =
    "x_lower = { kind = \"open\", velocity = [0, \"0.1*sin(9*t)\", 0], temperature = \"1 - z\" }\n"
    "x_upper = { kind = \"open\", temperature = 0.5 }\n"
    "y_lower = { kind = \"open\" }\n"
    "y_upper = { kind = \"open\", velocity = [\"x\", 0, 0] }\n"
    "z_lower = { kind = \"open\", temperature = 1 }\nz_upper = { kind = \"open\" }\n";

// Walls that do not change with time.
const std::string still_walls =
    "x_lower = { velocity = [0, 0, \"y\"], temperature = 1 }\n"
    "x_upper = { temperature_gradient = 0.3 }\n"
    "y_lower = \"free_slip\"\ny_upper = { kind = \"partial_slip\", slip = 0.3 }\n"
    "z_lower = { kind = \"stress\", stress = [\"0.01*x\", 0, 0], temperature_robin = [1, 0.5, 1] "
    "}\n"
    "z_upper = { velocity = [\"x*(1 - x)\", 0, 0], temperature = \"x\" }\n";
const std::string implicit = "diffusion = \"implicit\"\nimplicit_axes = ";

// A front, and bounded advection of it.
const std::string dye = "scalars = { dye = {} }\n", limited = "scalar_advection = \"limited3\"\n",
                  front = "scalars = { dye = { value = \"x < 0.4 && z > 0.3\" } }\n";

std::vector<Choice> choices() {
  return {
      {"periodic", "[48, 32, 24]", box},
      {"plates", "[64, 32, 32]", plates},
      {"six_walls", "[40, 24, 20]", six_walls},
      {"stretched", "[40, 24, 20]", plates, "", "", "z_stretching = 1.5\n"},
      {"scalars", "[40, 24, 20]", plates,
       "scalars = { salt = { diffusivity = 0.01, buoyancy = -0.5 }, dye = {} }\n", "", "", "ab2",
       "scalars = { salt = { value = \"z\" }, dye = { value = \"sin(2*pi*x)\" } }\n"},
      {"rotating", "[40, 24, 20]", box,
       "coriolis = [0.3, -0.2, 1]\nacceleration = [\"sin(2*pi*y)\", 0.1, 0]\nheating = \"x\"\n"},
      {"upwind", "[40, 24, 20]", six_walls, "", "advection = \"upwind1\"\n"},
      {"rk3", "[40, 24, 20]", six_walls, "", "", "", "rk3"},
      {"ssp_rk3", "[40, 24, 20]", six_walls, "", "", "", "ssp-rk3"},
      {"limited", "[40, 24, 20]", six_walls, dye, limited, "", "ssp-rk3", front},
      {"limited_stretched", "[40, 24, 20]", six_walls, dye, limited,
       "x_stretching = 1.1\nz_stretching = 1.5\n", "ssp-rk3", front},
      {"limited_periodic", "[48, 32, 24]", box, dye, limited, "", "ssp-rk3", front},
      {"limited_open", "[40, 24, 20]", open_box, dye, limited, "", "ssp-rk3", front},
      {"limited_flat", "[47, 1, 31]", plates, dye, limited, "", "ssp-rk3", front},
      {"five_scalars", "[40, 24, 20]", plates,
       "scalars = { a = { buoyancy = 0.5 }, b = { diffusivity = 0.01 }, c = {}, d = {} }\n", "", "",
       "ab2",
       "scalars = { a = { value = \"z\" }, b = { value = \"x\" }, c = { value = \"x*z\" } }\n"},
      {"limited_dye", "[40, 24, 20]", open_box, dye,
       "scalar_advection = { kind = \"upwind1\", dye = \"limited3\" }\n", "", "ssp-rk3", front},
      {"upwind_scalars", "[40, 24, 20]", open_box, "", "scalar_advection = \"upwind1\"\n", "",
       "rk3"},
      {"channel", "[40, 24, 20]", channel},
      {"open_box", "[40, 24, 20]", open_box,
       "coriolis = [0.3, -0.2, 1]\nacceleration = [\"0.1*y*z\", 0.1, \"0.2*x\"]\n"},
      {"open_rk3", "[40, 24, 20]", open_box, "", "", "z_stretching = 1.2\n", "rk3"},
      {"open_upwind", "[40, 24, 20]", channel, "", "advection = \"upwind1\"\n"},
      {"open_slice", "[40, 1, 20]", open_box},
      {"open_sources", "[40, 24, 20]", open_box, "", "", "", "ab2",
       "[[source]]\nvelocity = [\"x*temperature\", \"sin(9*t) - velocity.y\", \"0.2*speed\"]\n"},
      {"prime", "[61, 37, 23]", plates},
      {"thin", "[53, 5, 3]", plates},
      {"flat_y", "[47, 1, 31]", plates},
      {"flat_x", "[1, 47, 31]", plates},
      {"implicit", "[40, 24, 20]", plates, "", implicit + "\"xyz\"\n"},
      {"implicit_walls", "[41, 37, 70]", still_walls, dye, implicit + "\"xyz\"\n",
       "x_stretching = 1.5\nz_stretching = 1.5\n", "ab2", front},
      {"implicit_some", "[31, 24, 40]", plates, "", implicit + "\"z\"\n"},
      {"implicit_flat", "[300, 1, 31]", still_walls, "", implicit + "\"xz\"\n"},
      {"flat_z", "[47, 31, 1]", box}};
}

Simulation start(const Choice& c, const std::string& device, const std::string& precision,
                 const std::string& schedule = "auto") {
  const std::string text =
      "[case]\nsystem = \"boussinesq\"\n[grid]\ncells = " + c.cells +
      "\nlower = [0, 0, 0]\nupper = [1, 1, 1]\n" + c.grid +
      "[physics]\nviscosity = 0.01\ndiffusivity = 0.02\nbuoyancy = 1\n" + c.physics +
      "[numerics]\n" + c.numerics + "[time]\nsteps = 1000000\nscheme = \"" + c.scheme +
      "\"\n[boundary]\n" + c.boundary +
      "[[initial]]\nvelocity = [\"sin(2*pi*z)*cos(2*pi*y)\", \"sin(2*pi*x)\", \"cos(2*pi*x)\"]\n"
      "temperature = \"1 - z + 0.3*sin(2*pi*x)*sin(pi*z)*cos(2*pi*y)\"\n" +
      c.initial;
  return Simulation::from_text(text, test::on(device, precision, schedule));
}

// Largest difference of a variable, relative to the largest of its kind.
double difference(const Simulation& a, const Simulation& b) {
  double velocity = 0, worst[2] = {0, 0}, scalar = 0;
  for (const std::string& name : a.variables()) {
    const bool is_velocity = name == "u" || name == "v" || name == "w";
    const std::vector<double> x = a.variable(name), y = b.variable(name);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(y[i])) return 1e300;
      double& scale = is_velocity ? velocity : scalar;
      scale = std::max(scale, std::abs(x[i]));
      double& largest = worst[is_velocity ? 0 : 1];
      largest = max_or_nan(largest, std::abs(x[i] - y[i]));
    }
  }
  return max_or_nan(worst[0] / velocity, worst[1] / scalar);
}

class GpuBoussinesq : public test::OnGpu {};

TEST_F(GpuBoussinesq, AgreesWithCpuToRoundOffAfterTenSteps) {
  for (const Choice& c : choices()) {
    Simulation cpu = start(c, "cpu", "double");
    cpu.step(10);
    for (const char* schedule : {"direct", "ring"}) {
      SCOPED_TRACE(c.name + " " + schedule);
      Simulation gpu = start(c, "gpu", "double", schedule);
      gpu.step(10);
      EXPECT_LT(difference(cpu, gpu), 1e-12);
      EXPECT_NEAR(cpu.t(), gpu.t(), 1e-12 * cpu.t());
      const auto a = cpu.diagnostics(), b = gpu.diagnostics();
      for (const auto& [name, value] : a) {
        if (name == "divergence_max") continue;
        EXPECT_NEAR(value, b.at(name), 1e-10 * std::max(1.0, std::abs(value))) << name;
      }
      EXPECT_LT(b.at("divergence_max"), 1e-11);
    }
  }
}

TEST_F(GpuBoussinesq, FieldsAgreeWithCpu) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "double");
    cpu.step(5);
    gpu.step(5);
    test::expect_fields_agree(cpu, gpu, 1e-11, "divergence");
  }
}

TEST_F(GpuBoussinesq, SinglePrecisionStaysClose) {
  for (const Choice& c : choices()) {
    SCOPED_TRACE(c.name);
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "single");
    cpu.step(10);
    gpu.step(10);
    EXPECT_LT(difference(cpu, gpu), 1e-4);
  }
}

TEST_F(GpuBoussinesq, ResumesBitForBit) {
  for (const char* precision : {"single", "double"}) {
    for (const Choice& c : choices()) {
      SCOPED_TRACE(c.name + " " + precision);
      test::expect_resumes_to_the_bit([&] { return start(c, "gpu", precision); }, 14, 16);
    }
  }
}

}  // namespace

}  // namespace boussinesq_test
