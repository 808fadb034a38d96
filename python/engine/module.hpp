#pragma once
// The parts of the module watersmeet._engine.

#include <nanobind/nanobind.h>

namespace watersmeet::python {

void bind_simulation(nanobind::module_& module);
void bind_poisson(nanobind::module_& module);

}  // namespace watersmeet::python
