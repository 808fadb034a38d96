#pragma once
// Sizes of the parts into which a number of cells is cut along one axis.

#include <cstdint>
#include <span>
#include <vector>

namespace watersmeet::mesh {

// n_parts sizes that differ by one cell at most, the larger ones first.
std::vector<std::int64_t> even_sizes(std::int64_t cells, int n_parts);

// Sizes in proportion to the weights (all > 0), rounded by the method of largest remainders, so
// that each is less than one cell off; but none below `thinnest` (at least 1), which takes cells
// from all others in proportion. cells >= thinnest * number of weights.
std::vector<std::int64_t> proportional_sizes(std::int64_t cells, std::span<const double> weights,
                                             std::int64_t thinnest);

}  // namespace watersmeet::mesh
