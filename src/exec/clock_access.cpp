#include "exec/clock_access.hpp"

#include <algorithm>

namespace watersmeet::exec {

Clock read_clock(const Clock* clock, const Queue& queue) {
  Clock value;
  copy_bytes(&value, clock, sizeof value, queue);
  synchronize(queue);
  return value;
}

void write_clock(Clock* clock, const Clock& value, const Queue& queue) {
  copy_bytes(clock, &value, sizeof value, queue);
  synchronize(queue);
}

void write_signal(Clock* clock, double signal, const Queue& queue) {
  Clock value = read_clock(clock, queue);
  value.signal = signal;
  value.signal_bits = double_to_bits(signal);
  write_clock(clock, value, queue);
}

void raise_signal(Clock* clock, std::uint64_t signal_bits, const Queue& queue) {
  Clock value = read_clock(clock, queue);
  value.signal_bits = std::max(value.signal_bits, signal_bits);
  write_clock(clock, value, queue);
}

}  // namespace watersmeet::exec
