#include "verify/groups.hpp"

#include "verify/aerodynamics/groups.hpp"
#include "verify/atmosphere/groups.hpp"
#include "verify/boussinesq/groups.hpp"
#include "verify/isothermal/groups.hpp"
#include "verify/mhd/groups.hpp"
#include "verify/multicomponent/groups.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> groups_of(const std::string& system) {
  if (system == "isothermal") return isothermal_groups();
  if (system == "mhd") return mhd_groups();
  if (system == "multicomponent") return multicomponent_groups();
  if (system == "boussinesq") return boussinesq_groups();
  if (system == "shallow_water") return shallow_water_groups();
  if (system == "aerodynamics") return aerodynamics_groups();
  if (system == "atmosphere") return atmosphere_groups();
  return {};
}

}  // namespace watersmeet::verify
