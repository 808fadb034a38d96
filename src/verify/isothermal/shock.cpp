// Shocks of isothermal flow with shock viscosity.
#include "verify/isothermal/groups.hpp"
#include "verify/shock_rows.hpp"

namespace watersmeet::verify {

void verify_shock(Verification& v) { shock_rows(v, "isothermal", 1.0, {0.003, 0.003, 0.2, 0.015}); }

}  // namespace watersmeet::verify
