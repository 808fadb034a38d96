#pragma once
// Expressions of x, y, z, r and t that prescribe values at places of a grid, for instance on its sides
// (timed_tables.hpp has tables of them on the device).

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

// Whether the text is no expression of these variables and constants: then it reads the local state, or has a fault.
bool reads_state(const std::string& text, const std::vector<std::string>& variables,
                 const config::Constants& constants);
// Whether it is the number 0.
bool is_zero(const std::string& text, const config::Constants& constants);
// What a failed run with such values is told (System::failure_hints).
constexpr const char* side_values_hint = "check the values of [boundary] that depend on the state";

// out[n] = value of an expression of place_variables() at place n and time t; by several threads.
void evaluate_at(const config::Expression& expression, const Places& places, double t, int threads,
                 double* out);

}  // namespace watersmeet::systems
