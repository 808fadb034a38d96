#pragma once
// What an expression of fields (core/program.hpp) reads in a cell: components of quantities that were evaluated and lie packed where the kernels
// run.

#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet::exec {

// A number of each cell: a component of a packed quantity.
struct ProgramInput {
  const void* values = nullptr;
  std::int64_t components = 1, component = 0;
};

// Its values in the cells first .. first + n - 1, n at most `width`, and 0 beyond; R is the precision of the run.
template <class R, int width>
WM_HD void load_input(const ProgramInput& from, std::int64_t first, int n, double (&to)[width]) {
  const R* const values = static_cast<const R*>(from.values) + from.component;
  for (int l = 0; l < width; ++l)
    to[l] = l < n ? double(values[(first + l) * from.components]) : 0.0;
}

}  // namespace watersmeet::exec
