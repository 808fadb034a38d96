#pragma once
// Copies the states of listed nodes, for messages and for the output of surfaces.

#include <cstdint>

#include "core/table_address.hpp"
#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

template <class R>
struct Gather {
  TableAddress<R> state;  // [variable][pitch]
  std::int64_t pitch = 0;
  const std::int32_t* nodes = nullptr;
  ArrayAddress<R> packed;  // [node][variable]

  WM_HD int operator()(std::int64_t at) const {
    for (int v = 0; v < n_variables; ++v) {
      packed[n_variables * at + v] = state[v * pitch + nodes[at]];
    }
    return 0;
  }
};

}  // namespace watersmeet::aerodynamics
