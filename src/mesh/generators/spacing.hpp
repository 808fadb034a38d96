#pragma once
// Distributions of nodes along a line, in geometric progression: spacings grow by a constant ratio,
// which a smooth function of the index does, x(s) = (exp(a s) - 1) / (exp(a) - 1).

#include <cstdint>
#include <vector>

namespace watersmeet::mesh {

// n + 1 ascending values from 0 to 1 (exactly), the first spacing being `first`, between 0 and 1.
std::vector<double> stretched(std::int64_t n, double first);

// n + 1 equal steps from 0 to 1.
std::vector<double> uniform(std::int64_t n);

}  // namespace watersmeet::mesh
