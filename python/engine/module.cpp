// The module watersmeet._engine: the public headers of the program for Python. Users see the classes
// of python/watersmeet/live.py and poisson.py, which are built on it.
#include "module.hpp"

#include "errors.hpp"

NB_MODULE(_engine, module) {
  module.doc() =
      "The compiled part of the package; use watersmeet.Simulation and watersmeet.Poisson.";
  watersmeet::python::translate_errors();
  watersmeet::python::bind_simulation(module);
  watersmeet::python::bind_poisson(module);
}
