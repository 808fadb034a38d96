#pragma once
// Explicit Runge-Kutta schemes in Williamson's 2N form: w <- alpha_s w + dt R(u), u <- u + beta_s
// w. The order of every table is re-derived by tests/unit/schemes/tableau_test.cpp.

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace watersmeet::schemes {

struct LowStorageScheme {
  std::string_view name;
  int order;
  std::vector<double> alpha, beta;
  std::string_view source;
  int stages() const { return static_cast<int>(alpha.size()); }
};

std::vector<LowStorageScheme> low_storage_schemes();

// Times of the stages in units of dt, from the scheme's own recurrence.
std::vector<double> stage_times(const LowStorageScheme& scheme);

}  // namespace watersmeet::schemes
