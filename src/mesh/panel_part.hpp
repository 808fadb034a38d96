#pragma once
// What a rank has of a cubed sphere, and how the lines of cells along the sides of panels are
// numbered that ranks send each other: strips, of every panel and side the lines next to it.

#include <cstdint>
#include <vector>

#include "core/types.hpp"
#include "mesh/panel_side.hpp"

namespace watersmeet::mesh {

// A rectangle of the columns of neighbouring panels, the same one of each.
struct PanelPart {
  int n = 0;  // columns along an edge of a panel
  int first_panel = 0, panels_here = 0;
  int first[2] = {0, 0}, after[2] = {0, 0};

  int size(int axis) const { return after[axis] - first[axis]; }
  WM_HD bool touches(int panel, int side) const {
    const int across = side / 2;
    return (side % 2 ? after[across] == n : first[across] == 0) && panel >= first_panel &&
           panel < first_panel + panels_here;
  }
  // Whether cells here touch a side of a panel at its cell m or one cell away along it: what looks
  // across its axis needs the ghosts beside its own, too.
  WM_HD bool wanted(int panel, int side, int m) const {
    const int along = 1 - side / 2;
    return touches(panel, side) && m >= first[along] - 1 && m <= after[along];
  }
};

// `box`: of the stack of all panels, each of `levels` planes.
PanelPart panel_part(std::int64_t n, std::int64_t levels, const Box& box);

// The edges of the sphere that touch cells here, each by the side 4 panel + side that owns it, that
// of the lower panel. Returns their number.
int edges_of(const PanelPart& part, std::int8_t (&owner)[12]);

// How the panels that touch a part are coupled.
struct PanelLinks {
  BeyondSide beyond[24];       // by 4 panel + side
  std::int8_t owner[12] = {};  // 4 panel + side of the edges that touch cells here
  int edges = 0;
  PanelPart part;                                                            // cells here
  WM_HD std::int64_t faces() const { return std::int64_t{edges} * part.n; }  // of one level
};
PanelLinks panel_links(const PanelPart& part);

// Elements are counted [panel][side][layer][value][level][m], layer 0 next to the side.
struct StripLayout {
  static constexpr int layers = 2;
  int n = 0, levels = 1, values = 0;

  WM_HD std::int64_t row(int panel, int side, int layer, int value, int level) const {
    return ((((panel * 4 + side) * layers + layer) * std::int64_t(values) + value) * levels +
            level) *
           n;
  }
  // Elements of this many panels.
  std::int64_t elements(std::int64_t of_panels) const { return of_panels * row(1, 0, 0, 0, 0); }

  struct Place {
    int panel, side, layer, value, level, m;
  };
  WM_HD Place place(std::int32_t element) const {
    Place p;
    p.m = element % n;
    int rest = element / n;
    p.level = rest % levels;
    rest /= levels;
    p.value = rest % values;
    rest /= values;
    p.layer = rest % layers;
    rest /= layers;
    p.side = rest % 4;
    p.panel = rest / 4;
    return p;
  }
};

// Whether a part needs a cell of a strip, [panel][side][layer][m]: what the faces and ghosts of its
// own sides are made of, in line with them (ghost_line).
std::vector<bool> strips_wanted(const PanelPart& part);

// The elements of cells that one part has, and of these only the cells that are `wanted` where
// given, rising.
std::vector<std::int32_t> strip_elements(const StripLayout& layout, const PanelPart& has,
                                         const std::vector<bool>* wanted = nullptr);

// Bodies of loops over such elements. `Cells` gives them by strip_value(element).
template <class R, class Cells>
struct PackStrips {
  Cells cells;
  R* strips;
  const std::int32_t* elements;
  R* message;
  WM_HD int operator()(std::int64_t number) const {
    const R value = cells.strip_value(elements[number]);
    message[number] = value;
    strips[elements[number]] = value;
    return 0;
  }
};
template <class R>
struct UnpackStrips {
  R* strips;
  const std::int32_t* elements;
  const R* message;
  WM_HD int operator()(std::int64_t number) const {
    strips[elements[number]] = message[number];
    return 0;
  }
};

}  // namespace watersmeet::mesh
