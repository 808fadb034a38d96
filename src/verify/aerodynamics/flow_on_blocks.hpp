#pragma once
// The cases of the verification of aerodynamics as a small struct that becomes the text of an input
// file.

#include <string>

#include "verify/verification.hpp"

namespace watersmeet::verify {

struct FlowOnBlocks {
  std::string mesh;                   // members of grid.mesh
  std::string stream = "mach = 0.5";  // members of physics.freestream
  int order = 3;
  std::string numerics = {};  // further lines of [numerics]
  bool steady = false;
  std::string time = {};      // further lines of [time]
  std::string initial = {};   // lines of [[initial]]
  std::string boundary = {};  // lines of [boundary]
  std::string source = {};    // lines of [[source]]
};

std::string text_of(const FlowOnBlocks& c);

// Cycles of a steady run until the residual has fallen by `drop`, at most so many; whether it has.
bool converge(Simulation& s, double drop, std::int64_t most);

}  // namespace watersmeet::verify
