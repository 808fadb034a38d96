#include "run/verify/groups.hpp"

#include "run/verify/aerodynamics/groups.hpp"
#include "run/verify/atmosphere/groups.hpp"
#include "run/verify/boussinesq/groups.hpp"
#include "run/verify/isothermal/groups.hpp"
#include "run/verify/multicomponent/groups.hpp"
#include "run/verify/shallow_water/groups.hpp"

namespace watersmeet::run {

std::vector<VerifyGroup> groups_of(const std::string& system) {
  if (system == "isothermal") return isothermal_groups();
  if (system == "multicomponent") return multicomponent_groups();
  if (system == "boussinesq") return boussinesq_groups();
  if (system == "shallow_water") return shallow_water_groups();
  if (system == "aerodynamics") return aerodynamics_groups();
  if (system == "atmosphere") return atmosphere_groups();
  return {};
}

}  // namespace watersmeet::run
