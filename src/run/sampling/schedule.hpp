#pragma once
// When something is due: at multiples of a time, at multiples of a number of steps, or both. The
// next time is computed from the multiple itself, so a resumed run has the same events as one that
// never stopped.

#include <cstdint>
#include <string>

#include "config/input.hpp"

namespace watersmeet::run {

struct Schedule {
  double every = 0;  // 0: not by time
  double first = 0;  // multiples of `every` are counted from here; nothing is due before
  std::int64_t every_steps = 0;  // 0: not by steps

  bool set() const { return every > 0 || every_steps > 0; }
  // First due time after t; infinite without one. A multiple within round-off of t counts as
  // reached.
  double next_time(double t) const;
  std::int64_t next_step(std::int64_t step) const;
  bool due(double t, std::int64_t step) const;

  // From the keys section.NAMEevery and section.NAMEevery_steps: prefix "output.",
  // "output.spectra_" ...
  static Schedule from(const config::Input& input, const std::string& prefix);
};

}  // namespace watersmeet::run
