#pragma once
// The triggers of a run: evaluates their conditions where they are due, and remembers which have held. All ranks have the same numbers and so
// decide the same.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/checkpoint.hpp"
#include "run/sampling/packed_fields.hpp"
#include "run/sampling/probes.hpp"
#include "run/sampling/trigger_case.hpp"

namespace watersmeet::run {

class Triggers {
 public:
  // Allocates on the device, of a streamed solution on the host; collective; Error{resource}.
  explicit Triggers(Engine& engine);

  // The next time and step at which one is due.
  double next_time(double t) const;
  std::int64_t next_step(std::int64_t step) const;

  // Those due at the present state that act on it now; collective. Waits for the device. `series`: the columns of the system, asked where a
  // condition names one.
  std::vector<const TriggerCase*> evaluate(const std::function<std::vector<double>()>& series,
                                           const Probes& probes);

  // Adds what a checkpoint keeps.
  void add_to(io::Checkpoint& checkpoint) const;
  // Goes on from a checkpoint. The names of those that it does not have, or has of another condition: they begin anew.
  std::vector<std::string> restore(const io::CheckpointReader& reader);

 private:
  struct Memory {
    bool held = false;   // at the last evaluation
    bool acted = false;  // at least once
  };
  bool is_over(std::size_t number) const {
    return cases_.cases[number].mode == TriggerMode::latched && memory_[number].acted;
  }
  std::vector<double> reduce(const std::vector<bool>& wanted);

  Engine& engine_;
  Queue queue_;  // of the reductions
  TriggerCases cases_;
  std::vector<Memory> memory_;
  std::optional<PackedFields> fields_;
  std::vector<memory::Buffer> programs_;  // of each reduction
};

}  // namespace watersmeet::run
