// Ghosts of a box on the CPU: row by row beside a loop over cells as in loops of their own.
#include "exec/box_ghosts_cpu.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace watersmeet;

namespace {
constexpr int cells[3] = {5, 4, 3}, ghosts = 2, variables = 4;
constexpr std::int64_t row = 16, plane = row * (cells[1] + 2 * ghosts),
                       all = plane * (cells[2] + 2 * ghosts);

exec::BoxRules<double, variables> rules_with(exec::SideKind x, exec::SideKind y) {
  exec::BoxRules<double, variables> rules;
  for (int a = 0; a < 3; ++a) rules.n[a] = cells[a];
  rules.stride[1] = row;
  rules.stride[2] = plane;
  rules.stride_var = all;
  const exec::SideKind kinds[3] = {x, y, exec::SideKind::affine};
  for (int s = 0; s < 6; ++s) {
    rules.kind[s] = kinds[s / 2];
    for (int v = 0; v < variables; ++v)
      rules.rule[s][v] = {v == 3 ? -1.0 : 1.0, 0.25 * s + v, nullptr};
  }
  for (int v = 0; v < variables; ++v) rules.normal[v] = v < 3 ? v : -1;
  return rules;
}

std::vector<double> some_values() {
  std::vector<double> values(variables * all);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i % 101) + 0.5 * static_cast<double>(i % 7);
  return values;
}

void expect_the_same(exec::SideKind x, exec::SideKind y) {
  const exec::BoxRules<double, variables> rules = rules_with(x, y);
  BlockLayout layout;
  for (int a = 0; a < 3; ++a) layout.ghosts[a] = ghosts;
  for (const bool faces_only : {false, true}) {
    const exec::GhostBoxes boxes =
        faces_only ? exec::face_ghosts(rules, layout) : exec::all_ghosts(rules, layout);
    std::vector<double> together = some_values(), apart = together;
    const std::int64_t first = ghosts * (plane + row) + ghosts;
    exec::fill_box_ghosts(exec::OnCpu{}, together.data() + first, rules, boxes, Queue{});

    const exec::EndsAndOthers split = exec::split_ends(boxes, cells[0]);
    EXPECT_EQ(split.ends.count + split.others.count, boxes.count);
    EXPECT_EQ(split.ends.count, faces_only ? 1 : 4);
    const exec::FillRowEnds<double, variables> fill{apart.data() + first, rules, split.ends, true};
    for (int k = 0; k < cells[2]; ++k)
      for (int j = 0; j < cells[1]; ++j) fill(j, k);
    exec::fill_box_ghosts(exec::OnCpu{}, apart.data() + first, rules, split.others, Queue{});
    EXPECT_EQ(together, apart);
    EXPECT_NE(together, some_values());
  }
}

TEST(BoxGhosts, RowEndsBesideALoopArePeriodicOnesToo) {
  expect_the_same(exec::SideKind::periodic, exec::SideKind::periodic);
  expect_the_same(exec::SideKind::periodic, exec::SideKind::affine);
}

TEST(BoxGhosts, RowEndsBesideALoopFollowRules) {
  expect_the_same(exec::SideKind::affine, exec::SideKind::periodic);
  expect_the_same(exec::SideKind::affine, exec::SideKind::affine);
}

// The values themselves: a row behind a periodic side is copied at once.
TEST(BoxGhosts, RowsBehindAPeriodicSideAreThoseOfTheOtherEnd) {
  const auto rules = rules_with(exec::SideKind::affine, exec::SideKind::periodic);
  BlockLayout layout;
  for (int a = 0; a < 3; ++a) layout.ghosts[a] = 1;
  std::vector<double> values = some_values();
  double* const first = values.data() + ghosts * (plane + row) + ghosts;
  exec::fill_box_ghosts(exec::OnCpu{}, first, rules, exec::all_ghosts(rules, layout), Queue{});
  for (int v = 0; v < variables; ++v)
    for (int k = 0; k < cells[2]; ++k)
      for (int i = 1; i < cells[0]; ++i) {
        const double* const at = first + v * all + k * plane + i;
        EXPECT_EQ(at[-row], at[(cells[1] - 1) * row]);
        EXPECT_EQ(at[cells[1] * row], at[0]);
        const double walled = rules.rule[0][v].factor * first[v * all + k * plane];
        if (v > 0 && !(v == 2 && k == 0)) {
          EXPECT_EQ(first[v * all + k * plane - 1], walled + rules.rule[0][v].constant);
        }
      }
}
}  // namespace
