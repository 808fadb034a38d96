// Along which axes diffusion is implicit, and what then bounds the step in place of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"
#include "systems/boussinesq/system.hpp"

namespace watersmeet::boussinesq {

using config::FaultKind;

void BoussinesqSystem::configure_implicit(config::Input& input) {
  implicit_ = {};
  const std::string key = "numerics.diffusion", axes_key = "numerics.implicit_axes";
  if (input.text(key) != "implicit") {
    input.refuse_idle(axes_key, "diffusion is explicit");
    return;
  }
  if (scheme_.name != "ab2")
    input.fault(FaultKind::conflict, key,
                fmt::format("implicit diffusion is a part of steps of ab2, and the scheme is {}",
                            scheme_.name),
                "set time.scheme = \"ab2\"");
  if (boundaries_.any_open())
    input.fault(FaultKind::conflict, key, "implicit diffusion does not know open sides",
                "use sides that are closed, or explicit diffusion");
  if (input.has_faults()) return;
  const int variables = parameters_.variables();
  std::array<bool, 3> axes{};
  if (input.is_set(axes_key)) {
    for (const char name : input.text(axes_key)) {
      const int axis = name - 'x';
      axes[static_cast<std::size_t>(axis)] = true;
      const std::string why = ImplicitDiffusion::refusal(boundaries_, staggered_, axis, variables);
      if (why.empty()) continue;
      input.fault(FaultKind::conflict, axes_key,
                  fmt::format("diffusion along {} cannot be implicit: {}", name, why),
                  fmt::format("leave {} out of {}", name, axes_key));
    }
    implicit_ = ImplicitDiffusion(axes);
    return;
  }
  // The thinnest cells first, until the flow bounds the step.
  std::vector<int> order;
  for (int axis = 0; axis < 3; ++axis) {
    if (ImplicitDiffusion::refusal(boundaries_, staggered_, axis, variables).empty())
      order.push_back(axis);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return staggered_.smallest_width(a) < staggered_.smallest_width(b);
  });
  rule_.longest = longest_implicit();
  const double flow = rule_.fixed > 0 ? rule_.fixed : estimate_step(input);
  for (const int axis : order) {
    if (flow * diffusion_rate(axes) <= input.real("time.cfl_diffusive")) break;
    axes[static_cast<std::size_t>(axis)] = true;
  }
  implicit_ = ImplicitDiffusion(axes);
  if (!implicit_.any())
    input.note(FaultKind::conflict, key,
               "diffusion stays explicit: along no axis that could be implicit does it bound dt "
               "more than the flow does");
}

// What keeps the first steps small where the signal, that of the velocity at their beginning, says nothing: velocities that sides prescribe, 0.1
// of a cell by which forces move fluid from rest, and a fiftieth of the time in which the slowest mode of the box decays.
double BoussinesqSystem::longest_implicit() const {
  double rate = 0, decay = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (staggered_.flat(axis)) continue;
    const double h = staggered_.smallest_width(axis);
    double force = std::abs(coefficients_.acceleration[axis]);
    if (axis == parameters_.gravity_axis) force += buoyancy_range();
    rate = std::max(rate, std::sqrt(10 * force / h));
    for (int side = 0; side < 6; ++side)
      rate = std::max(rate, boundaries_.largest_speed(side, axis, staggered_) / (h * rule_.cfl));
    decay += sq(std::numbers::pi / staggered_.length(axis));
  }
  rate = std::max(rate, 50 * decay * parameters_.largest_diffusivity());
  return rate > 0 ? 1 / rate : 1e300;
}

}  // namespace watersmeet::boussinesq
