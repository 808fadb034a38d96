#pragma once

#include "core/block_layout.hpp"
#include "systems/forcing.hpp"

namespace watersmeet::systems {

// What the functors of a system of central differences are made of besides its physics.
struct CentralCase {
  Forcing forcing;
  // Register start of a congruent state of three variables, or null.
  const void* acceleration = nullptr;
  const BlockLayout* acceleration_layout = nullptr;
};

}  // namespace watersmeet::systems
