#pragma once
// The sponge below the lid of a sphere: after every step departures q from the reference, at rest,
// become q/(1 + dt rate), which is the backward Euler step of q_t = -rate q. It is stable for any
// step, also for those that implicit sound across levels allows.

#include <cstdint>

#include "exec/clock.hpp"
#include "systems/atmosphere/equations.hpp"

namespace watersmeet::atmosphere {

template <class R>
struct DampPanels {
  R* cells = nullptr;  // the first one of panels stacked along z, strides as in a register
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  int columns = 0, rows = 0, panels = 0, levels = 0;
  int first_level = 0;       // of the sponge
  const R* rates = nullptr;  // by level
  const exec::Clock* clock = nullptr;

  WM_HD std::int64_t count() const {
    return std::int64_t{columns} * rows * panels * (levels - first_level);
  }
  // `number` counts [panel][level][j][i].
  WM_HD int operator()(std::int64_t number) const {
    const int i = int(number % columns), j = int(number / columns % rows);
    const std::int64_t layer = number / (std::int64_t{columns} * rows);
    const int damped = levels - first_level;
    const int panel = int(layer / damped), level = first_level + int(layer % damped);
    const R keep = R(1) / (R(1) + R(clock->dt) * rates[level]);
    R* const cell = cells + i + j * stride_j + (panel * levels + level) * stride_k;
    for (int v = 0; v < n_variables; ++v) cell[v * stride_var] *= keep;
    return 0;
  }
};

}  // namespace watersmeet::atmosphere
