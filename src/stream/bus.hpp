#pragma once
// The bus between host memory and the device.

#include "core/device.hpp"

namespace watersmeet::stream {

// Bytes a second that large copies carry each way, both ways at once, the fastest of five. Of a CPU, whose copies stay in its memory, of one copy.
double measure_bus(const Queue& queue);

}  // namespace watersmeet::stream
