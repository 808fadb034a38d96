#pragma once
// Sums and maxima over the cells of all ranks by the two kernels that every system has for its time
// series (comm/exact_reduction.hpp).

#include <array>
#include <cstdint>

#include "comm/exact_reduction.hpp"
#include "comm/team.hpp"

namespace watersmeet::systems {

// Collective. The sums first, then the maxima. cells: of all ranks. Both kernels, kernels.measure
// and kernels.count, get the arguments before what they fill in.
template <int sums, int maxima, class Kernels, class... Arguments>
std::array<double, sums + maxima> reduced_cells(comm::Team& team, std::int64_t cells,
                                                Kernels&& kernels, const Arguments&... arguments) {
  std::array<double, sums + maxima> results{};
  comm::reduce_exactly(
      team.communicator(), sums, maxima, cells,
      [&](double* largest) { kernels.measure(arguments..., largest); },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        kernels.count(arguments..., scales, high_low);
      },
      results.data());
  return results;
}

}  // namespace watersmeet::systems
