// Whether a steady run has converged, and what follows the forces while it does. Looked at every
// few cycles, on the host: all ranks see the same numbers and decide alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "systems/aerodynamics/solver/flow_solver.hpp"

namespace watersmeet::aerodynamics {

namespace {
constexpr std::int64_t cycles_between_looks = 10;
// Forces are stationary when none changes by more than this part of the largest one.
constexpr double stationary = 1e-6;
// A residual has stalled when it was no smaller in any of this number of cycles.
constexpr std::int64_t stalled_cycles = 100;
// A held sensor is renewed when the residual has fallen to this part of what it was.
constexpr double renewal = 0.1;

// For a finite state that is so large that squares of its residual overflow.
[[noreturn]] void refuse_residual(const mesh::MultiBlockMesh& mesh, const Monitor& monitor,
                                  std::int64_t cycle) {
  throw comm::AgreedError(
      ErrorKind::diverged,
      fmt::format("the residual is not a number at cycle {}\n  largest in {}: {:.3g}", cycle,
                  mesh::place_text(mesh, monitor.largest_at), monitor.largest_residual));
}
}  // namespace

bool FlowSolver::follows_lift() const {
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [](const Condition& c) { return c.vortex && c.lift_chord > 0; });
}

void FlowSolver::watch() {
  if (cycle_ % cycles_between_looks != 0 || cycle_ == watched_) return;
  watched_ = cycle_;
  if (follows_lift()) follow_lift();
  if (cycle_ < first_full_order_cycle() || converged_) return;
  if (method_.residual_drop > 0) {
    evaluate_residual();
    const double residual = std::sqrt(diagnose()[s_rho] / static_cast<double>(all_nodes_));
    if (!std::isfinite(residual)) refuse_residual(mesh_, monitor(), cycle_);
    if (first_residual_ == 0) first_residual_ = residual;
    act_when_stalled(residual);
    renew_sensor(residual);
    converged_ = residual <= method_.residual_drop * first_residual_;
  }
  if (method_.force_window > 0) watch_forces();
}

// First differences that come and go keep a residual up, and so do corrections of coarse grids that
// a nearly empty node or a high order cannot take. What is given up is speed, not accuracy: steady
// states of the finest grid stay what they are, except for first differences where a shock was since
// the sensor was renewed.
std::vector<FlowSolver::Measure> FlowSolver::measures() const {
  std::vector<Measure> all;
  if (model_.shock_k2 > 0) all.push_back(Measure::hold_sensor);
  if (!coarse_.empty()) all.push_back(Measure::one_grid);
  return all;
}

bool FlowSolver::taken(Measure measure) const {
  const std::vector<Measure> all = measures();
  const auto found = std::find(all.begin(), all.end(), measure);
  return found != all.end() && static_cast<std::size_t>(found - all.begin()) < stalls_.size();
}

void FlowSolver::act_when_stalled(double residual) {
  if (least_residual_ == 0 || residual < least_residual_) {
    least_residual_ = residual;
    least_since_ = cycle_;
  }
  if (cycle_ - least_since_ < stalled_cycles || stalls_.size() >= measures().size()) return;
  stalls_.push_back(cycle_);
  least_residual_ = 0;
  take_measure();
  if (measures()[stalls_.size() - 1] == Measure::hold_sensor) renewal_below_ = renewal * residual;
}

// A sensor held while shocks still moved has first differences wherever they went. So it forgets,
// once, when the residual has fallen by a factor since, and shocks are nearly where they belong.
void FlowSolver::renew_sensor(double residual) {
  if (!(residual < renewal_below_)) return;
  renewal_below_ = 0;
  least_residual_ = 0;
  fine_->forget_sensor(queue_);
}

// The last one of stalls_; a run on one grid needs nothing beyond taken().
void FlowSolver::take_measure() {
  if (measures()[stalls_.size() - 1] == Measure::hold_sensor) fine_->hold_sensor();
}

std::string FlowSolver::measures_taken() {
  std::string text;
  const std::vector<Measure> all = measures();
  for (std::size_t m = 0; m < stalls_.size(); ++m) {
    text +=
        fmt::format(", {} since cycle {}",
                    all[m] == Measure::hold_sensor ? "sensor held" : "one grid alone", stalls_[m]);
  }
  if (!(model_.shock_k2 > 0)) return text;
  const std::vector<double> marks = to_host(fine_->shock_memory(), 0, Level::troubled_variable);
  std::int64_t troubled = std::count(marks.begin(), marks.end(), 1.0);
  team_->communicator().all_reduce_sum(std::span<std::int64_t>(&troubled, 1));
  if (troubled > 0) text += fmt::format(", {} nodes at first order for positivity", troubled);
  return text;
}

void FlowSolver::watch_forces() {
  std::vector<double> now;
  double largest = 0;
  for (std::size_t c = 0; const PatchForce& f : forces({0, 0, 0})) {
    if (conditions_[c++].kind != SurfaceKind::slip_wall) continue;
    for (const double v : f.force) {
      now.push_back(v);
      largest = std::max(largest, std::abs(v));
    }
  }
  if (now.empty()) return;
  bool changed = force_before_.size() != now.size();
  for (std::size_t i = 0; i < now.size() && !changed; ++i) {
    changed = !(std::abs(now[i] - force_before_[i]) <= stationary * largest);
  }
  if (changed) {
    force_before_ = now;
    force_since_ = cycle_;
  } else if (cycle_ - force_since_ >= method_.force_window) {
    converged_ = true;
  }
}

// The circulation of the far field is that of the lift: Gamma = L / (rho |u|) for a lift L per unit
// of span (Kutta and Joukowski).
void FlowSolver::follow_lift() {
  double force[2] = {0, 0};
  for (std::size_t c = 0; const PatchForce& f : forces({0, 0, 0})) {
    if (conditions_[c++].kind != SurfaceKind::slip_wall) continue;
    for (std::size_t m = 0; m < 2; ++m) force[m] += f.force[m];
  }
  for (Condition& c : conditions_) {
    if (!c.vortex || !(c.lift_chord > 0)) continue;
    VortexFarField<double>& far = *c.vortex;
    const double lift = force[1] * far.cosine - force[0] * far.sine;
    const double speed = std::sqrt(dot(far.stream.u, far.stream.u));
    far.circulation = lift / (far.stream.rho * speed);
  }
  tabulate_now(0);
}

std::map<std::string, double> FlowSolver::checkpoint_scalars() const {
  std::map<std::string, double> numbers;
  numbers["first_residual"] = first_residual_;
  numbers["force_since"] = static_cast<double>(force_since_);
  numbers["converged"] = converged_ ? 1 : 0;
  numbers["least_residual"] = least_residual_;
  numbers["least_since"] = static_cast<double>(least_since_);
  numbers["renewal_below"] = renewal_below_;
  for (std::size_t i = 0; i < stalls_.size(); ++i) {
    numbers["stall_" + std::to_string(i)] = static_cast<double>(stalls_[i]);
  }
  for (std::size_t i = 0; i < force_before_.size(); ++i) {
    numbers["force_" + std::to_string(i)] = force_before_[i];
  }
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (conditions_[c].vortex) {
      numbers["circulation_" + std::to_string(c)] = conditions_[c].vortex->circulation;
    }
  }
  return numbers;
}

void FlowSolver::restore_scalars(const std::map<std::string, double>& numbers) {
  const auto find = [&](const std::string& name, double otherwise) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
  };
  first_residual_ = find("first_residual", 0);
  force_since_ = static_cast<std::int64_t>(find("force_since", 0));
  converged_ = find("converged", 0) != 0;
  least_residual_ = find("least_residual", 0);
  least_since_ = static_cast<std::int64_t>(find("least_since", 0));
  renewal_below_ = find("renewal_below", 0);
  stalls_.clear();
  for (std::size_t i = 0; i < measures().size() && numbers.count("stall_" + std::to_string(i)) > 0;
       ++i) {
    stalls_.push_back(static_cast<std::int64_t>(find("stall_" + std::to_string(i), 0)));
    take_measure();
  }
  force_before_.clear();
  for (std::size_t i = 0; numbers.count("force_" + std::to_string(i)) > 0; ++i) {
    force_before_.push_back(find("force_" + std::to_string(i), 0));
  }
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (!conditions_[c].vortex) continue;
    double& circulation = conditions_[c].vortex->circulation;
    circulation = find("circulation_" + std::to_string(c), circulation);
  }
  tabulate_now(0);
}

}  // namespace watersmeet::aerodynamics
