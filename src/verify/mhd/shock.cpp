// Shocks of an ideal gas, whose entropy shock viscosity raises.
#include "verify/mhd/groups.hpp"
#include "verify/shock_rows.hpp"

namespace watersmeet::verify {

void verify_mhd_shock(Verification& v) { shock_rows(v, "mhd", 1.4, {0.003, 0.003, 0.2, 0.04}); }

}  // namespace watersmeet::verify
