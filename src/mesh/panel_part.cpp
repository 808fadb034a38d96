#include "mesh/panel_part.hpp"

#include "mesh/cubed_sphere.hpp"

namespace watersmeet::mesh {

PanelPart panel_part(std::int64_t n, std::int64_t levels, const Box& box) {
  PanelPart part;
  part.n = static_cast<int>(n);
  part.first_panel = static_cast<int>(box.lower[2] / levels);
  part.panels_here = static_cast<int>(box.size(2) / levels);
  for (std::size_t a = 0; a < 2; ++a) {
    part.first[a] = static_cast<int>(box.lower[a]);
    part.after[a] = static_cast<int>(box.upper[a]);
  }
  return part;
}

int edges_of(const PanelPart& part, std::int8_t (&owner)[12]) {
  const auto beyond = beyond_panels();
  int edges = 0;
  for (int panel = 0; panel < panels; ++panel) {
    for (int side = 0; side < 4; ++side) {
      const BeyondSide& other = beyond[static_cast<std::size_t>(4 * panel + side)];
      if (panel > other.panel) continue;
      if (!part.touches(panel, side) && !part.touches(other.panel, other.side)) continue;
      owner[edges++] = static_cast<std::int8_t>(4 * panel + side);
    }
  }
  return edges;
}

PanelLinks panel_links(const PanelPart& part) {
  PanelLinks links;
  const auto beyond = beyond_panels();
  std::copy(beyond.begin(), beyond.end(), links.beyond);
  links.edges = edges_of(part, links.owner);
  links.part = part;
  return links;
}

std::vector<bool> strips_wanted(const PanelPart& part) {
  const auto beyond = beyond_panels();
  const std::vector<GhostStencil> line = ghost_line(part.n, 0);
  const auto n = static_cast<std::size_t>(part.n);
  std::vector<bool> wanted(static_cast<std::size_t>(panels * 4 * StripLayout::layers) * n);
  const auto mark = [&](int panel, int side, int layer, int m) {
    wanted[static_cast<std::size_t>((panel * 4 + side) * StripLayout::layers + layer) * n +
           static_cast<std::size_t>(m)] = true;
  };
  // Both sides of a face in both lines, and the ghost behind each from the first line of the other.
  const auto face = [&](int panel, int side, int m) {
    const BeyondSide& b = beyond[static_cast<std::size_t>(4 * panel + side)];
    for (int layer = 0; layer < StripLayout::layers; ++layer) mark(panel, side, layer, m);
    for (int s = 0; s < 4; ++s) {
      const int along = static_cast<int>(line[static_cast<std::size_t>(m)].first) + s;
      mark(b.panel, b.side, 0, b.reversed ? part.n - 1 - along : along);
    }
  };
  for (int panel = 0; panel < panels; ++panel) {
    for (int side = 0; side < 4; ++side) {
      const BeyondSide& b = beyond[static_cast<std::size_t>(4 * panel + side)];
      for (int m = 0; m < part.n; ++m) {
        if (!part.wanted(panel, side, m)) continue;
        face(panel, side, m);
        face(b.panel, b.side, b.reversed ? part.n - 1 - m : m);
      }
    }
  }
  return wanted;
}

std::vector<std::int32_t> strip_elements(const StripLayout& layout, const PanelPart& has,
                                         const std::vector<bool>* wanted) {
  std::vector<std::int32_t> elements;
  for (int panel = has.first_panel; panel < has.first_panel + has.panels_here; ++panel) {
    for (int side = 0; side < 4; ++side) {
      const int across = side / 2, along = 1 - across;
      for (int layer = 0; layer < StripLayout::layers; ++layer) {
        const int line = side % 2 == 1 ? has.n - 1 - layer : layer;
        if (line < has.first[across] || line >= has.after[across]) continue;
        const auto start =
            static_cast<std::size_t>((panel * 4 + side) * StripLayout::layers + layer) *
            static_cast<std::size_t>(has.n);
        for (int v = 0; v < layout.values; ++v) {
          for (int level = 0; level < layout.levels; ++level) {
            for (int m = has.first[along]; m < has.after[along]; ++m) {
              if (wanted && !(*wanted)[start + static_cast<std::size_t>(m)]) continue;
              elements.push_back(
                  static_cast<std::int32_t>(layout.row(panel, side, layer, v, level) + m));
            }
          }
        }
      }
    }
  }
  return elements;
}

}  // namespace watersmeet::mesh
