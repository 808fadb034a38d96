#include "run/verify/groups.hpp"

#include "run/verify/isothermal/groups.hpp"

namespace watersmeet::run {

std::vector<VerifyGroup> groups_of(const std::string& system) {
  if (system == "isothermal") return isothermal_groups();
  return {};
}

}  // namespace watersmeet::run
