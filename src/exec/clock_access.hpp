#pragma once
// The clock of a run as the host sees it. Each call waits for the queue.

#include <cstdint>

#include "core/device.hpp"
#include "exec/clock.hpp"

namespace watersmeet::exec {

// `clock` is on the device.
Clock read_clock(const Clock* clock, const Queue& queue);
void write_clock(Clock* clock, const Clock& value, const Queue& queue);

// Between two steps: the largest signal of a state that was set from outside.
void write_signal(Clock* clock, double signal, const Queue& queue);
// In a step whose stages are computed: a signal that is not less than that of its end.
void raise_signal(Clock* clock, std::uint64_t signal_bits, const Queue& queue);

}  // namespace watersmeet::exec
