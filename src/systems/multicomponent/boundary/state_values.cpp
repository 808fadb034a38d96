// States prescribed at sides as expressions of the flow in the cells beside them. They are computed from the solution that a stage reads,
// before its ghosts are filled.
#include <fmt/format.h>

#include <algorithm>

#include "systems/multicomponent/system.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/side_conditions.hpp"

namespace watersmeet::multicomponent {

// The names at a side: its own place across, and that of each cell along it.
systems::SourceModel MulticomponentSystem::state_at_side(int side) const {
  systems::SourceModel model = local_state();
  model.coordinates = {};
  for (int a = 0; a < 3; ++a) {
    const std::string name(1, "xyz"[a]);
    std::string is = "side." + name;
    if (a == side / 2) {
      const auto n = static_cast<std::size_t>(a);
      is = fmt::format("{:.17g}", cell_grid_.place(n, side % 2 == 1 ? cell_grid_.cells[n] - 1 : 0,
                                                   side % 2 == 1 ? 1 : -1));
    } else {
      model.hidden.push_back({is});
    }
    model.names.push_back({name, 1, {is}});
  }
  model.names.push_back({"r", 1, {"sqrt(x^2 + y^2 + z^2)"}});
  return model;
}

void MulticomponentSystem::configure_side_values(config::Input& input) {
  side_values_.clear();
  const double unit[n_variables] = {scales_.density,  scales_.speed, scales_.speed,   scales_.speed,
                                    pressure_scale(), 1.0,           pressure_scale()};
  for (const BoundaryConditions::Patch& patch : boundaries_.patches()) {
    if (std::any_of(side_values_.begin(), side_values_.end(), [&](const SideState& state) {
          return state.side == patch.side && state.condition == patch.condition;
        }))
      continue;
    std::vector<systems::SideValue> values;
    for (const PrescribedValue& value : boundaries_.conditions()[patch.condition].values) {
      if (!value.reads_state) continue;
      values.push_back({value.place, value.expression, value.variable,
                        fmt::format("1/{:.17g}", unit[value.variable])});
    }
    if (values.empty()) continue;
    const systems::SourceModel model = state_at_side(patch.side);
    // Names that only other cases have.
    for (const systems::SideValue& value : values)
      systems::UserSources::check(input, model, value.place, value.text, value.point);
    if (input.has_faults()) continue;
    SideState state{patch.side, patch.condition, {}, {}};
    state.values.configure_side(input, model, values);
    side_values_.push_back(std::move(state));
  }
}

namespace {

// The cells of a part beside a side on which a condition counts: the last patch that covers a cell does. In boxes of whole rows, in indices of the part.
std::vector<Box> cells_of_condition(const BoundaryConditions& conditions, const Box& part, int side,
                                    std::size_t condition) {
  const auto axes = systems::axes_of_side(side);
  const auto a = static_cast<std::size_t>(axes[0]), b = static_cast<std::size_t>(axes[1]);
  const Box box =
      systems::layer_beside({{0, 0, 0}, {part.size(0), part.size(1), part.size(2)}}, side);
  std::vector<Box> boxes;
  std::size_t row_before = 0;  // where the boxes of the row before begin
  for (std::int64_t j = part.lower[b]; j < part.upper[b]; ++j) {
    std::vector<Box> row;
    bool inside = false;
    for (std::int64_t i = part.lower[a]; i < part.upper[a]; ++i) {
      std::size_t counts = conditions.conditions().size();
      for (const BoundaryConditions::Patch& p : conditions.patches()) {
        if (p.side == side && i >= p.lower[0] && i < p.upper[0] && j >= p.lower[1] &&
            j < p.upper[1])
          counts = p.condition;
      }
      if (counts == condition && !inside) {
        row.push_back(box);
        row.back().lower[a] = i - part.lower[a];
        row.back().lower[b] = j - part.lower[b];
        row.back().upper[b] = j - part.lower[b] + 1;
      }
      inside = counts == condition;
      if (inside) row.back().upper[a] = i - part.lower[a] + 1;
    }
    const std::size_t before = boxes.size() - row_before;
    bool same = row.size() == before && before > 0;
    for (std::size_t n = 0; same && n < row.size(); ++n) {
      const Box& above = boxes[row_before + n];
      same = above.lower[a] == row[n].lower[a] && above.upper[a] == row[n].upper[a] &&
             above.upper[b] == row[n].lower[b];
    }
    if (same) {
      for (std::size_t n = 0; n < row.size(); ++n) ++boxes[row_before + n].upper[b];
      continue;
    }
    row_before = boxes.size();
    boxes.insert(boxes.end(), row.begin(), row.end());
  }
  return boxes;
}

}  // namespace

void MulticomponentSystem::allocate_side_values() {
  for (SideState& state : side_values_) {
    const Box& part = domain_->box(0);
    if (!systems::at_border(part, cell_grid_.cells, state.side)) continue;
    state.cells = cells_of_condition(boundaries_, part, state.side, state.condition);
    if (state.cells.empty()) continue;
    state.values.allocate(
        precision_, [&](const std::string& name) { return source_place(name.substr(5)); }, queue_);
  }
}

void MulticomponentSystem::write_side_values(exec::Launch l, const Index3& first,
                                             const std::array<bool, 6>& sides, double fraction) {
  const Box launched = l.box;
  for (const SideState& state : side_values_) {
    if (!sides[static_cast<std::size_t>(state.side)]) continue;
    const exec::SideValues to =
        systems::values_from(tables_.of_state(state.side), first, size_of(precision_));
    for (const Box& cells : state.cells) {
      for (std::size_t a = 0; a < 3; ++a) {
        l.box.lower[a] = std::max(launched.lower[a], cells.lower[a] - first[a]);
        l.box.upper[a] = std::min(launched.upper[a], cells.upper[a] - first[a]);
      }
      if (!l.box.empty()) state.values.write_side(l, first, fraction, to);
    }
  }
}

}  // namespace watersmeet::multicomponent
