// The initial state of multicomponent flow from case texts: values of a shocked bubble known in
// closed form, mixing, independence of boxes and threads, reference magnitudes, the resolved case.
#include "systems/multicomponent/initial/state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "multicomponent_case.hpp"

using namespace watersmeet;
using namespace watersmeet::multicomponent;

namespace multicomponent_initial_test {
using multicomponent_case::Case;

namespace {
constexpr double pi = 3.14159265358979323846;

struct Values {
  Box box;
  std::array<std::vector<double>, 7> q;
  double at(std::size_t quantity, std::int64_t i, std::int64_t j, std::int64_t k) const {
    return q[quantity][static_cast<std::size_t>(
        ((k - box.lower[2]) * box.size(1) + j - box.lower[1]) * box.size(0) + i - box.lower[0])];
  }
};
Values evaluate(const InitialState& state, const Box& box, int threads = 1) {
  Values values{box, {}};
  std::array<double*, 7> out{};
  for (std::size_t q = 0; q < 7; ++q) {
    values.q[q].assign(static_cast<std::size_t>(box.count()), -777.0);
    out[q] = values.q[q].data();
  }
  state.evaluate(box, threads, out);
  return values;
}
Values evaluate(const Case& c, int threads = 1) {
  return evaluate(c.state, {{0, 0, 0}, c.cells}, threads);
}
enum { rho, u, v, w, p, Gamma, Pi };

const char* const water_and_air = R"toml([physics.fluids]
water = { gamma = 6.12, p_c = 3.43e8, density = 1000.0 }
air = { gamma = 1.40, density = 1.204 }
)toml";

std::string head(const std::string& cells, const std::string& upper) {
  return "[case]\nsystem = \"multicomponent\"\n[time]\nend = 1\n[grid]\ncells = " + cells +
         "\nlower = [0, 0, 0]\nupper = " + upper + "\n";
}

// A bubble in water with the shock of 40 MPa to its left.
std::string shocked_bubble(const std::string& cells) {
  return head(cells, "[1.5e-3, 1e-3, 1e-3]") + water_and_air + R"toml(
[[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
shape = { kind = "shock", x = 0.25e-3, side = "lower", pressure_jump = 4e7 }
[[initial]]
fluid = "air"
shape = { kind = "sphere", radius = 125e-6, centre = [0.615e-3, 0.5e-3, 0.5e-3] }
)toml";
}
}  // namespace

TEST(InitialState, ShockedBubble) {
  const Case c(shocked_bubble("[60, 40, 40]"));
  const Values s = evaluate(c);
  double gas = 0, density = 0;
  const double cell = 1.5e-3 / 60 * 1e-3 / 40 * 1e-3 / 40;
  for (std::int64_t k = 0; k < 40; ++k) {
    for (std::int64_t j = 0; j < 40; ++j) {
      for (std::int64_t i = 0; i < 60; ++i) {
        // The shock stands on the face of cell 10: sharp, by cells.
        const bool shocked = i < 10;
        EXPECT_EQ(s.at(p, i, j, k), shocked ? 1e5 + 4e7 : 1e5);
        EXPECT_NEAR(s.at(u, i, j, k), shocked ? 26.71317621 : 0, 0.6e-8);
        EXPECT_EQ(s.at(v, i, j, k), 0);
        EXPECT_EQ(s.at(w, i, j, k), 0);
        if (shocked) {
          EXPECT_NEAR(s.at(rho, i, j, k), 1018.16388547, 0.6e-8);
        }
        // Density, Gamma and Pi mix with one and the same share.
        const double a = (s.at(Gamma, i, j, k) - 0.1953125) / (2.5 - 0.1953125);
        EXPECT_NEAR(s.at(Pi, i, j, k), (1 - a) * 4.099921875e8, 1e-3);
        if (!shocked) {
          EXPECT_NEAR(s.at(rho, i, j, k), a * 1.204 + (1 - a) * 1000, 1e-9);
        }
        gas += a * cell;
        density = std::max(density, s.at(rho, i, j, k));
      }
    }
  }
  EXPECT_EQ(s.at(Gamma, 24, 20, 20), 1 / (1.40 - 1));
  EXPECT_EQ(s.at(rho, 24, 20, 20), 1.204);
  EXPECT_EQ(s.at(Pi, 24, 20, 20), 0.0);
  // h = 25 um, e = sqrt(3) h; the volume of a smeared sphere.
  const double R = 125e-6, e = std::sqrt(3.0) * 25e-6;
  EXPECT_NEAR(gas / (4 * pi * (R * R * R / 3 + 2 * R * e * e * (0.5 - 4 / (pi * pi)))), 1, 1e-3);

  const auto notes = c.state.notes();
  ASSERT_EQ(notes.count("initial[1].shock"), 1u);
  for (const char* part : {"at x = 0.00025, ",
                           "density 1018.16389, velocity 26.7131762, pressure "
                           "40100000, sound speed 1517.47",
                           "; speed 1497.38839, Mach number 1.03335226"})
    EXPECT_NE(notes.at("initial[1].shock").find(part), std::string::npos) << part;
  const Reference& reference = c.state.reference();
  EXPECT_NEAR(reference.rho, 1018.16388547, 0.6e-8);
  EXPECT_NEAR(reference.u, 26.71317621, 0.6e-8);
  EXPECT_EQ(reference.p, 4.01e7);
  EXPECT_NEAR(reference.Gamma, 2.5, 1e-15);
  EXPECT_NEAR(reference.Pi, 4.099921875e8, 1e-6);
}

TEST(InitialState, DoesNotDependOnBoxesAndThreads) {
  const Case c(shocked_bubble("[37, 23, 29]") + R"toml([[initial]]
density = "900 + 1e5*x*sin(3e3*y)"
pressure = "2e5*(1 + x/1e-3)"
velocity = ["1e3*z", 0, "5"]
shape = { kind = "expression", inside = "0.3e-3 - abs(x - 1e-3) - y", smoothing = 2 }
)toml");
  const Values whole = evaluate(c, 1), threaded = evaluate(c, 3);
  EXPECT_EQ(whole.q, threaded.q);
  for (const Box& box : {Box{{0, 0, 0}, {37, 23, 1}}, Box{{9, 4, 7}, {11, 19, 29}},
                         Box{{36, 22, 28}, {37, 23, 29}}, Box{{0, 3, 14}, {30, 4, 15}}}) {
    const Values part = evaluate(c.state, box, 2);
    for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
      for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
        for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i)
          for (std::size_t q = 0; q < 7; ++q) ASSERT_EQ(part.at(q, i, j, k), whole.at(q, i, j, k));
  }
}

// The same one-dimensional problem along each axis has the same bits, also through a shock.
TEST(InitialState, AxesAreAlike) {
  const auto along = [](int axis) {
    const char* const names = "xyz";
    const std::string name(1, names[axis]);
    std::string cells = "[1, 1, 1]", velocity = "[0, 0, 0]";
    cells.replace(static_cast<std::size_t>(1 + 3 * axis), 1, "64");
    velocity.replace(static_cast<std::size_t>(1 + 3 * axis), 1, "\"0.1*sin(7*" + name + ")\"");
    return Case(
        head(cells, "[1, 1, 1]") + "[physics.fluids]\na = { gamma = 1.4 }\n" +
        "b = { gamma = 1.6, p_c = 2, density = 3 }\n[[initial]]\nfluid = \"a\"\ndensity = 1\n" +
        "pressure = 1\n[[initial]]\nshape = { kind = \"shock\", " + name +
        " = 0.8, side = \"upper\", mach = 1.3, smoothing = 1 }\n[[initial]]\n" +
        "shape = { kind = \"half_space\", " + name + " = 0.31, side = \"lower\" }\n" +
        "fluid = \"b\"\nvelocity = " + velocity + "\n");
  };
  const Values x = evaluate(along(0)), y = evaluate(along(1)), z = evaluate(along(2));
  for (const std::size_t q : {rho, p, Gamma, Pi}) {
    EXPECT_EQ(x.q[q], y.q[q]);
    EXPECT_EQ(x.q[q], z.q[q]);
  }
  EXPECT_EQ(x.q[u], y.q[v]);
  EXPECT_EQ(x.q[u], z.q[w]);
  // The shock runs to smaller x, and its fluid with it.
  EXPECT_LT(x.at(u, 63, 0, 0), -0.1);
  EXPECT_EQ(x.at(u, 40, 0, 0), 0);
  EXPECT_NEAR(x.at(p, 63, 0, 0), 1 + 2 * 1.4 / 2.4 * (1.69 - 1), 1e-12);
}

TEST(InitialState, SharpInterfacesAndUniformValues) {
  const Case c(head("[200, 1, 1]", "[1, 1, 1]") + R"toml([physics.fluids]
light = { gamma = 1.667, density = 0.1 }
heavy = { gamma = 1.4, density = 1.0 }
[[initial]]
fluid = "light"
pressure = 1
velocity = [1, 0, 0]
[[initial]]
fluid = "heavy"
shape = { kind = "box", lower = [0.25, 0, 0], upper = [0.75, 1, 1], smoothing = 0 }
)toml");
  const Values s = evaluate(c);
  for (std::int64_t i = 0; i < 200; ++i) {
    const bool inside = i >= 50 && i < 150;
    EXPECT_EQ(s.at(rho, i, 0, 0), inside ? 1.0 : 0.1);
    EXPECT_EQ(s.at(Gamma, i, 0, 0), inside ? 1 / (1.4 - 1) : 1 / (1.667 - 1));
    EXPECT_EQ(s.at(u, i, 0, 0), 1);
    EXPECT_EQ(s.at(p, i, 0, 0), 1);
  }
  EXPECT_EQ(c.state.reference().u, 1);
  EXPECT_EQ(c.state.state_at({0.3, 0.5, 0.5}).rho, 1);
  EXPECT_EQ(c.state.state_at({0.2, 0.5, 0.5}).rho, 0.1);
  EXPECT_EQ(c.state.state_at({0.0, 0.5, 0.5}).p, 1);
}

// Rayleigh's pressure around a bubble, a later entry in one that changes nothing but the pressure,
// and the fluid at rest.
TEST(InitialState, ExpressionsAndLaterEntries) {
  const Case c(head("[24, 24, 24]", "[4e-3, 4e-3, 4e-3]") + water_and_air + R"toml([constants]
R0 = 1e-3
[[initial]]
fluid = "water"
pressure = "1e5 + 9e5*(1 - R0/max(r, R0))"
[[initial]]
fluid = "air"
shape = { kind = "sphere", radius = "R0", centre = [0, 0, 0] }
[[initial]]
pressure = 3e5
shape = { kind = "box", lower = [3e-3, 3e-3, 3e-3], upper = [4e-3, 4e-3, 4e-3], smoothing = 0 }
)toml");
  const Values s = evaluate(c);
  EXPECT_EQ(c.state.reference().u, 0);
  EXPECT_EQ(s.at(p, 0, 0, 0), 1e5);
  EXPECT_EQ(s.at(Gamma, 0, 0, 0), 1 / (1.40 - 1));
  EXPECT_EQ(s.at(p, 23, 23, 23), 3e5);
  EXPECT_EQ(s.at(Gamma, 23, 23, 23), 1 / (6.12 - 1));
  EXPECT_EQ(s.at(rho, 23, 23, 23), 1000);
  // Far from the bubble the average is that of a smooth function: mean of 1/r over the cell.
  const double h = 4e-3 / 24;
  double mean = 0;
  for (int m = 0; m < 1000; ++m) {
    const double x = (15 + (m % 10 + 0.5) / 10) * h, y = (12 + (m / 10 % 10 + 0.5) / 10) * h,
                 z = (9 + (m / 100 + 0.5) / 10) * h;
    mean += 1e-3 / std::sqrt(x * x + y * y + z * z) / 1000;
  }
  EXPECT_NEAR(s.at(p, 15, 12, 9) / (1e5 + 9e5 * (1 - mean)), 1, 1e-6);
  // At a point.
  const PointState at = c.state.state_at({2e-3, 2e-3, 1e-3});
  EXPECT_NEAR(at.p, 1e5 + 9e5 * (1 - 1.0 / 3), 1e-6);
  EXPECT_EQ(at.rho, 1000);
  EXPECT_EQ(c.state.state_at({1e-4, 1e-4, 1e-4}).rho, 1.204);
}

TEST(InitialState, BubbleRowAndTwoDimensions) {
  const Case c(head("[160, 40, 1]", "[4e-3, 1e-3, 1e-3]") + water_and_air + R"toml([[initial]]
fluid = "water"
pressure = 1e5
[[initial]]
fluid = "air"
shape = { kind = "sphere_row", radius = 125e-6, count = 10, gap = 25e-6, first = [0.615e-3, 0.5e-3, 0], direction = "x" }
)toml");
  const Values s = evaluate(c);
  // Circles: the one cell along z does not cut them smaller. Their distance is 0.275 mm.
  double area = 0;
  for (const double g : s.q[Gamma]) area += (g - 0.1953125) / (2.5 - 0.1953125) * 25e-6 * 25e-6;
  // In two dimensions the smeared area is pi (R^2 + 2 e^2 (1/2 - 4/pi^2)).
  const double R = 125e-6, e = std::sqrt(3.0) * 25e-6;
  EXPECT_NEAR(area / (10 * pi * (R * R + 2 * e * e * (0.5 - 4 / (pi * pi)))), 1, 0.02);
  for (int n = 0; n < 10; ++n) {
    const auto i = static_cast<std::int64_t>((0.615e-3 + n * 0.275e-3) / 25e-6);
    EXPECT_EQ(s.at(rho, i, 20, 0), 1.204) << n;
    EXPECT_GT(s.at(rho, i + 6, 20, 0), 200) << n;
  }
}

TEST(InitialState, TheResolvedCaseGivesTheSame) {
  const Case c(shocked_bubble("[30, 20, 20]"));
  const Case again(c.input.resolved_toml());
  EXPECT_EQ(evaluate(c).q, evaluate(again).q);
  EXPECT_EQ(c.state.notes(), again.state.notes());
}

TEST(Fluids, ReadsNamesAndDerivesTheConstants) {
  const Case c(shocked_bubble("[30, 20, 20]"));
  ASSERT_EQ(c.fluids.size(), 2u);
  const auto sound_speed = [&](std::size_t fluid, double rho, double p) {
    return std::sqrt(c.fluids[fluid].gamma * (p + c.fluids[fluid].p_c) / rho);
  };
  EXPECT_EQ(c.fluids[0].name, "water");
  EXPECT_NEAR(c.fluids[0].Gamma(), 0.1953125, 1e-15);
  EXPECT_NEAR(c.fluids[0].Pi(), 4.099921875e8, 1e-6);
  EXPECT_NEAR(sound_speed(0, 1000, 1e5), 1449.06, 0.006);
  EXPECT_EQ(c.fluids[1].p_c, 0);
  EXPECT_EQ(c.fluids[1].Pi(), 0);
  EXPECT_NEAR(sound_speed(1, 1.204, 1e5), 341.00, 0.006);
  EXPECT_NEAR(sound_speed(1, 1.204, 101325), 343.25, 0.006);
}

}  // namespace multicomponent_initial_test
