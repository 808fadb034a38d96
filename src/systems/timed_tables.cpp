#include "systems/timed_tables.hpp"

#include <algorithm>

namespace watersmeet::systems {

namespace {
constexpr std::size_t copies = 4;  // on their way at most
}

StagedTable::StagedTable(std::size_t numbers, Precision precision, bool again, const Queue& queue)
    : precision_(precision),
      buffer_(memory::working_space(queue.backend), numbers * size_of(precision)) {
  if (queue.backend == Backend::cpu) return;
  for (std::size_t n = 0; n < (again ? copies : 1); ++n) {
    staging_.push_back(
        {memory::Buffer(memory::staging_space(queue.backend), buffer_.bytes()), Event(queue)});
  }
}

void StagedTable::fill(std::span<const double> numbers, const Queue& queue) {
  Staging* const staging = staging_.empty() ? nullptr : &staging_[next_];
  if (staging) staging->copied.wait();
  void* const to = staging ? staging->buffer.start() : buffer_.start();
  if (precision_ == Precision::double_) {
    std::copy(numbers.begin(), numbers.end(), static_cast<double*>(to));
  } else {
    std::transform(numbers.begin(), numbers.end(), static_cast<float*>(to),
                   [](double number) { return static_cast<float>(number); });
  }
  if (!staging) return;
  copy_bytes(buffer_.start(), to, buffer_.bytes(), queue);
  staging->copied.record(queue);
  next_ = (next_ + 1) % staging_.size();
}

}  // namespace watersmeet::systems
