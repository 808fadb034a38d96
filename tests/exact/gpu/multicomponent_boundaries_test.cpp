// Boundary conditions and their ledger on a GPU: every kind on some side, a patch, and inflow that
// changes in time, against the CPU; what passed the sides is accounted for there too. Skipped where
// no GPU answers.
#include <gtest/gtest.h>

#include <cmath>

#include "core/math.hpp"
#include "support/on_gpu.hpp"
#include "support/open_box.hpp"

using namespace watersmeet;

namespace multicomponent_boundaries_test {

namespace {

// Needs sides across y.
const char* const patch_of_y = R"toml([[boundary.patch]]
side = "y_lower"
lower = [0.2, 0, 0.1]
upper = [0.8, 0, 0.7]
kind = "inflow"
fluid = "gas"
velocity = [0, 0.2, 0]
)toml";

Simulation start(const std::string& cells, const std::string& device,
                 const std::string& precision) {
  const bool y_sides = cells.find(" 1,") == std::string::npos;
  return Simulation::from_text(test::open_box(cells, 1, test::shut_z) + (y_sides ? patch_of_y : ""),
                               test::on(device, precision));
}

// Cells of different widths.
const char* const wide = "[40, 24, 20]\nx_stretching = 1.1\ny_stretching = 0.6\nz_stretching = 0.8";

class GpuBoundaries : public test::OnGpu {};

// Reciprocals and roots differ in the last place; ten steps keep that below 1e-12 in double. A weak
// shock could amplify it, so the flow is smooth except for the sphere.
TEST_F(GpuBoundaries, AgreeWithTheCpu) {
  for (const std::string cells :
       {"[40, 24, 20]", "[33, 17, 5]", "[19, 1, 40]", "[64, 1, 1]", wide}) {
    for (const std::string precision : {"double", "single"}) {
      SCOPED_TRACE(cells + " " + precision);
      Simulation gpu = start(cells, "gpu", precision);
      Simulation cpu = start(cells, "cpu", precision);
      gpu.step(10);
      cpu.step(10);
      const double tolerance = precision == "double" ? 1e-12 : 1e-4;
      for (const std::string& name : cpu.variables()) {
        const std::vector<double> a = gpu.variable(name), b = cpu.variable(name);
        double largest = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_TRUE(std::isfinite(a[i]));
          largest = max_or_nan(largest, std::abs(a[i] - b[i]));
        }
        EXPECT_LT(largest, tolerance) << name;
      }
    }
  }
}

TEST_F(GpuBoundaries, LedgerBalancesMassAndEnergy) {
  for (const std::string cells : {"[40, 24, 20]", wide}) {
    for (const std::string precision : {"double", "single"}) {
      SCOPED_TRACE(cells + " " + precision);
      Simulation gpu = start(cells, "gpu", precision);
      const double before = gpu.diagnostics().at("mass");
      gpu.step(60);
      const auto now = gpu.diagnostics();
      const double tolerance = precision == "double" ? 1e-13 : 2e-6;
      EXPECT_GT(std::abs(now.at("mass") / before - 1), 1e-4) << "nothing passed the sides";
      EXPECT_LT(std::abs(now.at("mass_drift")), tolerance);
      EXPECT_LT(std::abs(now.at("energy_drift")), 2 * tolerance);
    }
  }
}

}  // namespace

}  // namespace multicomponent_boundaries_test
