// Groups of `watersmeet verify aerodynamics` that take seconds in the quick extent, their first:
// sections and the vehicle; and manufactured flows. Bump, oblique shock and long time take longer and have no test.
#include "support/expect_rows.hpp"
#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

TEST(AerodynamicsExact, FlowsWithSources) { expect_rows(verify_block_sources); }
TEST(AerodynamicsExact, Sections) { expect_rows(verify_sections, "double", "cpu", Extent::quick); }
TEST(AerodynamicsExact, Vehicle) { expect_rows(verify_vehicle, "double", "cpu", Extent::quick); }

}  // namespace watersmeet::verify
