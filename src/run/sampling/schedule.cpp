#include "run/sampling/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace watersmeet::run {

double Schedule::next_time(double t) const {
  if (every <= 0) return std::numeric_limits<double>::infinity();
  double n = std::floor((t - first) / every + 1e-9) + 1.0;
  return first + std::max(n, 0.0) * every;
}

std::int64_t Schedule::next_step(std::int64_t step) const {
  if (every_steps <= 0) return std::numeric_limits<std::int64_t>::max();
  return (step / every_steps + 1) * every_steps;
}

bool Schedule::due(double t, std::int64_t step) const {
  const bool by_steps = every_steps > 0 && step % every_steps == 0;
  const double n = (t - first) / every;
  const bool by_time = every > 0 && n > -1e-9 && std::abs(n - std::round(n)) < 1e-9;
  return by_steps || by_time;
}

Schedule Schedule::from(const config::Input& input, const std::string& prefix) {
  Schedule s;
  if (input.is_set(prefix + "every")) s.every = input.duration(prefix + "every");
  if (input.is_set(prefix + "every_steps")) s.every_steps = input.integer(prefix + "every_steps");
  return s;
}

}  // namespace watersmeet::run
