#pragma once
// The step with implicit sound across levels (column.hpp), as stages of the explicit loops.

#include <string>
#include <vector>

#include "exec/time_scheme.hpp"

namespace watersmeet::atmosphere {

constexpr const char* split_scheme_name = "hevi";
// gamma and delta of ARS(2,3,2).
constexpr double split_gamma = 0.29289321881345247560;   // 1 - 1/sqrt(2)
constexpr double split_delta = -0.94280904158206336587;  // -2 sqrt(2)/3

// Courant number where a case gives none, and the highest that one may ask for: at 0.9 the explicit
// and the implicit part together let a vertical oscillation grow, at 0.85 they do not
// (validation/atmosphere/README.md).
constexpr double usual_split_cfl = 0.8, highest_split_cfl = 0.85;

// Its three evaluations of the right-hand side; the solutions for columns stand between them.
exec::TimeScheme split_scheme();
// Schemes of exec/time_scheme.hpp and this one.
std::vector<std::string> time_scheme_choices();

}  // namespace watersmeet::atmosphere
