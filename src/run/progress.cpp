#include "run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace watersmeet::run {

Progress::Progress(std::vector<systems::SeriesColumn> columns, double points, double bound_ns,
                   double t_end, std::int64_t step_end, std::size_t width)
    : columns_(std::move(columns)),
      points_(points),
      bound_ns_(bound_ns),
      t_end_(t_end),
      step_end_(step_end),
      width_(width) {}

// The system's columns for which a line has room beside `used` characters.
std::vector<std::size_t> Progress::shown_columns(std::size_t used) const {
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].progress_title.empty()) continue;
    if (used + 12 * (shown.size() + 1) > width_) break;
    shown.push_back(c);
  }
  return shown;
}

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "--:--";
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{:02}:{:02}", s / 60, s % 60);
}

std::string Progress::title() const {
  std::string text =
      fmt::format("{:>8}  {:>11}  {:>9}  {:>9}  {:>8}", "step", "t", "dt", "ns/point", "of bound");
  const std::string left = "     left";
  for (const std::size_t c : shown_columns(text.size() + left.size())) {
    text += fmt::format("  {:>10}", columns_[c].progress_title);
  }
  return text + left;
}

double Progress::grind_ns(double seconds, std::int64_t steps) const {
  return steps > 0 ? seconds * 1e9 / (points_ * static_cast<double>(steps)) : 0.0;
}

double Progress::seconds_left(const exec::Clock& clock, double wall) const {
  double done = 0;
  if (std::isfinite(t_end_) && t_end_ > first_.t) done = (clock.t - first_.t) / (t_end_ - first_.t);
  if (step_end_ < std::numeric_limits<std::int64_t>::max() && step_end_ > first_.step) {
    done = std::max(done, double(clock.step - first_.step) / double(step_end_ - first_.step));
  }
  return done > 0 ? wall * (1 - done) / done : std::nan("");
}

std::string Progress::line(const exec::Clock& clock, double seconds, std::int64_t steps,
                           const std::string& left) const {
  const double grind = grind_ns(seconds, steps);
  std::string text = fmt::format("{:>8}  {:>11.6g}  {:>9.3e}  {:>9}  {:>8}", clock.step, clock.t,
                                 clock.dt, grind > 0 ? fmt::format("{:.4g}", grind) : "-",
                                 grind > 0 ? fmt::format("{:.0f} %", 100 * of_bound(grind)) : "-");
  const std::string end = left.empty() ? "" : fmt::format("  {:>7}", left);
  for (const std::size_t c : shown_columns(text.size() + std::max<std::size_t>(end.size(), 9))) {
    const std::string value =
        c < values_.size() ? fmt::format(fmt::runtime(columns_[c].progress_format), values_[c])
                           : std::string("-");
    text += fmt::format("  {:>10}", value);
  }
  // Many hours left: the end is what must not be cut off, the first column has room to give.
  while (text.size() + end.size() > width_ && text.compare(0, 2, "  ") == 0) text.erase(0, 1);
  return text + end;
}

}  // namespace watersmeet::run
