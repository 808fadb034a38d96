#pragma once
// The clock of a run as the host sees it. A call that reads waits for the queue; what is written is there for all that follows in it.
// On a GPU kernels carry it, because copies wait for those before them of the same direction in whatever queue: a streamed grid, of which
// copies are under way all the time, lost 12 % of its time at 512^3 points by waiting for a clock.

#include <cstdint>

#include "core/device.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

// `clock` is on the device.
Clock read_clock(const Clock* clock, const Queue& queue);
void write_clock(Clock* clock, const Clock& value, const Queue& queue);
// In the queue, to a place on the device or in pinned memory.
void copy_clock(Clock* to, const Clock* clock, const Queue& queue);

// Between two steps: the largest signal of a state that was set from outside.
void write_signal(Clock* clock, double signal, const Queue& queue);
// In a step whose stages are computed: a signal that is not less than that of its end.
void raise_signal(Clock* clock, std::uint64_t signal_bits, const Queue& queue);

namespace detail {
void copy_clock_cuda(Clock* to, const Clock* clock, const Queue& queue);
Clock read_clock_cuda(const Clock* clock, const Queue& queue);
void write_clock_cuda(Clock* clock, const Clock& value, const Queue& queue);
}  // namespace detail

}  // namespace watersmeet::exec
