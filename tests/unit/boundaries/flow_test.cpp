// What flows do at boundaries: mirrors equal the doubled problem, waves leave, uniform flow stays
// uniform, for all sides and axes.
#include <gtest/gtest.h>

#include "bounded_flow.hpp"
#include "core/math.hpp"

namespace watersmeet::multicomponent {
namespace {

constexpr double pi = 3.14159265358979323846;

GridOfCase line(int axis, std::int64_t n, double length) {
  GridOfCase grid;
  grid.cells[static_cast<std::size_t>(axis)] = n;
  grid.upper[static_cast<std::size_t>(axis)] = length;
  return grid;
}
Index3 cell_on(int axis, std::int64_t i) {
  Index3 c{0, 0, 0};
  c[static_cast<std::size_t>(axis)] = i;
  return c;
}
std::string both(int axis, const std::string& kind) {
  return std::string("[boundary]\n") + "xyz"[axis] + " = \"" + kind + "\"\n";
}

// A box between two walls is half of a periodic one with the mirrored flow in its other half. The
// ghosts are the very cells of that half at first; later its arithmetic runs the other way.
TEST(BoundaryFlow, WallsAreTheDoubledProblem) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto state = [axis](const Real3& x) {
      const double s = x[static_cast<std::size_t>(axis)];
      const double mirrored = s < 1 ? s : 2 - s, sign = s < 1 ? 1 : -1;
      const double gas_share = 0.5 + 0.5 * std::tanh(20 * (mirrored - 0.6));
      Primitive<double> w = gas(1 + gas_share, 0, 1 + 0.8 * std::exp(-50 * sq(mirrored - 0.25)));
      w[w_gamma] = 0.5 + 2 * gas_share;
      w[w_pi] = 2 - 2 * gas_share;
      for (int a = 0; a < 3; ++a) w[w_u + a] = 0.3 * std::sin(5 * mirrored + a);
      w[w_u + axis] = sign * 0.4 * std::cos(3 * mirrored);
      return w;
    };
    BoundedFlow half(both(axis, "reflecting"), line(axis, 40, 1.0), state);
    BoundedFlow doubled(both(axis, "periodic"), line(axis, 80, 2.0), state);
    const double dt = 0.3 * half.stable_step();
    half.fill();
    doubled.fill();
    for (std::int64_t i = -3; i < 0; ++i) {
      for (int v = 0; v < n_variables; ++v) {
        const double twin = doubled.stored(v, cell_on(axis, -1 - i));
        EXPECT_EQ(half.stored(v, cell_on(axis, i)), v == s_mx + axis ? -twin : twin);
      }
    }
    double largest = 0;
    for (int step = 0; step < 20; ++step) {
      half.step(dt);
      doubled.step(dt);
      for (std::int64_t i = 0; i < 40; ++i) {
        for (int v = 0; v < n_variables; ++v) {
          const double difference =
              half.stored(v, cell_on(axis, i)) - doubled.stored(v, cell_on(axis, i));
          largest = max_or_nan(largest, std::abs(difference));
        }
      }
    }
    EXPECT_LT(largest, 1e-13) << "axis " << axis;
    // Something has come to the walls and gone back.
    EXPECT_GT(std::abs(half.primitive(cell_on(axis, 1))[w_p] - 1), 1e-3);
  }
}

// Largest deviation of the pressure after a pulse p' = Z u' in a fluid at rest, of amplitude a p_0,
// has left through a side: in units of its amplitude.
double reflection(const std::string& kind, int axis, bool upper, double p_c) {
  const double a = 1e-4, gamma = 1.4, rho = 1, p = 1;
  const double c = std::sqrt(gamma * (p + p_c) / rho), sign = upper ? 1 : -1;
  const auto state = [=](const Real3& x) {
    const double wave = a * std::exp(-sq((x[static_cast<std::size_t>(axis)] - 0.5) / 0.05));
    Primitive<double> w = gas(rho + wave / (c * c), 0, p + wave, gamma, p_c);
    w[w_u + axis] = sign * wave / (rho * c);
    return w;
  };
  FlowChoices choices;
  // In the ratios of the wave, so that the weights of all variables are the same.
  choices.scale = {{a / (c * c), a / (rho * c), a / (rho * c), a / (rho * c), a, 1, 1}};
  BoundedFlow flow(both(axis, kind), line(axis, 200, 1.0), state, choices);
  // The pulse of half width 0.05 has left at c t = 0.75, a reflected one would then be at 0.75, on
  // its way to c t = 1.25.
  const int steps = 450;
  for (int s = 0; s < steps; ++s) flow.step(0.9 / c / steps);
  double largest = 0;
  for (std::int64_t i = 0; i < 200; ++i) {
    largest = max_or_nan(largest, std::abs(flow.primitive(cell_on(axis, i))[w_p] - p));
  }
  return largest / a;
}

// In the linear limit the incoming invariant p - Z u of the interior, of ghosts made by either
// condition and of every edge reconstructed from both is zero (where WENO weighs both alike), and
// nothing is reflected. What remains is quadratic in the amplitude, 1e-4 here.
TEST(BoundaryFlow, WeakWavesLeaveThroughEverySide) {
  for (const double p_c : {0.0, 100.0}) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool upper : {false, true}) {
        EXPECT_LT(reflection("nonreflecting", axis, upper, p_c), 1e-3);
        EXPECT_LT(reflection("absorbing", axis, upper, p_c), 1e-3);
      }
    }
  }
  // A wall sends it back whole: the test can fail.
  EXPECT_GT(reflection("reflecting", 0, true, 0.0), 0.8);
}

TEST(BoundaryFlow, UniformFlowStaysUniformUnderEveryCondition) {
  Primitive<double> w = gas(1.3, 0.2, 0.9, 1.6, 0.5);
  w[w_v] = -0.1;
  w[w_w] = 0.05;
  const GridOfCase grid{{7, 6, 5}, {0, 0, 0}, {1, 1, 1}};
  for (const std::string kind : {"absorbing", "inflow", "nonreflecting"}) {
    BoundedFlow flow(both(0, kind) + "y = \"" + kind + "\"\nz = \"" + kind + "\"\n", grid,
                     [&](const Real3&) { return w; });
    for (int s = 0; s < 5; ++s) flow.step(0.03);
    for (std::int64_t k = 0; k < 5; ++k)
      for (std::int64_t j = 0; j < 6; ++j)
        for (std::int64_t i = 0; i < 7; ++i) {
          const Primitive<double> found = flow.primitive({i, j, k});
          for (int v = 0; v < n_variables; ++v) EXPECT_NEAR(found[v], w[v], 1e-13) << kind;
        }
  }
}

// Inflow that varies in time drives the tube as a piston's wave does: the state in front of the
// side follows what was prescribed a travel time earlier.
TEST(BoundaryFlow, InflowOfTimeSendsItsWaveIn) {
  const double a = 1e-3, c = std::sqrt(1.4);
  FlowChoices choices;
  choices.scale = {{1, a, a, a, a, 1, 1}};
  BoundedFlow flow(
      "[boundary]\nx_upper = \"nonreflecting\"\n[boundary.x_lower]\nkind = \"inflow\"\n"
      "velocity = [\"1e-3*sin(20*t)\", 0, 0]\npressure = \"1 + 1e-3*sqrt(1.4)*sin(20*t)\"\n"
      "density = \"1 + 1e-3/sqrt(1.4)*sin(20*t)\"\n",
      line(0, 200, 1.0), [](const Real3&) { return gas(1, 0, 1); }, choices);
  const int steps = 400;
  const double t = 0.6;
  for (int s = 0; s < steps; ++s) flow.step(t / steps);
  for (std::int64_t i = 0; i < 200; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / 200, delay = t - x / c;
    if (std::abs(delay) < 0.05) continue;  // the kink at its front
    const double expected = delay > 0 ? a * std::sin(20 * delay) : 0.0;
    EXPECT_NEAR(flow.primitive(cell_on(0, i))[w_u], expected, 0.03 * a) << x;
  }
}

// The same problem through each pair of sides: bit for bit, except for the order in which the squares
// of three velocities are added.
TEST(BoundaryFlow, SixSidesAlike) {
  const auto run = [](int axis, double tangent) {
    const auto state = [=](const Real3& x) {
      const double s = x[static_cast<std::size_t>(axis)];
      Primitive<double> w = gas(1 + 0.3 * std::sin(2 * pi * s), 0, 1 + 0.2 * std::cos(2 * pi * s));
      w[w_gamma] = 1 + s;
      w[w_pi] = 1 - s;
      w[w_u + axis] = 0.5 * s - 0.2;
      w[w_u + (axis + 1) % 3] = tangent * 0.3 * s;
      w[w_u + (axis + 2) % 3] = tangent * (0.1 - s);
      return w;
    };
    const std::string name(1, "xyz"[axis]);
    BoundedFlow flow("[boundary]\n" + name +
                         "_lower = { kind = \"nonreflecting\", pressure = 0.9 }"
                         "\n" +
                         name + "_upper = \"reflecting\"\n",
                     line(axis, 30, 1.0), state);
    for (int s = 0; s < 10; ++s) flow.step(0.005);
    std::vector<double> values;
    for (std::int64_t i = 0; i < 30; ++i) {
      for (const int v : {int{s_rho}, s_mx + axis, s_mx + (axis + 1) % 3, s_mx + (axis + 2) % 3,
                          int{s_energy}, int{s_gamma}, int{s_pi}}) {
        values.push_back(flow.stored(v, cell_on(axis, i)));
      }
    }
    const Amounts out = flow.outflow();
    values.insert(values.end(), {out[0], out[4], out[static_cast<std::size_t>(s_mx + axis)]});
    return values;
  };
  for (const double tangent : {0.0, 1.0}) {
    const std::vector<double> along_x = run(0, tangent);
    for (const int axis : {1, 2}) {
      const std::vector<double> found = run(axis, tangent);
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_NEAR(found[n], along_x[n], tangent == 0 ? 0 : 1e-13) << "axis " << axis;
      }
    }
  }
}

}  // namespace
}  // namespace watersmeet::multicomponent
