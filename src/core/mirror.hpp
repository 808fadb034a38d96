#pragma once
// Values beyond a wall.

#include "core/host_device.hpp"
#include "core/vec.hpp"

namespace watersmeet {

// Turns the sign of a component whose number only the run knows. All are chosen, for an index would take them to memory.
template <class T, int n>
WM_HD void mirror_component(Vec<T, n>& value, int component) {
  for (int v = 0; v < n; ++v) value[v] = v == component ? -value[v] : value[v];
}

}  // namespace watersmeet
