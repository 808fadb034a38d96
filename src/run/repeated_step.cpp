// Steps that are carried out twice from the same state, so that a fault of a memory or of a processor is noticed: both must give the same
// bits, on any device, as a run that goes on from a checkpoint has those of a run without one.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "run/engine.hpp"

namespace watersmeet::run {

namespace {
// One value of an array of a checkpoint, with all its digits.
std::string value_text(const void* values, std::size_t at, Precision precision) {
  if (precision == Precision::double_)
    return fmt::format("{:.17g}", static_cast<const double*>(values)[at]);
  return fmt::format("{:.9g}", static_cast<const float*>(values)[at]);
}
}  // namespace

// The step whose number is a multiple of verify_every_ when it is done is the one that is carried out twice.
AdvanceEnd Engine::advance(double t_limit, std::int64_t step_limit, const Watch& watch) {
  if (verify_every_ == 0) return carry_out(t_limit, step_limit, watch);
  AdvanceEnd end = AdvanceEnd::steps_reached;
  do {
    const std::int64_t checked = (clock_.step / verify_every_ + 1) * verify_every_;
    end = clock_.step < step_limit && clock_.step + 1 == checked
              ? carry_out_twice(t_limit, watch)
              : carry_out(t_limit, std::min(step_limit, checked - 1), watch);
  } while (end == AdvanceEnd::steps_reached && clock_.step < step_limit);
  return end;
}

AdvanceEnd Engine::carry_out_twice(double t_limit, const Watch& watch) {
  const std::int64_t step = clock_.step + 1;
  const double first_signal = first_signal_;
  std::vector<std::vector<char>> before_storage, once_storage;
  const io::Checkpoint before = make_checkpoint(before_storage);
  StateSampler* const sampler = std::exchange(sampler_, nullptr);  // sees the second one alone
  carry_out(t_limit, step, {});
  sampler_ = sampler;
  if (clock_.step < step) return carry_out(t_limit, step, watch);  // t_limit is reached: no step
  const io::Checkpoint once = make_checkpoint(once_storage);
  restore_from(before);
  first_signal_ = first_signal;
  --steps_done_;
  const AdvanceEnd end = carry_out(t_limit, step, watch);
  require_same(once);
  return end;
}

void Engine::restore_from(const io::Checkpoint& kept) {
  restore_from({[&](const std::string& name, bool, void* values) {
                  for (const io::CheckpointArray& array : kept.arrays) {
                    if (array.name != name) continue;
                    std::memcpy(
                        values, array.values,
                        static_cast<std::size_t>(system_points_) * size_of(array.precision));
                  }
                  return true;
                },
                kept.reals, kept.integers.at("step")});
}

// Error{device} on all ranks where the present state is not `once`, which is this rank's part.
void Engine::require_same(const io::Checkpoint& once) {
  std::vector<std::vector<char>> storage;
  const io::Checkpoint again = make_checkpoint(storage);
  const Box mine = share(nullptr).mine;
  std::string first;
  std::int64_t different = 0;
  for (std::size_t a = 0; a < once.arrays.size(); ++a) {
    const io::CheckpointArray &one = once.arrays[a], &other = again.arrays[a];
    const std::size_t word = size_of(one.precision);
    const auto byte = [](const void* values, std::size_t at) {
      return static_cast<const char*>(values) + at;
    };
    for (std::size_t at = 0; at < static_cast<std::size_t>(system_points_); ++at) {
      if (std::memcmp(byte(one.values, at * word), byte(other.values, at * word), word) == 0)
        continue;
      if (different++ > 0) continue;
      const auto place = static_cast<std::int64_t>(at);
      const Index3 cell{mine.lower[0] + place % mine.size(0),
                        mine.lower[1] + place / mine.size(0) % mine.size(1),
                        mine.lower[2] + place / (mine.size(0) * mine.size(1))};
      first = fmt::format("{} in ({}, {}, {}) is {} and {}", one.name, cell[0], cell[1], cell[2],
                          value_text(one.values, at, one.precision),
                          value_text(other.values, at, other.precision));
    }
  }
  for (const auto& [name, number] : once.reals) {
    if (exec::double_to_bits(number) == exec::double_to_bits(again.reals.at(name))) continue;
    if (different++ == 0)
      first = fmt::format("{} is {:.17g} and {:.17g}", name, number, again.reals.at(name));
  }
  comm::agree(team_->communicator(), [&] {
    if (different == 0) return;
    throw Error(
        ErrorKind::device,
        fmt::format("step {} gave two results when it was carried out twice: {}{}.\n"
                    "A memory or a processor of {} is faulty. Go on elsewhere, from a "
                    "checkpoint before this step",
                    clock_.step, first,
                    different > 1 ? fmt::format(", and {} more values differ", different - 1) : "",
                    placement_.device.description));
  });
}

}  // namespace watersmeet::run
