#pragma once
// What definitions of sources (user_sources.hpp) need on a cubed sphere: places of columns, and the factors between components to the east and
// north and the contravariant ones, times the radius, that are stored: u = u.east east + u.north north, east = east.u u + east.v v, and so on.

#include "mesh/panel_grid.hpp"
#include "systems/user_sources.hpp"

namespace watersmeet::systems {

// Coordinates lon and lat, and the factors as hidden values.
void add_panel_names(SourceModel& model);
// One of them at the centre of a column.
double panel_number(const mesh::PanelGrid& grid, const std::string& name, int panel, std::int64_t i,
                    std::int64_t j);

}  // namespace watersmeet::systems
