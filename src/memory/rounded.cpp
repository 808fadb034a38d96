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

void store_rounded(State& state, int reg, int variable, std::span<const double> values,
                   const Queue& queue) {
  const BlockLayout& l = state.layout(0);
  store_rounded(state, reg, variable, values, queue, {{0, 0, 0}, {l.n[0], l.n[1], l.n[2]}});
}

void store_rounded(State& state, int reg, int variable, std::span<const double> values,
                   const Queue& queue, const Box& box, Buffer* staging) {
  if (state.precision() == Precision::double_) {
    copy_box_from_host(state, reg, 0, variable, box, values.data(), queue, staging);
    return;
  }
  std::vector<float> rounded(values.size());
#pragma omp parallel for num_threads(queue.threads) schedule(static)
  for (std::size_t i = 0; i < values.size(); ++i) rounded[i] = static_cast<float>(values[i]);
  copy_box_from_host(state, reg, 0, variable, box, rounded.data(), queue, staging);
}

std::vector<double> box_as_doubles(const State& state, int reg, int variable, const Box& box,
                                   const Queue& queue) {
  std::vector<double> values(static_cast<std::size_t>(box.count()));
  if (state.precision() == Precision::double_) {
    copy_box_to_host(state, reg, 0, variable, box, values.data(), queue);
    return values;
  }
  std::vector<float> stored(values.size());
  copy_box_to_host(state, reg, 0, variable, box, stored.data(), queue);
  values.assign(stored.begin(), stored.end());
  return values;
}

}  // namespace watersmeet::memory
