#pragma once
// What fits into memory; coarser grids of the same shape: those that fit, and those of trial runs.

#include <array>
#include <cstddef>

#include "systems/set_up.hpp"

namespace watersmeet::run {

// So few cells that the sums of their bytes stay below 2^63.
bool is_countable(const Index3& cells);

// Bytes that a part of a grid needs on the device: those of its system, and `beside` them for each cell, which sums in time take
// (average_case.hpp).
std::size_t working_bytes(const systems::SetUp& system, const Index3& part, std::size_t beside);

// Whether these are at most `free`.
bool fits(const systems::SetUp& system, const Index3& part, std::size_t beside, std::size_t free);

// Factor on the cells along each axis with which a grid has `most` cells; at most 1. Axes of one
// cell stay as they are.
double coarsening(const Index3& cells, double most);

// The grid made coarser by `factor`, in whole steps of cells where there are two or more.
Index3 coarser(const Index3& cells, double factor, std::int64_t step = 8);

// Cells of the first trial on the CPU, which measures the speed.
inline constexpr double least_trial_cells = 3.3e4;

// Cells of the second, at most: those of a step of 0.025 s at the speed of the first, in seconds per cell and step, but at least those of
// the first, and at most 6e5, for setting up the initial state of more would take longer than the steps.
double cells_of_second_trial(double seconds_per_cell);

// The finest grid of about the same proportions, and none finer than `cells`, whose parts need
// less than `free` bytes on each rank.
Index3 largest_grid(const systems::SetUp& system, const Index3& cells,
                    const std::array<int, 3>& ranks_along, std::size_t beside, double free);

}  // namespace watersmeet::run
