#include "verify/norms.hpp"

#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "core/math.hpp"
#include "verify/verification.hpp"

namespace watersmeet::verify {

double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

double kappa_wave_error(std::int64_t n, double kappa) {
  const double t = two_pi / static_cast<double>(n);
  const double shift = kappa < 0.2 ? -t * t / 12 : kappa < 0.4 ? 0.0 : t * t / 24;
  const double damping = (1 - kappa) / 8 * t * t * t;  // of the amplitude per unit of phase
  return two_pi * std::hypot(shift, damping);
}

double largest_magnitude(const std::vector<double>& a) {
  double largest = 0;
  for (const double x : a) largest = max_or_nan(largest, std::abs(x));
  return largest;
}

double rms(const std::vector<double>& a) {
  double sum = 0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size(), "fields of one size");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size(), "fields of one size");
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = max_or_nan(largest, std::abs(a[i] - b[i]));
  return largest;
}

double relative_change(Simulation s, const std::string& field, std::int64_t steps) {
  const std::vector<double> before = s.field(field);
  s.step(steps);
  return rms_difference(s.field(field), before) / rms(before);
}

double largest_deviation(const std::vector<double>& a, double value) {
  double largest = 0;
  for (const double x : a) largest = max_or_nan(largest, std::abs(x / value - 1));
  return largest;
}

double mean_difference(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size(), "fields of one size");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

double count_different(const std::vector<double>& a, const std::vector<double>& b) {
  require(a.size() == b.size(), "fields of one size");
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    count += std::memcmp(&a[i], &b[i], sizeof(double)) != 0;
  return count;
}

double count_different(const Simulation& a, const Simulation& b) {
  double count = a.t() == b.t() && a.dt() == b.dt() ? 0 : 1;
  for (const std::string& name : a.variables()) {
    count += count_different(a.variable(name), b.variable(name));
  }
  return count;
}

std::vector<double> centres(const Simulation& s, int axis) {
  const std::size_t a = static_cast<std::size_t>(axis);
  std::vector<double> x(static_cast<std::size_t>(s.cells()[a]));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = s.lower()[a] + (static_cast<double>(i) + 0.5) * s.spacing()[a];
  return x;
}

std::vector<double> component(const std::vector<double>& vectors, int c) {
  std::vector<double> values(vectors.size() / 3);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = vectors[3 * i + static_cast<std::size_t>(c)];
  return values;
}

std::vector<double> all_variables(const Simulation& s) {
  std::vector<double> all;
  for (const std::string& name : s.variables()) {
    const std::vector<double> values = s.variable(name);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

double last_fall(const std::vector<double>& x, const std::vector<double>& values, double level) {
  for (std::size_t i = values.size() - 1; i > 0; --i) {
    const double before = values[i - 1], after = values[i];
    if (before >= level && after < level)
      return x[i - 1] + (x[i] - x[i - 1]) * (before - level) / (before - after);
  }
  return std::nan("");
}

}  // namespace watersmeet::verify
