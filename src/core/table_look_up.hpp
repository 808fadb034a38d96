#pragma once
// The value of a table of one to three arguments (config/table.hpp) at a place, on the host and in kernels: multilinear between the lines,
// beyond the outermost ones constant or periodic.

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace watersmeet {

struct TableAxis {
  const double* at = nullptr;  // coordinates of the lines, rising
  std::int64_t lines = 0;
  double period = 0;  // 0: constant beyond the outermost lines
};

// A view of a table; of the values the first axis is the fastest.
struct TableView {
  int arguments = 0;
  TableAxis axes[3];
  const double* values = nullptr;
};

// The two lines around a place, and the weight of the second.
struct BetweenLines {
  std::int64_t lower, upper;
  double weight;
};

WM_HD BetweenLines between_lines(const TableAxis& axis, double x) {
  const double first = axis.at[0], last = axis.at[axis.lines - 1];
  if (axis.period > 0) x -= axis.period * ::floor((x - first) / axis.period);
  if (x > last) {
    const double gap = first + axis.period - last;
    if (axis.period == 0 || gap <= 0) return {axis.lines - 1, axis.lines - 1, 0};
    const double weight = (x - last) / gap;
    return {axis.lines - 1, 0, weight < 1.0 ? weight : 1.0};
  }
  if (!(x > first)) return {0, 0, 0};
  // The first line from the second one on that is not below x.
  std::int64_t below = 0, above = axis.lines - 1;
  while (above - below > 1) {
    const std::int64_t middle = below + (above - below) / 2;
    (axis.at[middle] < x ? below : above) = middle;
  }
  return {above - 1, above, (x - axis.at[above - 1]) / (axis.at[above] - axis.at[above - 1])};
}

// At lines the numbers themselves, to the last bit.
WM_HD double look_up(const TableView& table, const double* place) {
  BetweenLines lines[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  std::int64_t stride[3] = {1, 0, 0};
  for (int a = 0; a < 3; ++a) {
    if (a >= table.arguments) break;
    lines[a] = between_lines(table.axes[a], place[a]);
    if (a > 0) stride[a] = stride[a - 1] * table.axes[a - 1].lines;
  }
  double sum = 0;
  for (int corner = 0; corner < (1 << table.arguments); ++corner) {
    double weight = 1;
    std::int64_t index = 0;
    for (int a = 0; a < 3; ++a) {
      if (a >= table.arguments) break;
      const bool upper = (corner >> a & 1) != 0;
      weight *= upper ? lines[a].weight : 1 - lines[a].weight;
      index += stride[a] * (upper ? lines[a].upper : lines[a].lower);
    }
    if (weight != 0) sum += weight * table.values[index];
  }
  return sum;
}

}  // namespace watersmeet
