#pragma once
// The progress line: step, t, dt, grind time, share of the bandwidth bound, the system's own
// columns, time left.

#include <cstdint>
#include <string>
#include <vector>

#include "exec/clock.hpp"
#include "systems/observation.hpp"

namespace watersmeet::run {

class Progress {
 public:
  // bound_ns: ns per point and step if every field moved once a pass at the measured copy
  // bandwidth. width: characters in a line; the system's columns that do not fit are left out.
  Progress(std::vector<systems::SeriesColumn> columns, double points, double bound_ns, double t_end,
           std::int64_t step_end, std::size_t width);

  void set_series(const std::vector<double>& values) { values_ = values; }
  std::string title() const;
  // `seconds` and `steps`: stepping since the last line; the rest from the averages since the
  // start. `left`: what ends the line.
  std::string line(const exec::Clock& clock, double seconds, std::int64_t steps,
                   const std::string& left = "") const;
  double grind_ns(double seconds, std::int64_t steps) const;
  double of_bound(double grind) const { return grind > 0 ? bound_ns_ / grind : 0.0; }
  // Estimated seconds to the end: `wall` seconds took the run from the first clock to this one.
  void mark_start(const exec::Clock& clock) { first_ = clock; }
  double seconds_left(const exec::Clock& clock, double wall) const;

 private:
  std::vector<std::size_t> shown_columns(std::size_t used) const;

  std::vector<systems::SeriesColumn> columns_;
  std::vector<double> values_;
  double points_, bound_ns_, t_end_;
  std::int64_t step_end_;
  std::size_t width_;
  exec::Clock first_;
};

std::string clock_text(double seconds);  // "00:22", "3:04:10"

}  // namespace watersmeet::run
