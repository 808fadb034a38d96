#include "solve/multigrid/device_cycle.hpp"

namespace watersmeet::solve {

int first_small_level(const std::vector<Level>& levels, std::size_t bytes, std::size_t element) {
  const int count = static_cast<int>(levels.size());
  std::vector<std::int64_t> cells;
  for (const Level& level : levels) cells.push_back(level.cells());
  int first = count;
  for (int l = count - 1; l >= 0 && count - l <= most_small_levels; --l) {
    const std::size_t z = static_cast<std::size_t>(l);
    if (l < count - 1 && levels[z].smoother != Smoother::red_black) break;
    const std::int64_t elements = small_elements(&cells[z], count - l);
    if (static_cast<std::size_t>(elements) * element > bytes) break;
    first = l;
  }
  return first;
}

}  // namespace watersmeet::solve
