// Values of sides of a plane that are expressions of the water in the cells beside them. They are computed from the solution that a stage
// reads, before its ghosts are filled.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "systems/prescribed_values.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::shallow_water {

namespace {
constexpr const char* along = "side.along";  // the coordinate along a side
}

// The names at a side: its own place across, and that of each cell along it.
systems::SourceModel ShallowWaterSystem::state_at_side(int side) const {
  const auto a = static_cast<std::size_t>(side / 2);
  systems::SourceModel model = local_state();
  model.coordinates = {};
  model.hidden.push_back({along});
  const double across = geometry_.lower[a] +
                        static_cast<double>(side % 2 == 1 ? cells_[a] : 0) * geometry_.spacing[a];
  model.names.push_back({std::string(1, "xy"[a]), 1, {fmt::format("{:.17g}", across)}});
  model.names.push_back({std::string(1, "yx"[a]), 1, {along}});
  return model;
}

void ShallowWaterSystem::configure_side_values(config::Input& input) {
  for (int side = 0; side < 4; ++side) {
    const BoundaryCondition& condition = boundaries_.side(side);
    std::vector<systems::SideValue> values;
    for (std::size_t v = 0; v < 3; ++v) {
      if (condition.state[v].empty()) continue;
      const std::string place = v == 0 ? condition.path + ".surface"
                                       : fmt::format("{}.velocity[{}]", condition.path, v - 1);
      values.push_back({place, condition.state[v], static_cast<int>(v)});
    }
    side_values_[side] = {};
    side_values_[side].configure_side(input, state_at_side(side), values);
  }
}

bool ShallowWaterSystem::sides_read_state() const {
  return std::any_of(std::begin(side_values_), std::end(side_values_),
                     [](const systems::UserSources& values) { return values.any(); });
}

void ShallowWaterSystem::allocate_side_values() {
  for (int side = 0; side < 4; ++side) {
    if (!tables_.of_state(side).start) continue;
    const std::size_t b = 1 - static_cast<std::size_t>(side / 2);
    const FacesOfSide faces = faces_of_side(geometry_, domain_->box(0), side, 1,
                                            boundaries_.periodic()[b] ? cells_[b] : 0);
    side_values_[side].allocate(
        precision_,
        [&](const std::string&) {
          systems::UserSources::Place place{b == 0 ? faces.x : faces.y, {0, 0, 0}};
          place.stride[b] = 1;
          return place;
        },
        queue_);
  }
}

// With ghosts behind edges the cells behind the ends of a side count too: those that are linked there, and at corners of the grid the last one as if it lay there.
void ShallowWaterSystem::write_side_values(const exec::Launch& whole, const Index3& first,
                                           const std::array<bool, 6>& sides, double fraction,
                                           exec::Clock* of_ends) {
  for (int side = 0; side < 4; ++side) {
    const systems::UserSources& values = side_values_[side];
    exec::SideValues to = tables_.of_state(side);
    if (!sides[static_cast<std::size_t>(side)] || !values.any() || !to.start) continue;
    to = systems::values_from(to, first, size_of(precision_));
    const std::size_t b = 1 - static_cast<std::size_t>(side / 2);
    exec::Launch l = whole;
    l.box = systems::layer_beside(l.box, side);
    Index3 place = first;
    place[b] += 1;  // coordinates begin with the cell before the first
    const Box cells = l.box;
    values.write_side(l, place, fraction, to);
    if (!tables_.sides().edges || tables_.sides().side[side].beyond == 0) continue;
    for (const bool upper : {false, true}) {
      const int end_side = 2 * static_cast<int>(b) + (upper ? 1 : 0);
      const std::int64_t n = domain_->box(0).size(static_cast<int>(b));
      const bool ends = first[b] + (upper ? cells.upper[b] - n : cells.lower[b]) == 0;
      const bool corner = ends && boundaries_.side(end_side).kind != BoundaryKind::none &&
                          systems::at_border(domain_->box(0), cells_, end_side);
      // The cell behind the end, or at a corner the last one as if it lay there.
      const std::int64_t shift = !corner ? 0 : upper ? 1 : -1;
      exec::SideValues end = to;
      end.start = static_cast<std::byte*>(to.start) +
                  shift * static_cast<std::ptrdiff_t>(size_of(precision_));
      l.clock = corner || b == 0 ? whole.clock : of_ends;
      l.box = cells;
      l.box.lower[b] = (upper ? cells.upper[b] : cells.lower[b] - 1) - shift;
      l.box.upper[b] = l.box.lower[b] + 1;
      Index3 at_end = place;
      at_end[b] += shift;
      values.write_side(l, at_end, fraction, end);
    }
  }
}

}  // namespace watersmeet::shallow_water
