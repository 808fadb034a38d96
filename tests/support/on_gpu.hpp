#pragma once
// What tests of simulations on a GPU share. They are skipped where none answers, as in continuous
// integration.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/math.hpp"
#include "watersmeet/simulation.hpp"

namespace watersmeet::test {

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no CUDA device";
  }
};

// A case of a parametrised test.
struct NamedCase {
  const char *name, *text;
};
inline std::string name_of_case(const ::testing::TestParamInfo<NamedCase>& one) {
  return one.param.name;
}

inline SimulationOptions on(const std::string& device, const std::string& precision,
                            const std::string& schedule = "auto") {
  return {device, precision, 0, {"device.schedule=\"" + schedule + "\""}};
}

// Of random data that are new each time; to be told when a comparison fails.
inline unsigned fresh_seed() {
  static const unsigned seed = std::random_device{}();
  return seed;
}

inline void expect_same_bits(const Simulation& a, const Simulation& b) {
  EXPECT_EQ(a.t(), b.t());
  for (const std::string& name : a.variables()) {
    EXPECT_EQ(a.variable(name), b.variable(name)) << name;
  }
}

// A run that stops after the steps `before` and resumes from a checkpoint.
inline void expect_resumes_to_the_bit(const std::function<Simulation()>& start, std::int64_t before,
                                      std::int64_t after) {
  const std::string path =
      ::testing::TempDir() + "/watersmeet_" +
      ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "_resume.h5";
  Simulation whole = start();
  whole.step(before + after);
  Simulation half = start();
  half.step(before);
  half.save(path);
  Simulation rest = start();
  rest.restore(path);
  std::filesystem::remove(path);
  rest.step(after);
  expect_same_bits(whole, rest);
}

// All quantities but one, to `tolerance` of the largest value of each. Values are of order one in
// the units of the cases; where a case has none of a quantity, what is left are roundings.
inline void expect_fields_agree(const Simulation& a, const Simulation& b, double tolerance,
                                const std::string& but = "") {
  for (const std::string& name : a.quantities()) {
    if (name == but) continue;
    const std::vector<double> x = a.field(name), y = b.field(name);
    double size = 1e-3, worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = max_or_nan(size, std::abs(x[i]));
      worst = max_or_nan(worst, std::abs(x[i] - y[i]));
    }
    EXPECT_LE(worst, tolerance * size) << name;
  }
}

}  // namespace watersmeet::test
