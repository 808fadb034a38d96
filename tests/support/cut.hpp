#pragma once
// A box cut into the parts of ranks.

#include <cstdint>
#include <limits>
#include <vector>

#include "mesh/partition.hpp"

namespace watersmeet::test {

struct Cut {
  std::vector<std::int64_t> at[3];  // beginnings of the parts along each axis
};

// The parts go to the ranks in turn, x fastest; without `ranks` each has its own.
inline std::vector<mesh::Part> parts_of(const Index3& n, const Cut& cut,
                                        int ranks = std::numeric_limits<int>::max()) {
  std::vector<mesh::Part> parts;
  const auto end = [&](std::size_t a, std::size_t i) {
    return i + 1 < cut.at[a].size() ? cut.at[a][i + 1] : n[a];
  };
  int rank = 0;
  for (std::size_t k = 0; k < cut.at[2].size(); ++k)
    for (std::size_t j = 0; j < cut.at[1].size(); ++j)
      for (std::size_t i = 0; i < cut.at[0].size(); ++i) {
        parts.push_back(
            {0,
             {{cut.at[0][i], cut.at[1][j], cut.at[2][k]}, {end(0, i), end(1, j), end(2, k)}},
             rank++ % ranks});
      }
  return parts;
}

}  // namespace watersmeet::test
