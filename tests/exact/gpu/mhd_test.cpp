// Magnetohydrodynamics on a GPU against the CPU, which differ by round-off alone, in both schedules; the same bits after a restart. Skipped
// where no GPU answers.
#include <gtest/gtest.h>

#include "support/on_gpu.hpp"

using namespace watersmeet;

namespace mhd_test {

namespace {

struct Choice {
  std::string name, physics, numerics, entropy;
  std::vector<std::string> schedules = {"direct", "ring"};
};

std::vector<Choice> choices() {
  const std::string full =
      "energy = \"entropy\"\nthermal_diffusivity = 0.01\nconductivity = 0.02\n";
  const std::string upwind = "upwind = [\"rho\", \"velocity\", \"potential\"]\n";
  const std::string wave = "entropy = \"0.05*sin(x + z)\"\n";
  return {{"isothermal", "", "", ""},
          {"Weyl gauge", "gauge = \"weyl\"\n", "storage = \"stored\"\n", ""},
          {"entropy", full, "", wave},
          {"extended", full + "hyperviscosity = 1e-9\nhyperdiffusivity = 1e-9\n", upwind, wave},
          {"shock viscosity", full + "shock_viscosity = 2\n", "", wave, {"direct"}}};
}

Simulation start(const Choice& c, const std::string& device, const std::string& precision,
                 const std::string& schedule = "auto") {
  return Simulation::from_text(
      "[case]\nsystem = \"mhd\"\n[grid]\ncells = [40, 24, 20]\n[physics]\nviscosity = 0.01\n"
      "resistivity = 0.02\nbackground_field = [0.2, -0.1, 0.3]\n" +
          c.physics + "[numerics]\n" + c.numerics +
          "[forcing]\nkind = \"helical\"\namplitude = 0.05\nk_min = 1\nk_max = 2\n"
          "[time]\nend = 100\n[[initial]]\ndensity = \"1 + 0.1*cos(x + y - z)\"\n"
          "velocity = [\"0.3*sin(x)*cos(y)\", \"0.2*cos(z)\", \"0.1*sin(y)\"]\n"
          "potential = [\"0.3*cos(y + z)\", \"0.2*sin(x - z)\", \"0.1*cos(x)*sin(y)\"]\n" +
          c.entropy,
      test::on(device, precision, schedule));
}

class GpuMhd : public test::OnGpu {};

// Calls f(choice, schedule) for all of them.
template <class F>
void for_each_kernel(const F& f) {
  for (const Choice& c : choices()) {
    for (const std::string& schedule : c.schedules) {
      SCOPED_TRACE(c.name + " " + schedule);
      f(c, schedule);
    }
  }
}

TEST_F(GpuMhd, FieldsAndSeriesAgreeWithCpu) {
  for_each_kernel([](const Choice& c, const std::string& schedule) {
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "double", schedule);
    cpu.step(20);
    gpu.step(20);
    test::expect_fields_agree(cpu, gpu, 1e-12);
    const auto a = cpu.diagnostics(), b = gpu.diagnostics();
    for (const auto& [name, value] : a)
      EXPECT_NEAR(value, b.at(name), 1e-11 * std::max(1.0, std::abs(value))) << name;
  });
}

TEST_F(GpuMhd, SinglePrecisionStaysClose) {
  for_each_kernel([](const Choice& c, const std::string& schedule) {
    Simulation cpu = start(c, "cpu", "double"), gpu = start(c, "gpu", "single", schedule);
    cpu.step(20);
    gpu.step(20);
    const std::vector<double> x = cpu.field("magnetic_field"), y = gpu.field("magnetic_field");
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = max_or_nan(worst, std::abs(x[i] - y[i]));
    EXPECT_LT(worst, 1e-4);
  });
}

TEST_F(GpuMhd, ResumesBitForBit) {
  for (const char* precision : {"single", "double"}) {
    for_each_kernel([&](const Choice& c, const std::string& schedule) {
      SCOPED_TRACE(precision);
      test::expect_resumes_to_the_bit([&] { return start(c, "gpu", precision, schedule); }, 7, 8);
    });
  }
}

}  // namespace

}  // namespace mhd_test
