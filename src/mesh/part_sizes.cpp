// Even and proportional division of whole numbers; the latter by the method of largest remainders
// (A. Hamilton, 1792).

#include "mesh/part_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::mesh {

std::vector<std::int64_t> even_sizes(std::int64_t cells, int n_parts) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(n_parts), cells / n_parts);
  for (std::int64_t p = 0; p < cells % n_parts; ++p) ++sizes[static_cast<std::size_t>(p)];
  return sizes;
}

std::vector<std::int64_t> proportional_sizes(std::int64_t cells, std::span<const double> weights,
                                             std::int64_t thinnest) {
  const std::size_t n_parts = weights.size();
  require(thinnest >= 1 && cells >= thinnest * static_cast<std::int64_t>(n_parts),
          "every part gets its thinnest size");

  // Parts whose share is below `thinnest` get that; then others may fall below, and so on.
  std::vector<std::int64_t> sizes(n_parts, 0);  // 0: in proportion, not known yet
  std::int64_t cells_left = cells;
  double weight_left = 0;
  bool changed = true;
  while (changed) {
    changed = false;
    weight_left = 0;
    for (std::size_t p = 0; p < n_parts; ++p) weight_left += sizes[p] == 0 ? weights[p] : 0;
    const double cells_per_weight = static_cast<double>(cells_left) / weight_left;
    for (std::size_t p = 0; p < n_parts; ++p) {
      if (sizes[p] != 0 || weights[p] * cells_per_weight >= static_cast<double>(thinnest)) continue;
      sizes[p] = thinnest;
      cells_left -= thinnest;
      changed = true;
    }
  }

  struct Remainder {
    std::size_t part;
    double value;
  };
  std::vector<Remainder> remainders;
  const double cells_per_weight = static_cast<double>(cells_left) / weight_left;
  for (std::size_t p = 0; p < n_parts; ++p) {
    if (sizes[p] != 0) continue;
    const double share = weights[p] * cells_per_weight;
    sizes[p] = static_cast<std::int64_t>(std::floor(share));
    cells_left -= sizes[p];
    remainders.push_back({p, share - std::floor(share)});
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const Remainder& a, const Remainder& b) { return a.value > b.value; });
  for (std::size_t r = 0; cells_left > 0; ++r, --cells_left) {
    ++sizes[remainders[r % remainders.size()].part];
  }
  return sizes;
}

}  // namespace watersmeet::mesh
