#pragma once
// Numbers made in double on the host, rounded once to the precision of a run, for where kernels
// work.

#include <span>
#include <vector>

#include "core/types.hpp"
#include "memory/buffer.hpp"
#include "memory/state.hpp"

namespace watersmeet::memory {

// To the memory at `to`, which has room for them; they are there on return.
void copy_rounded(void* to, std::span<const double> numbers, Precision precision,
                  const Queue& queue);

// To memory of their own.
Buffer rounded_buffer(std::span<const double> numbers, Precision precision, const Queue& queue);

// To the interior of a variable of the first block, as copy_interior_from_host() takes it, or to a box of its cells, as
// copy_box_from_host() does.
void store_rounded(State& state, int reg, int variable, std::span<const double> values,
                   const Queue& queue);
void store_rounded(State& state, int reg, int variable, std::span<const double> values,
                   const Queue& queue, const Box& box, Buffer* staging = nullptr);

// Values of a box of cells of the first block, back in double.
std::vector<double> box_as_doubles(const State& state, int reg, int variable, const Box& box,
                                   const Queue& queue);

}  // namespace watersmeet::memory
