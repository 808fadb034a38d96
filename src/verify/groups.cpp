#include "verify/groups.hpp"

#include <map>

#include "verify/aerodynamics/groups.hpp"
#include "verify/atmosphere/groups.hpp"
#include "verify/boussinesq/groups.hpp"
#include "verify/isothermal/groups.hpp"
#include "verify/mhd/groups.hpp"
#include "verify/multicomponent/groups.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
std::map<std::string, std::vector<VerifyGroup>>& added() {
  static std::map<std::string, std::vector<VerifyGroup>> groups;
  return groups;
}
}  // namespace

bool add_groups(const std::string& system, const std::vector<VerifyGroup>& groups) {
  added()[system] = groups;
  return true;
}

std::vector<VerifyGroup> groups_of(const std::string& system) {
  if (system == "isothermal") return isothermal_groups();
  if (system == "mhd") return mhd_groups();
  if (system == "multicomponent") return multicomponent_groups();
  if (system == "boussinesq") return boussinesq_groups();
  if (system == "shallow_water") return shallow_water_groups();
  if (system == "aerodynamics") return aerodynamics_groups();
  if (system == "atmosphere") return atmosphere_groups();
  const auto found = added().find(system);
  return found == added().end() ? std::vector<VerifyGroup>{} : found->second;
}

}  // namespace watersmeet::verify
