#include "run/fit.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::run {

namespace {
// Cells of the largest part of a grid that is cut evenly.
Index3 part_of(const Index3& cells, const std::array<int, 3>& ranks_along) {
  Index3 n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = (cells[a] + ranks_along[a] - 1) / ranks_along[a];
  return n;
}
}  // namespace

bool is_countable(const Index3& cells) {
  return double(cells[0]) * double(cells[1]) * double(cells[2]) < 1e15;
}

std::size_t working_bytes(const systems::SetUp& system, const Index3& part, std::size_t beside) {
  return system.memory_needed(part).working_bytes +
         static_cast<std::size_t>(part[0] * part[1] * part[2]) * beside;
}

bool fits(const systems::SetUp& system, const Index3& part, std::size_t beside, std::size_t free) {
  return is_countable(part) && working_bytes(system, part, beside) <= free;
}

double coarsening(const Index3& cells, double most) {
  double points = 1;
  int axes = 0;
  for (const std::int64_t c : cells) {
    points *= static_cast<double>(c);
    axes += c > 1;
  }
  const double share = most / points;
  return std::min(1.0, axes == 1 ? share : axes == 2 ? std::sqrt(share) : std::cbrt(share));
}

Index3 coarser(const Index3& cells, double factor, std::int64_t step) {
  Index3 n = cells;
  for (std::int64_t& c : n) {
    auto fewer = static_cast<std::int64_t>(static_cast<double>(c) * factor);
    if (fewer >= 2 * step) fewer -= fewer % step;
    c = std::max(std::min<std::int64_t>(c, 8), std::min(c, fewer));
  }
  return n;
}

double cells_of_second_trial(double seconds_per_cell) {
  return std::clamp(0.025 / seconds_per_cell, least_trial_cells, 6e5);
}

Index3 largest_grid(const systems::SetUp& system, const Index3& cells,
                    const std::array<int, 3>& ranks_along, std::size_t beside, double free) {
  double low = 0;
  double high = coarsening(cells, 1e14);  // bytes of more cells could not be counted
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    const Index3 part = part_of(coarser(cells, middle), ranks_along);
    (static_cast<double>(working_bytes(system, part, beside)) < free ? low : high) = middle;
  }
  return coarser(cells, low);
}

}  // namespace watersmeet::run
