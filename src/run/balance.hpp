#pragma once
// Whether the parts of the grid are in proportion to the speeds that the ranks have in the run itself. What each computes without waiting
// for others is measured over windows of steps; where other parts would have shortened each of two windows enough, the driver goes on
// with these.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/engine.hpp"

namespace watersmeet::run {

// A number of steps, each number a step.
struct BalanceWindow {
  std::vector<double> computing;  // seconds of each rank
  double whole = 0;               // seconds of the slowest, with its waiting
};
// By which part of itself a step would have been shorter with other numbers of cells. Waiting for messages remains as it was.
double part_gained(const BalanceWindow& window, std::span<const std::int64_t> cells,
                   std::span<const std::int64_t> other_cells);

// Cells of each rank.
std::vector<std::int64_t> cells_of_ranks(const mesh::Shares& shares, int ranks);

class Balance {
 public:
  static constexpr double least_gain = 0.05;

  // Measures nothing where the parts are not to be changed, cannot be, or where it does not show on the host who waits for whom:
  // on GPUs alone, whose messages are work of their queues, and where messages travel while a rank computes. Collective.
  explicit Balance(Engine& engine);

  // Carries out steps and measures them.
  void measure(const std::function<void()>& steps);
  // The step at which the window ends.
  std::int64_t next_step() const { return next_step_; }
  bool due() const { return engine_.clock().step >= next_step_; }

  struct Correction {
    mesh::Shares shares;
    double gain = 0;  // part of a step
  };
  // At the end of a window; the next one begins. `steps_left` and `seconds_left`: of the run. Other parts where the rest of it
  // gains more by them than `cost` seconds. Collective; what rank 0 knows of time and costs counts.
  std::optional<Correction> end_window(double steps_left, double seconds_left, double cost);
  // The parts are others now: it begins anew with windows of twice the length.
  void begin_anew();
  void stop();

 private:
  void begin_window(std::int64_t steps);

  Engine& engine_;
  std::int64_t first_step_ = 0, next_step_ = 0;
  double window_seconds_ = 0, computing_ = 0, whole_ = 0;
  bool has_length_ = false;  // of a window, in steps
  std::optional<BalanceWindow> before_;
};

}  // namespace watersmeet::run
