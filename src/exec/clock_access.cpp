#include "exec/clock_access.hpp"

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

}  // namespace watersmeet::exec
