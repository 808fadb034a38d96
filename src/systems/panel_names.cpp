#include "systems/panel_names.hpp"

namespace watersmeet::systems {

void add_panel_names(SourceModel& model) {
  model.by_cell.insert(model.by_cell.end(), {"lon", "lat"});
  for (const char* const name :
       {"u.east", "u.north", "v.east", "v.north", "east.u", "east.v", "north.u", "north.v"}) {
    model.hidden.push_back({name});
    model.by_cell.emplace_back(name);
  }
}

double panel_number(const mesh::PanelGrid& grid, const std::string& name, int panel, std::int64_t i,
                    std::int64_t j) {
  const mesh::LonLat at = grid.place(panel, i, j);
  if (name == "lon") return at.lon;
  if (name == "lat") return at.lat;
  const auto east = grid.components(panel, i, j, 1, 0), north = grid.components(panel, i, j, 0, 1);
  if (name == "u.east") return east[0];
  if (name == "u.north") return north[0];
  if (name == "v.east") return east[1];
  if (name == "v.north") return north[1];
  const double inverse = 1 / (east[0] * north[1] - north[0] * east[1]);
  if (name == "east.u") return inverse * north[1];
  if (name == "east.v") return -inverse * north[0];
  if (name == "north.u") return -inverse * east[1];
  return inverse * east[0];
}

}  // namespace watersmeet::systems
