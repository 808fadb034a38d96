#pragma once
// Expressions of x, y, z, r and t that prescribe values at places of a grid, for instance on its sides
// (timed_tables.hpp has tables of them where the kernels run).

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "core/types.hpp"

namespace watersmeet::systems {

// Coordinates, and r = sqrt(x^2 + y^2 + z^2).
struct Places {
  std::vector<double> x, y, z, r;
  void add(const Real3& at);
  std::size_t size() const { return x.size(); }
};
const std::vector<std::string>& place_variables();  // x, y, z, r, t

// out[n] = value of an expression of place_variables() at place n and time t; by several threads.
void evaluate_at(const config::Expression& expression, const Places& places, double t, int threads,
                 double* out);

}  // namespace watersmeet::systems
