// Parts of the panels of a cubed sphere and the strips along their sides: numbers of elements, and
// that what one part needs is what the others have.
#include "mesh/panel_part.hpp"

#include <gtest/gtest.h>

#include <map>

#include "mesh/cubed_sphere.hpp"

namespace watersmeet::mesh {
namespace {

// All parts of a sphere whose columns are cut at these places and whose panels go by `together`.
std::vector<PanelPart> parts_of(std::int64_t n, const std::vector<std::int64_t>& x,
                                const std::vector<std::int64_t>& y, std::int64_t together) {
  std::vector<PanelPart> parts;
  for (std::int64_t p = 0; p < panels; p += together) {
    for (std::size_t j = 0; j + 1 < y.size(); ++j) {
      for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        parts.push_back(
            panel_part(n, 4, Box{{x[i], y[j], 4 * p}, {x[i + 1], y[j + 1], 4 * (p + together)}}));
      }
    }
  }
  return parts;
}

TEST(PanelPart, ElementsOfStripsAreCountedInOrder) {
  const StripLayout layout{11, 4, 5};
  std::int64_t next = 0;
  for (int panel = 0; panel < panels; ++panel) {
    for (int side = 0; side < 4; ++side) {
      for (int layer = 0; layer < StripLayout::layers; ++layer) {
        for (int value = 0; value < 5; ++value) {
          for (int level = 0; level < 4; ++level) {
            ASSERT_EQ(layout.row(panel, side, layer, value, level), next);
            const auto at = layout.place(static_cast<std::int32_t>(next + 7));
            ASSERT_EQ(at.panel, panel);
            ASSERT_EQ(at.side, side);
            ASSERT_EQ(at.layer, layer);
            ASSERT_EQ(at.value, value);
            ASSERT_EQ(at.level, level);
            ASSERT_EQ(at.m, 7);
            next += 11;
          }
        }
      }
    }
  }
  EXPECT_EQ(layout.elements(panels), next);
}

TEST(PanelPart, KnowsTheEdgesThatItTouches) {
  std::int8_t owner[12];
  EXPECT_EQ(edges_of(parts_of(12, {0, 12}, {0, 12}, 6)[0], owner), 12);
  for (const PanelPart& part : parts_of(12, {0, 12}, {0, 12}, 1)) {
    EXPECT_EQ(edges_of(part, owner), 4);
  }
  const auto ninths = parts_of(12, {0, 4, 8, 12}, {0, 4, 8, 12}, 1);
  for (std::size_t p = 0; p < ninths.size(); ++p) {
    const std::size_t i = p % 3, j = p / 3 % 3;
    EXPECT_EQ(edges_of(ninths[p], owner), (i != 1 ? 1 : 0) + (j != 1 ? 1 : 0)) << p;
  }
}

// What a part needs of the lines next to its sides: every cell beside its own faces, on both sides
// of the edge, and no more lines than those of its sides and the ones beyond.
TEST(PanelPart, NeedsWhatLiesInLineWithItsSides) {
  const std::int64_t n = 12;
  const auto beyond = beyond_panels();
  for (const PanelPart& part : parts_of(n, {0, 5, 12}, {0, 3, 9, 12}, 2)) {
    const std::vector<bool> wanted = strips_wanted(part);
    const auto at = [&](int panel, int side, int layer, int m) {
      return wanted[static_cast<std::size_t>(((panel * 4 + side) * 2 + layer) * 12 + m)];
    };
    for (int panel = 0; panel < panels; ++panel) {
      for (int side = 0; side < 4; ++side) {
        const BeyondSide& b = beyond[static_cast<std::size_t>(4 * panel + side)];
        const bool near = part.touches(panel, side) || part.touches(b.panel, b.side);
        for (int m = 0; m < 12; ++m) {
          if (!near) {
            EXPECT_FALSE(at(panel, side, 0, m) || at(panel, side, 1, m));
          }
          const int along = 1 - side / 2;
          if (!part.touches(panel, side) || m < part.first[along] || m >= part.after[along]) {
            continue;
          }
          const int there = b.reversed ? 11 - m : m;
          for (int layer = 0; layer < 2; ++layer) {
            EXPECT_TRUE(at(panel, side, layer, m) && at(b.panel, b.side, layer, there));
          }
        }
      }
    }
  }
}

TEST(PanelPart, TheOthersHaveWhatItNeeds) {
  const StripLayout layout{12, 4, 5};
  const auto parts = parts_of(12, {0, 4, 12}, {0, 7, 12}, 3);
  for (const PanelPart& mine : parts) {
    const std::vector<bool> wanted = strips_wanted(mine);
    std::map<std::int32_t, int> come;
    for (const PanelPart& part : parts) {
      for (const std::int32_t element : strip_elements(layout, part, &wanted)) ++come[element];
    }
    std::size_t count = 0;
    for (const bool cell : wanted) count += cell ? 1 : 0;
    EXPECT_EQ(come.size(), count * 4 * 5);
    for (const auto& [element, times] : come) EXPECT_EQ(times, 1) << element;
  }
}

}  // namespace
}  // namespace watersmeet::mesh
