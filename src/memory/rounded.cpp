#include "memory/rounded.hpp"

#include <vector>

namespace watersmeet::memory {

void copy_rounded(void* to, std::span<const double> numbers, Precision precision,
                  const Queue& queue) {
  if (precision == Precision::double_) {
    copy_bytes(to, numbers.data(), numbers.size_bytes(), queue);
    synchronize(queue);
    return;
  }
  const std::vector<float> rounded(numbers.begin(), numbers.end());
  copy_bytes(to, rounded.data(), rounded.size() * sizeof(float), queue);
  synchronize(queue);  // before `rounded` goes
}

Buffer rounded_buffer(std::span<const double> numbers, Precision precision, const Queue& queue) {
  Buffer buffer(working_space(queue.backend), numbers.size() * size_of(precision));
  copy_rounded(buffer.start(), numbers, precision, queue);
  return buffer;
}

}  // namespace watersmeet::memory
