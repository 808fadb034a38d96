// Values of sides that are expressions of the state in the cells beside them: of scalars, of the velocity of a wall along itself and of its
// stress. They are computed after the ghosts behind linked and periodic sides, which means of values at two points may read, and before those
// behind the side. No value reads another: the velocities on walls are numbers or tables of the host.
#include <fmt/format.h>

#include "systems/boussinesq/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::boussinesq {

using config::FaultKind;

// Expressions of place and time were read as such; here the names of others are looked at, on sides too where nothing counts.
void BoussinesqSystem::check_side_values(config::Input& input) const {
  const auto check = [&](const std::string& place, const std::string& text, int side, int point) {
    if (!systems::reads_state(text, systems::place_variables(), constants_)) return;
    systems::UserSources::check(input, local_state(side), place, text, point);
  };
  for (int side = 0; side < 6; ++side) {
    const std::string axis(1, "xyz"[side / 2]);
    const std::string both = "boundary." + axis,
                      one = std::string("boundary.") + systems::name_of_side(side);
    for (const std::string& path : {both, one}) {
      if (path == both && side % 2 == 1) continue;
      for (const char* name : {".velocity", ".stress"}) {
        const std::string key = path + name;
        if (!input.is_set(key) || !input.is_good(key)) continue;
        const auto texts = input.expressions3(key);
        for (int a = 0; a < 3; ++a)
          check(fmt::format("{}[{}]", key, a), texts[static_cast<std::size_t>(a)], side, a);
      }
      std::vector<std::string> scalars = {path + ".temperature"}, others = {path + ".temperature_"};
      for (const std::string& name : input.names(path + ".scalars")) {
        scalars.push_back(path + ".scalars." + name + ".value");
        others.push_back(path + ".scalars." + name + ".");
      }
      for (std::size_t n = 0; n < others.size(); ++n) {
        for (const std::string& key : {scalars[n], others[n] + "gradient", others[n] + "flux"})
          if (input.is_set(key) && input.is_good(key))
            check(key, input.expression(key), side, first_scalar);
        const std::string robin = others[n] + "robin";
        if (input.is_set(robin) && input.is_good(robin))
          check(robin + "[2]", input.expressions3(robin)[2], side, first_scalar);
      }
    }
  }
}

void BoussinesqSystem::configure_side_values(config::Input& input) {
  side_values_.clear();
  check_side_values(input);
  if (input.has_faults()) return;
  for (int side = 0; side < 6; ++side) {
    if (!boundaries_.has(side)) continue;
    const std::vector<AffineCondition>& of = boundaries_.side(side).of;
    for (int v = 0; v < parameters_.variables(); ++v) {
      const AffineCondition& condition = of[static_cast<std::size_t>(v)];
      if (condition.state.empty()) continue;
      const std::string place = condition.key + condition.component;
      if (v == side / 2) {
        input.fault(FaultKind::conflict, place,
                    "the velocity across a side must be known before the pressure is solved for: "
                    "it cannot depend on the state",
                    "an expression of place and time, or kind = \"open\"");
      } else if (v < first_scalar && boundaries_.any_open()) {
        input.fault(FaultKind::conflict, place,
                    "velocities and stresses that depend on the state are not possible beside "
                    "open sides",
                    "an expression of place and time");
      } else {
        SideState state{side, v, {}};
        state.values.configure_side(
            input, local_state(side),
            {{place, condition.state, 0, fmt::format("{:.17g}", condition.scale),
              std::min(v, first_scalar)}});
        side_values_.push_back(std::move(state));
      }
    }
  }
}

// The cells beside a side at which a variable has a value: not faces that lie on another side, but where those continue the last ones of the part.
Box BoussinesqSystem::cells_beside(int side, int variable) const {
  Box box = systems::layer_beside(domain_->block(0).interior(), side);
  // A velocity along the side lies on faces.
  if (variable < 3 && variable != side / 2 && !staggered_.flat(variable)) {
    const auto n = static_cast<std::size_t>(variable);
    const Box& part = domain_->box(0);
    const bool walls = boundaries_.has(2 * variable);
    if (walls && part.lower[n] == 0) ++box.lower[n];
    if (!walls || part.upper[n] != staggered_.cells()[n]) ++box.upper[n];
  }
  return box;
}

void BoussinesqSystem::allocate_side_values() {
  for (SideState& state : side_values_) {
    if (!tables_.of_state(state.side, state.variable).start) continue;
    Box cells = domain_->box(0);
    for (int a = 0; a < 3; ++a)
      cells.upper[static_cast<std::size_t>(a)] += staggered_.flat(a) ? 0 : 1;
    state.values.allocate(
        precision_, [&](const std::string& name) { return coordinates_at(name, cells); }, queue_);
  }
}

void BoussinesqSystem::write_side_values(int reg) {
  for (const SideState& state : side_values_) {
    const exec::SideValues to = tables_.of_state(state.side, state.variable);
    if (!to.start) continue;
    exec::Launch l = launch(reg, reg);
    l.box = cells_beside(state.side, state.variable);
    state.values.write_side(l, {0, 0, 0}, time_of_ghosts_, to);
  }
}

}  // namespace watersmeet::boussinesq
