#pragma once
// Random admissible states, area vectors and sensors of a pool of nodes, for tests of schedules.

#include <cstdint>
#include <random>
#include <vector>

#include "exec/node.hpp"
#include "systems/aerodynamics/equations.hpp"

namespace watersmeet::aerodynamics {

struct RandomNodes {
  std::int64_t nodes;
  std::vector<double> state, area, sensor;

  RandomNodes(std::int64_t count, const Gas<double>& gas, unsigned seed) : nodes(count) {
    const auto size = static_cast<std::size_t>(count);
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    state.resize(n_variables * size);
    area.resize(9 * size);
    sensor.resize(3 * size);
    for (std::size_t i = 0; i < size; ++i) {
      const Conserved<double> w =
          conserved_of(Primitive<double>{0.5 + uniform(generator),
                                         {{uniform(generator), -uniform(generator), 0.3}},
                                         0.5 + uniform(generator)},
                       gas);
      for (std::size_t v = 0; v < n_variables; ++v) state[v * size + i] = w[static_cast<int>(v)];
    }
    for (double& a : area) a = uniform(generator) - 0.3;
    for (double& s : sensor) s = 0.6 * uniform(generator);
  }
  exec::NodeArrays<double> arrays() const {
    return {state.data(), area.data(), sensor.data(), nodes};
  }
};

}  // namespace watersmeet::aerodynamics
