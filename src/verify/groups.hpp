#pragma once
// The verification of every system: groups of rows, a folder for each system. A group measures as
// much as the verification's extent asks for.

#include <string>
#include <vector>

#include "verify/verification.hpp"

namespace watersmeet::verify {

struct VerifyGroup {
  const char* name;
  void (*measure)(Verification&);
};

// In the order in which they are printed; none for a system that has no verification.
std::vector<VerifyGroup> groups_of(const std::string& system);
// Adds groups for a system that was added by systems::add_system(), in the order in which they are printed.
bool add_groups(const std::string& system, const std::vector<VerifyGroup>& groups);

}  // namespace watersmeet::verify
