#include "run/sound_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "config/fault.hpp"

namespace watersmeet::run {

namespace {
std::optional<double> value_of(const char* name, const std::vector<systems::SeriesColumn>& columns,
                               const std::vector<double>& values) {
  for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
    if (columns[c].name == name) return values[c];
  }
  return std::nullopt;
}
}  // namespace

std::string wrong_in_series(const std::vector<systems::SeriesColumn>& columns,
                            const std::vector<double>& values) {
  std::string words;
  const auto value = [&](const char* name) { return value_of(name, columns, values); };
  for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
    if (std::isfinite(values[c])) continue;
    words += fmt::format("{}{} is {}", words.empty() ? "" : ", ", columns[c].name,
                         config::shown(values[c]));
  }
  if (!words.empty()) return words;
  for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
    if (columns[c].largest > 0 && std::abs(values[c]) > columns[c].largest) {
      return fmt::format("{} is {:.6g}; its magnitude must be at most {:g}", columns[c].name,
                         values[c], columns[c].largest);
    }
  }
  const auto rho_min = value("rho_min"), rho_max = value("rho_max");
  if (rho_min && rho_max && !(*rho_max / largest_density_ratio <= *rho_min && *rho_min > 0)) {
    return fmt::format(
        "the density is {:.6g} to {:.6g}; it must be above 0, and its ratio at most "
        "{:g}",
        *rho_min, *rho_max, largest_density_ratio);
  }
  const auto depth_min = value("depth_min"), depth_max = value("depth_max");
  if (depth_min && depth_max && *depth_min < least_depth_part * *depth_max) {
    return fmt::format("the depth is {:.6g} to {:.6g}; it must not be below 0", *depth_min,
                       *depth_max);
  }
  return "";
}

bool varies_in_space(const std::vector<systems::SeriesColumn>& columns,
                     const std::vector<double>& values) {
  constexpr double round_off = 1e-4;  // of single precision, sums included
  for (std::size_t c = 0; c < columns.size() && c < values.size(); ++c) {
    const std::string& name = columns[c].name;
    if (!name.ends_with("_max")) continue;
    const std::string other = name.substr(0, name.size() - 3) + "min";
    const double most = values[c], least = value_of(other.c_str(), columns, values).value_or(most);
    if (most - least > round_off * std::max(std::abs(most), std::abs(least))) return true;
  }
  return false;
}

std::string wrong_in_step(double cfl, double cfl_of_start, double stable_cfl, int axes,
                          bool varies) {
  if (!(stable_cfl > 0) || cfl <= largest_part_of_stable_cfl(axes) * std::max(stable_cfl, 1.0) ||
      (!varies && cfl <= growth_of_waves * cfl_of_start)) {
    return "";
  }
  return fmt::format("its Courant number is {:.3g}, and the scheme is stable up to {:.3g}", cfl,
                     stable_cfl);
}

bool confirms_states(const std::vector<systems::SeriesColumn>& columns,
                     const std::vector<double>& values) {
  constexpr double log_of_largest = 2;
  return value_of("log_residual", columns, values).value_or(0) <= log_of_largest;
}

}  // namespace watersmeet::run
