#include "run/sound_series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "config/fault.hpp"

namespace watersmeet::run {

std::string wrong_in_series(const std::vector<systems::SeriesColumn>& columns,
                            const std::vector<double>& values) {
  std::string words;
  const auto value_of = [&](const char* name) -> std::optional<double> {
    for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
      if (columns[c].name == name) return values[c];
    }
    return std::nullopt;
  };
  for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
    if (std::isfinite(values[c])) continue;
    words += fmt::format("{}{} is {}", words.empty() ? "" : ", ", columns[c].name,
                         config::shown(values[c]));
  }
  if (!words.empty()) return words;
  const auto rho_min = value_of("rho_min"), rho_max = value_of("rho_max");
  if (rho_min && rho_max && !(*rho_max / largest_density_ratio <= *rho_min && *rho_min > 0)) {
    return fmt::format(
        "the density is {:.6g} to {:.6g}; it must be above 0, and its ratio at most "
        "{:g}",
        *rho_min, *rho_max, largest_density_ratio);
  }
  const auto depth_min = value_of("depth_min"), depth_max = value_of("depth_max");
  if (depth_min && depth_max && *depth_min < least_depth_part * *depth_max) {
    return fmt::format("the depth is {:.6g} to {:.6g}; it must not be below 0", *depth_min,
                       *depth_max);
  }
  return "";
}

}  // namespace watersmeet::run
