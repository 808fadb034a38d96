#pragma once
// The second table of a benchmark: where the time of a row's step goes, kernel by kernel, and how
// near each comes to what the hardware allows.

#include <string>

#include "bench/measure.hpp"

namespace watersmeet::bench {

// A title that names the row, a heading, a line for each kernel, one for what of a step is in none
// of them, and one for a right-hand side as a whole; empty when the system lists no kernels. Columns
// for operations and for the peak are there when these are known.
std::string kernel_table(const BenchResult& result, const std::string& unit);

}  // namespace watersmeet::bench
