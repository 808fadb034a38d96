// All directions are equivalent: the same shock tube along x, y and z has the same bits, and a
// mirrored tube has mirrored fields.
#include <fmt/format.h>

#include <algorithm>

#include "core/math.hpp"
#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

namespace {
const char* const names[] = {"x", "y", "z"};

// The gas-water tube of shock_tubes.cpp in moving gas; `across` cells of the same spacing along the
// other axes.
Simulation tube(const Verification& v, const std::string& reconstruction, int axis, bool mirrored,
                std::int64_t across) {
  const std::size_t a = static_cast<std::size_t>(axis);
  schemes::GasState gas{1.241, 0.3, 2.753, 1.4, 0}, water{0.991, 0, 3.059e-4, 5.5, 1.505};
  if (mirrored) gas.u = -gas.u;
  constexpr std::int64_t n = 64;
  FlowCase c{.cells = {across, across, across},
             .fluids = fluid_line("gas", gas) + fluid_line("water", water),
             .reconstruction = reconstruction,
             .epsilon = 1e-6,
             .scales = {1, 1, 1, 1, 1},
             .cfl = 0.5};
  for (std::size_t b = 0; b < 3; ++b) c.upper[b] = static_cast<double>(across) / n;
  c.cells[a] = n;
  c.lower[a] = -0.5;
  c.upper[a] = 0.5;
  c.dt = 0.002;  // not by cfl: the order of its sum over directions depends on the axis
  // Sharp: the order of the sum over the points of a smeared cell depends on the axis.
  c.initial =
      initial_entry("gas", gas, axis) +
      initial_entry("water", water, axis,
                    fmt::format("kind = \"half_space\", {} = 0, side = \"{}\", smoothing = 0",
                                names[axis], mirrored ? "lower" : "upper"));
  for (int b = 0; b < 3; ++b)
    if (b != axis && across > 1) c.boundary += fmt::format("{} = \"periodic\"\n", names[b]);
  Simulation s = start(v, c);
  s.step(60);
  return s;
}

// The values along the axis at the lowest indices of the others.
std::vector<double> line(const Simulation& s, const std::string& variable, int axis) {
  const std::vector<double> all = s.variable(variable);
  const auto cells = s.cells();
  const std::size_t stride[3] = {1, static_cast<std::size_t>(cells[0]),
                                 static_cast<std::size_t>(cells[0] * cells[1])};
  std::vector<double> values(static_cast<std::size_t>(cells[static_cast<std::size_t>(axis)]));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = all[i * stride[axis]];
  return values;
}

// The variables that are not momentum across the axis.
std::vector<std::vector<double>> lines(const Simulation& s, int axis) {
  std::vector<std::vector<double>> all;
  for (const std::string& name : s.variables()) {
    const bool momentum = name.size() == 2 && name[0] == 'm';
    if (momentum && name[1] != names[axis][0]) continue;
    all.push_back(line(s, name, axis));
  }
  return all;
}

double different_bits(const std::vector<std::vector<double>>& a,
                      const std::vector<std::vector<double>>& b) {
  double count = 0;
  for (std::size_t q = 0; q < a.size(); ++q) count += count_different(a[q], b[q]);
  return count;
}

// Largest difference from the mirror image; the second line is the momentum, which changes sign.
double asymmetry(std::vector<std::vector<double>> a, const std::vector<std::vector<double>>& b) {
  double largest = 0;
  for (std::size_t q = 0; q < a.size(); ++q) {
    std::reverse(a[q].begin(), a[q].end());
    if (q == 1) std::transform(a[q].begin(), a[q].end(), a[q].begin(), std::negate<>());
    largest = max_or_nan(largest, largest_difference(a[q], b[q]));
  }
  return largest;
}
}  // namespace

void verify_directions(Verification& v) {
  for (const char* const reconstruction : {"weno5-js", "weno5-z"}) {
    // Boxes that are wide across too, for schedules that refuse thin ones.
    for (const std::int64_t across : {1, v.on_gpu() ? 32 : 8}) {
      if (across > 1 && !v.at_least(Extent::quick)) continue;
      std::vector<std::vector<double>> first;
      for (int axis = 0; axis < 3; ++axis) {
        const std::vector<std::vector<double>> mine =
            lines(tube(v, reconstruction, axis, false, across), axis);
        if (axis == 0) first = mine;
        const std::string name =
            fmt::format("{}, tube along {}, {} across, ", reconstruction, names[axis], across);
        if (axis > 0) v.zero(name + "bits that differ from x", different_bits(first, mine));
        if (v.single()) continue;
        v.below(name + "difference from the mirrored tube",
                asymmetry(lines(tube(v, reconstruction, axis, true, across), axis), mine), 1e-12);
      }
    }
  }
  if (v.single()) v.leave_out("mirrored tubes", "no tolerance in single precision");
}

}  // namespace watersmeet::verify
