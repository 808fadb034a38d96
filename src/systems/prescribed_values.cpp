#include "systems/prescribed_values.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::systems {

void Places::add(const Real3& at) {
  x.push_back(at[0]);
  y.push_back(at[1]);
  z.push_back(at[2]);
  r.push_back(std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]));
}

const std::vector<std::string>& place_variables() {
  static const std::vector<std::string> names = {"x", "y", "z", "r", "t"};
  return names;
}

bool reads_state(const std::string& text, const std::vector<std::string>& variables,
                 const config::Constants& constants) {
  return !config::Expression::check(text, variables, constants).empty();
}

bool is_zero(const std::string& text, const config::Constants& constants) {
  if (reads_state(text, place_variables(), constants)) return false;
  const config::Expression e(text, place_variables(), constants);
  return e.is_constant() && e.constant() == 0;
}

void evaluate_at(const config::Expression& expression, const Places& places, double t, int threads,
                 double* out) {
  constexpr std::size_t chunk = 1024;  // places that a thread evaluates at once
  const std::size_t n = places.size(), chunks = (n + chunk - 1) / chunk;
#pragma omp parallel num_threads(threads) if (chunks > 1)
  {
    config::Expression mine = expression;
    const std::vector<double> time(chunk, t);
#pragma omp for schedule(static)
    for (std::size_t c = 0; c < chunks; ++c) {
      const std::size_t first = c * chunk;
      const double* const columns[5] = {places.x.data() + first, places.y.data() + first,
                                        places.z.data() + first, places.r.data() + first,
                                        time.data()};
      mine.evaluate_row(std::min(chunk, n - first), columns, out + first);
    }
  }
}

}  // namespace watersmeet::systems
