#pragma once
// How fast a case is on several ranks, predicted before anything is allocated (docs/scaling.md):
//
//   t(n) = t_alone(points of the largest part, and those that all compute) + sum over the exchanges of a step (a + b bytes) + waits
//
// t_alone from the recorded speeds of its system, parts and messages of the decomposition that a run would have.

#include <array>
#include <optional>
#include <string>

#include "run/placement.hpp"
#include "run/recorded_speeds.hpp"

namespace watersmeet::run {

// The time of a step on one device.
struct StepTime {
  double seconds = 0, seconds_per_point = 0;
  bool recorded = true;  // with the methods of this case; else from the bytes that it moves
  double of(double points) const { return seconds + points * seconds_per_point; }
};
StepTime recorded_step(const systems::SetUp& system);

double points_of(const Index3& n);
double seconds_of_messages(const comm::Traffic& traffic, const Link& link);

// A step on so many ranks.
struct RankTime {
  int ranks = 1;                      // that compute
  std::array<int, 3> along{1, 1, 1};  // of a box
  Index3 part{};                      // the largest one
  double alone = 0;                   // seconds of the largest part by itself
  double messages = 0;                // seconds
  comm::Traffic traffic;
  double seconds() const { return alone + messages; }
};
// The largest part of a rank. free_bytes: of a device; 0: not known, all fits.
Index3 largest_part(const Case& loaded, int ranks, bool gpus, std::size_t free_bytes);

// A step on `asked` ranks beside fewer of them.
struct Forecast {
  int asked = 1;
  int devices = 1;  // of theirs: CPU ranks share one
  RankTime one, several;
  bool one_fits = true;
  // The fastest of the numbers up to `asked` whose parts fit into the memory of their devices; `several` where none does.
  RankTime fastest;
  double speed_up() const { return one.seconds() / several.seconds(); }
  double efficiency() const { return speed_up() / devices; }
};
// gpus: each has a device of its own; else they share the processors of one host, and `step` is that of all processors.
// free_bytes: of a device; 0: not known, all fits.
Forecast forecast(const Case& loaded, const StepTime& step, int ranks, bool gpus,
                  std::size_t free_bytes);

// The predictions were within 15 % of what was measured (docs/scaling.md): less than this is no reason to refuse a run.
inline constexpr double least_loss = 1.15;

// Whether what was recorded holds: for this device, by its name, on one host, with the methods and the usual schedule of its loops.
bool is_certain(const Case& loaded, const StepTime& step, const std::string& device, int hosts);

// What the model says of GPUs that are slower together than fewer of them; nothing where they are not, or device.slower_ranks allows it. Where it
// is certain, and one GPU would do, a run that is slower than on one is refused.
struct Loss {
  std::string text;  // "4 GPUs are predicted to be slower than 1: ..."
  bool refused = false;
};
std::optional<Loss> loss_of(const config::Input& input, const Forecast& forecast, bool certain);

// Judges a run on this placement; Error{resource} where it is refused, else what to note, or nothing. Only ranks with a GPU each are judged.
std::string check_break_even(const Case& loaded, const Placement& placement);

}  // namespace watersmeet::run
