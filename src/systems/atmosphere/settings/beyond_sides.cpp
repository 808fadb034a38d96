// What the case gives of the air beyond open sides and inflows: expressions of the place, the time and the state of the cell beside the side, made
// from the solution that a stage reads, before its ghosts are filled.
#include <fmt/format.h>

#include <algorithm>

#include "systems/atmosphere/settings/boundary_conditions.hpp"
#include "systems/atmosphere/system.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::atmosphere {

void AtmosphereSystem::configure_beyond_sides(config::Input& input) {
  const std::vector<AirBeyond> all = read_air_beyond(input, cells_, boundaries_);
  if (!all.empty() && looks_across()) {
    input.fault(config::FaultKind::conflict, "numerics.reconstruction.transverse",
                "a transverse term needs values behind the ends of sides, where `" +
                    all.front().path + "` gives none",
                "set transverse = 0, or use kind = \"open\" without values");
  }
  const systems::SourceModel model = local_state(true);
  const auto number = [](double x) { return fmt::format("{:.17g}", x); };
  const double wind[] = {flow_.wind[0], flow_.wind[1], 0};
  for (const AirBeyond& beyond : all) {
    const std::string pressure =
                          beyond.pressure.empty() ? "pressure_perturbation" : beyond.pressure,
                      theta = beyond.theta.empty() ? "0" : beyond.theta;
    std::vector<systems::SideValue> values = {{beyond.path + ".pressure", pressure, b_p}};
    if (boundaries_.kind(beyond.side) == BoundaryKind::inflow) {
      for (int c = 0; c < 3; ++c) {
        const std::string& text = beyond.velocity[static_cast<std::size_t>(c)];
        values.push_back({fmt::format("{}.velocity[{}]", beyond.path, c),
                          text.empty() ? number(wind[c]) : text, b_u + c});
      }
      values.push_back({beyond.path + ".theta", theta, b_rho});
    }
    for (const systems::SideValue& value : values)
      systems::UserSources::check(input, model, value.place, value.text, value.point);
    if (input.has_faults()) continue;
    // What is checked is what the case says; the density follows from both, theta first because
    // programs hold few numbers at a time.
    if (values.back().variable == b_rho) {
      values.back().text = fmt::format(
          "(((({}) + reference.theta)/reference.theta)^(-1)*((({}) + "
          "reference.p)/reference.p)^{} - 1)*reference.rho",
          theta, pressure, number(1 / request_.reference.gas.gamma()));
    }
    beyond_[static_cast<std::size_t>(beyond.side)].configure_side(input, model, values);
  }
}

bool AtmosphereSystem::gives_beyond_sides() const {
  return std::any_of(beyond_.begin(), beyond_.end(),
                     [](const systems::UserSources& values) { return values.any(); });
}

void AtmosphereSystem::allocate_beyond_sides() {
  const Index3& n = domain_->block(0).n;
  for (std::size_t side = 0; side < 4; ++side) {
    if (sides_.side[side] == BoundaryKind::none || !beyond_[side].any()) continue;
    beyond_[side].allocate(
        precision_, [&](const std::string& name) { return place_at(name, static_cast<int>(side)); },
        queue_);
    const auto faces = static_cast<std::size_t>(n[1 - side / 2] * n[2]);
    beyond_tables_[side] = memory::Buffer(memory::working_space(queue_.backend),
                                          beyond_values * faces * size_of(precision_));
    sides_.beyond[side] = {beyond_tables_[side].start()};
  }
}

// From the cells of a register.
void AtmosphereSystem::fill_behind_sides(int reg) {
  fill_behind_sides(launch(reg, reg), {0, 0, 0}, {true, true, true, true, true, true},
                    time_of_sides_);
}

// The tables have the values of this launch alone.
void AtmosphereSystem::fill_behind_sides(const exec::Launch& cells, const Index3& first,
                                         const std::array<bool, 6>& wanted, double fraction) {
  BoundaryCall sides = sides_;
  for (std::size_t side = 0; side < 6; ++side) {
    if (!wanted[side]) sides.side[side] = BoundaryKind::none;
    if (side >= 4 || !wanted[side] || sides.beyond[side].start == nullptr) continue;
    const std::size_t axis = side / 2, along = 1 - axis;
    exec::Launch l = cells;
    exec::SideValues to;
    to.start = beyond_tables_[side].start();
    to.stride[along] = 1;
    to.stride[2] = l.box.upper[along] - l.box.lower[along];
    to.table = to.stride[2] * (l.box.upper[2] - l.box.lower[2]);
    l.box = systems::layer_beside(l.box, static_cast<int>(side));
    Index3 place = first;
    place[axis] = -l.box.lower[axis];  // places are those of one layer
    beyond_[side].write_side(l, place, fraction, to);
  }
  loops_->fill_boundaries(cells, sides);
}

}  // namespace watersmeet::atmosphere
