#pragma once
// Explicit Runge-Kutta schemes in two forms: Williamson's 2N form, w <- alpha_s w + dt R(u),
// u <- u + beta_s w; and strong-stability-preserving ones whose stages lean on the solution u0 at
// the beginning of the step, u <- u + a_s (u0 - u) + b_s dt R(u). With 0 <= a_s <= 1 and b_s > 0
// the latter are means of u0 and Euler steps of at most largest_euler dt, so that what such steps
// keep (a positive depth) the scheme keeps. The order of every table is re-derived by
// tests/unit/schemes/tableau_test.cpp.

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

struct SspScheme {
  std::string_view name;
  int order;
  std::vector<double> a, b;
  double largest_euler;  // max b_s / (1 - a_s)
  std::string_view source;
  int stages() const { return static_cast<int>(a.size()); }
};

std::vector<SspScheme> ssp_schemes();

// Coefficients of the amplification 1 + z + ... of u' = lambda u, z = lambda dt, the constant
// first.
std::vector<double> amplification(const LowStorageScheme& scheme);
std::vector<double> amplification(const SspScheme& scheme);

// Times of the stages in units of dt, from the scheme's own recurrence.
std::vector<double> stage_times(const LowStorageScheme& scheme);
std::vector<double> stage_times(const SspScheme& scheme);

}  // namespace watersmeet::schemes
