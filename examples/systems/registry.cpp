// The systems of this folder, which the program watersmeet_examples has besides those of src/systems/registry.cpp: two lines for each.
#include "systems/registry.hpp"

#include "verify/groups.hpp"

namespace watersmeet {
namespace advection {
systems::SystemEntry entry();
}
namespace verify {
std::vector<VerifyGroup> advection_groups();
}

namespace {
void add(const systems::SystemEntry& system, const std::vector<verify::VerifyGroup>& groups) {
  systems::add_system(system);
  verify::add_groups(system.name, groups);
}

// Before main(): the lists grow by themselves when this file is linked.
[[maybe_unused]] const bool added = [] {
  add(advection::entry(), verify::advection_groups());
  return true;
}();
}  // namespace
}  // namespace watersmeet
