#include "run/balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/host_seconds.hpp"

namespace watersmeet::run {

namespace {
// The first steps show how long one takes. They count no further: memory and caches are cold.
constexpr std::int64_t fewest_steps = 4;
}  // namespace

double part_gained(const BalanceWindow& window, std::span<const std::int64_t> cells,
                   std::span<const std::int64_t> other_cells) {
  double now = 0, then = 0;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    now = std::max(now, window.computing[r]);
    then = std::max(then, window.computing[r] * static_cast<double>(other_cells[r]) /
                              static_cast<double>(cells[r]));
  }
  return (now - then) / window.whole;
}

std::vector<std::int64_t> cells_of_ranks(const mesh::Shares& shares, int ranks) {
  std::vector<std::int64_t> cells(static_cast<std::size_t>(ranks), 0);
  for (const mesh::Part& part : shares.parts)
    cells[static_cast<std::size_t>(part.rank)] += part.box.count();
  return cells;
}

Balance::Balance(Engine& engine) : engine_(engine) {
  const config::Input& input = engine.input();
  const comm::Team& team = engine.team();
  const bool fixed =
      input.is_set("device.weights") || engine.system().grid().blocks || team.size() == 1;
  window_seconds_ = input.duration("device.balance_window");
  if (fixed || team.all_on_gpus() || team.overlap() != comm::Overlap::off || window_seconds_ == 0) {
    stop();
  } else {
    begin_window(fewest_steps);
  }
}

void Balance::begin_window(std::int64_t steps) {
  first_step_ = engine_.clock().step;
  next_step_ = first_step_ + steps;
  computing_ = whole_ = 0;
}

void Balance::stop() { next_step_ = std::numeric_limits<std::int64_t>::max(); }

void Balance::begin_anew() {
  window_seconds_ *= 2;
  has_length_ = false;
  before_.reset();
  begin_window(fewest_steps);
}

void Balance::measure(const std::function<void()>& steps) {
  const comm::Communicator& ranks = engine_.team().communicator();
  const double waited = ranks.seconds_waited();
  const double seconds = host_seconds_of(steps);
  whole_ += seconds;
  computing_ += seconds - (ranks.seconds_waited() - waited);
}

std::optional<Balance::Correction> Balance::end_window(double steps_left, double seconds_left,
                                                       double cost) {
  comm::Communicator& ranks = engine_.team().communicator();
  const double steps = static_cast<double>(engine_.clock().step - first_step_);
  // Above 0: speeds are to be finite.
  const double mine[2] = {std::max(computing_, 1e-6 * whole_) / steps, whole_ / steps};
  std::vector<double> all(2 * static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(mine, sizeof mine, all.data());
  BalanceWindow window;
  for (std::size_t r = 0; r < all.size(); r += 2) {
    window.computing.push_back(all[r]);
    window.whole = std::max(window.whole, all[r + 1]);
  }
  const auto length = static_cast<std::int64_t>(
      std::clamp(std::ceil(window_seconds_ / window.whole), double{fewest_steps}, 1e9));
  begin_window(length);
  if (!std::exchange(has_length_, true)) return std::nullopt;
  const std::optional<BalanceWindow> before = std::exchange(before_, window);
  if (!before) return std::nullopt;

  const std::vector<std::int64_t> cells = cells_of_ranks(engine_.placement().shares, ranks.size());
  std::vector<double> of_cell;  // seconds, the mean of both windows
  for (std::size_t r = 0; r < cells.size(); ++r)
    of_cell.push_back((before->computing[r] + window.computing[r]) /
                      (2 * static_cast<double>(cells[r])));
  Correction found{engine_.shares_by_speed(of_cell)};
  if (std::ssize(found.shares.parts) != ranks.size()) return std::nullopt;
  const std::vector<std::int64_t> others = cells_of_ranks(found.shares, ranks.size());
  found.gain = std::min(part_gained(*before, cells, others), part_gained(window, cells, others));
  const double left = std::min(steps_left * window.whole, seconds_left);
  std::uint64_t worth = found.gain >= least_gain && steps_left >= static_cast<double>(length) &&
                        found.gain * left > cost;
  ranks.broadcast(&worth, sizeof worth, 0);
  if (worth == 0) return std::nullopt;
  return found;
}

}  // namespace watersmeet::run
