#pragma once
// A box-shaped array of all ranks on the first one.

#include <vector>

#include "io/share.hpp"

namespace watersmeet::io {

// Values [k][j][i] of this rank's part, `bytes` a cell; returns those of the whole grid on rank 0,
// nothing on the others. Collective.
std::vector<char> gather_box(const Share& share, const void* values, std::size_t bytes);

// Numbers of a precision, one after the other.
std::vector<double> as_doubles(const std::vector<char>& bytes, Precision precision);

}  // namespace watersmeet::io
