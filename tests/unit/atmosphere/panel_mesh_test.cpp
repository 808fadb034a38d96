// The panel and the level of a plane of stacked panels are those of a division, also of the ghosts
// below the first panel and above the last one.
#include "systems/atmosphere/sphere/panel_mesh.hpp"

#include <gtest/gtest.h>

using namespace watersmeet::atmosphere;

TEST(PanelMesh, PanelsAreThoseOfADivision) {
  for (const int levels : {2, 3, 4, 7, 30, 116, 128, 255, 1000, 4999, 24770}) {
    PanelMesh<double> g;
    g.set_levels(levels);
    for (int k = -ghosts; k < 6 * levels + ghosts; ++k) {
      const int panel = k < 0 ? 0 : k / levels;
      ASSERT_EQ(g.panel({0, 0, k}), panel) << k << " of " << levels;
      ASSERT_EQ(g.level({0, 0, k}), k - panel * levels) << k << " of " << levels;
    }
  }
}
