#include "exec/clock_access.hpp"

#include <algorithm>

namespace watersmeet::exec {

Clock read_clock(const Clock* clock, const Queue& queue) {
  return queue.backend == Backend::cuda ? detail::read_clock_cuda(clock, queue) : *clock;
}

void write_clock(Clock* clock, const Clock& value, const Queue& queue) {
  if (queue.backend == Backend::cuda) return detail::write_clock_cuda(clock, value, queue);
  *clock = value;
}

void copy_clock(Clock* to, const Clock* clock, const Queue& queue) {
  if (queue.backend == Backend::cuda) return detail::copy_clock_cuda(to, clock, queue);
  *to = *clock;
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
