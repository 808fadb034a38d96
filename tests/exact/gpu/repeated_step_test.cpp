// device.verify_every on a GPU.
#include <gtest/gtest.h>

#include "support/on_gpu.hpp"
#include "support/repeated_steps.hpp"

namespace watersmeet::test {
namespace {

class GpuRepeatedSteps : public OnGpu {};

TEST_F(GpuRepeatedSteps, LeaveTheBitsAndFindAFlippedOne) {
  for (const SmallCase& c : small_cases()) {
    SCOPED_TRACE(c.example + " " + c.set.back());
    run::Engine plain(load_small(c, "gpu", 0)), checked(load_small(c, "gpu", 3));
    plain.advance(1e300, 7);
    checked.advance(1e300, 7);
    EXPECT_EQ(all_variables(checked), all_variables(plain));
    BitFlip flip(checked, 8);
    checked.set_sampler(&flip);
    EXPECT_THROW(checked.advance(1e300, 9), Error);
  }
}

}  // namespace
}  // namespace watersmeet::test
