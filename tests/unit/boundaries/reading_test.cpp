// The boundary conditions of a case: which condition a cell gets, what is prescribed, and every
// fault with its line. Lines of the cases count from the fixed head of case_text(), 10 lines.
#include <gtest/gtest.h>

#include "bounded_flow.hpp"

namespace watersmeet::multicomponent {
namespace {

const GridOfCase box{{8, 6, 4}, {0, 0, 0}, {4, 3, 2}};

Primitive<double> still(const Real3& x) { return gas(1.0 + 0.1 * x[1], 0.2, 1.0); }

std::string faults_of(const std::string& boundary, const GridOfCase& grid = box,
                      const StateAt& initial = still) {
  config::Input input = checked_input(boundary);
  const std::vector<Fluid> fluids = read_fluids(input);
  const BoundaryConditions conditions(input, fluids, {grid.geometry(), grid.cells},
                                      grid.axisymmetric);
  if (!input.has_faults()) conditions.check(input, cells_of(initial, grid.geometry()));
  return input.has_faults() ? input.faults_text() : "";
}

void expect_fault(const std::string& boundary, const std::vector<std::string>& words,
                  const GridOfCase& grid = box) {
  const std::string text = faults_of(boundary, grid);
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in\n" << text;
  }
  EXPECT_NE(text.find("1 error in"), std::string::npos) << text;
}

struct Tables {
  BoundaryConditions conditions;
  BoundaryTables tables;
  Tables(const std::string& boundary, const GridOfCase& grid, const Box& part,
         const StateAt& initial = still, const InternalScales& scales = {})
      : conditions(conditions_of(boundary, grid)),
        tables(conditions, cells_of(initial, grid.geometry()), part, Precision::double_, scales,
               Queue{}) {}
  BoundaryKind kind(int side, std::int64_t cell) const {
    const std::uint8_t* const kinds = tables.call().side[side].kind;
    return kinds == nullptr ? BoundaryKind::none : static_cast<BoundaryKind>(kinds[cell]);
  }
  double value(int side, int variable, std::int64_t cell) const {
    const BoundarySide& s = tables.call().side[side];
    return static_cast<const double*>(s.states)[variable * s.cells + cell];
  }
};
const Box whole{{0, 0, 0}, {8, 6, 4}};

TEST(BoundaryReading, SidesAreAbsorbingUnlessTheCaseSaysOtherwise) {
  const Tables t("", box, whole);
  for (int s = 0; s < 6; ++s) EXPECT_EQ(t.kind(s, 0), BoundaryKind::absorbing);
  EXPECT_EQ(t.conditions.periodic(), (std::array<bool, 3>{false, false, false}));
  EXPECT_FALSE(t.tables.depends_on_time());
}

TEST(BoundaryReading, ReadsBothSidesOrOneAndPeriodicAxes) {
  const Tables t(R"toml([boundary]
x_lower = "inflow"
x_upper = { kind = "nonreflecting", pressure = 3 }
y = "periodic"
z = "symmetry"
)toml",
                 box, whole);
  EXPECT_EQ(t.kind(0, 5), BoundaryKind::inflow);
  EXPECT_EQ(t.kind(1, 5), BoundaryKind::nonreflecting);
  EXPECT_EQ(t.kind(2, 0), BoundaryKind::none);
  EXPECT_EQ(t.kind(4, 0), BoundaryKind::reflecting);
  EXPECT_EQ(t.kind(5, 0), BoundaryKind::reflecting);
  EXPECT_EQ(t.conditions.periodic(), (std::array<bool, 3>{false, true, false}));
  // What is not given is the initial state in front of the face: row j of side x is at
  // y = (j + 1/2)/2.
  for (std::int64_t c = 0; c < 24; ++c) {
    const double y = (static_cast<double>(c % 6) + 0.5) * 0.5;
    EXPECT_DOUBLE_EQ(t.value(0, w_rho, c), 1 + 0.1 * y);
    EXPECT_DOUBLE_EQ(t.value(0, w_u, c), 0.2);
    EXPECT_DOUBLE_EQ(t.value(1, w_p, c), 3.0);
    EXPECT_DOUBLE_EQ(t.value(1, w_rho, c), 1 + 0.1 * y);
  }
}

// Every side has its own condition also where its partner or the sides read before it have others.
TEST(BoundaryReading, ASideBesideAMirrorKeepsItsOwn) {
  const Tables t(R"toml([boundary]
x_lower = "inflow"
y_lower = "symmetry"
z_lower = "reflecting"
z_upper = "nonreflecting"
)toml",
                 box, whole);
  const BoundaryKind expected[6] = {BoundaryKind::inflow,     BoundaryKind::absorbing,
                                    BoundaryKind::reflecting, BoundaryKind::absorbing,
                                    BoundaryKind::reflecting, BoundaryKind::nonreflecting};
  for (int s = 0; s < 6; ++s) EXPECT_EQ(t.kind(s, 0), expected[s]) << "side " << s;
}

TEST(BoundaryReading, FluidGivesDensityGammaAndPi) {
  const Tables t(R"toml([boundary]
y_upper = { kind = "inflow", fluid = "water", velocity = [0, "-x", "z"] }
)toml",
                 box, whole, still, {2.0, 10.0});
  const std::int64_t cell = 3 + 8 * 2;  // i = 3, k = 2: x = 1.75, z = 1.25
  EXPECT_DOUBLE_EQ(t.value(3, w_rho, cell), 10.0 / 2);
  EXPECT_DOUBLE_EQ(t.value(3, w_u, cell), 0.0);
  EXPECT_DOUBLE_EQ(t.value(3, w_v, cell), -1.75 / 10);
  EXPECT_DOUBLE_EQ(t.value(3, w_w, cell), 1.25 / 10);
  EXPECT_DOUBLE_EQ(t.value(3, w_p, cell), 1.0 / 200);
  EXPECT_DOUBLE_EQ(t.value(3, w_gamma, cell), 1.0 / 3);
  EXPECT_DOUBLE_EQ(t.value(3, w_pi, cell), 8.0 / 3 / 200);
}

TEST(BoundaryReading, APatchHasTheFacesWhoseCentresLieInItsBox) {
  // Centres along y: 0.25, 0.75 ... 2.75; along z: 0.25 ... 1.75.
  const Tables t(R"toml([boundary]
x_lower = "reflecting"
[[boundary.patch]]
side = "x_lower"
lower = [9, 0.75, 0]
upper = [9, 1.8, 1]
kind = "inflow"
velocity = [1, 0, 0]
[[boundary.patch]]
side = "x_lower"
lower = [0, 1.2, 0.5]
upper = [0, 1.3, 2]
kind = "absorbing"
)toml",
                 box, whole);
  for (std::int64_t k = 0; k < 4; ++k) {
    for (std::int64_t j = 0; j < 6; ++j) {
      BoundaryKind expected = BoundaryKind::reflecting;
      if (j >= 1 && j <= 3 && k <= 1) expected = BoundaryKind::inflow;
      if (j == 2 && k >= 1) expected = BoundaryKind::absorbing;
      EXPECT_EQ(t.kind(0, j + 6 * k), expected) << j << " " << k;
      if (expected == BoundaryKind::inflow) {
        EXPECT_EQ(t.value(0, w_u, j + 6 * k), 1.0);
      }
    }
  }
  EXPECT_EQ(t.kind(1, 0), BoundaryKind::absorbing);
}

TEST(BoundaryReading, APartHasItsOwnCellsOfTheSidesItTouches) {
  const std::string text = R"toml([boundary]
x_lower = { kind = "inflow", pressure = "1 + y + 10*z" }
z_upper = "reflecting"
[[boundary.patch]]
side = "x_lower"
lower = [0, 2, 1]
upper = [0, 3, 2]
kind = "absorbing"
)toml";
  const Tables all(text, box, whole);
  const Box part{{0, 3, 1}, {4, 6, 3}};
  const Tables mine(text, box, part);
  for (int s : {1, 2, 4, 5}) EXPECT_EQ(mine.kind(s, 0), BoundaryKind::none);
  EXPECT_EQ(mine.kind(3, 0), BoundaryKind::absorbing);
  for (std::int64_t k = 1; k < 3; ++k) {
    for (std::int64_t j = 3; j < 6; ++j) {
      const std::int64_t here = j - 3 + 3 * (k - 1), there = j + 6 * k;
      EXPECT_EQ(mine.kind(0, here), all.kind(0, there));
      for (int v = 0; v < n_variables; ++v) {
        EXPECT_EQ(mine.value(0, v, here), all.value(0, v, there));
      }
    }
  }
}

TEST(BoundaryReading, ValuesOfTimeAreTabulatedForEveryStage) {
  Tables t(R"toml([constants]
f = 3
[boundary]
x_lower = { kind = "inflow", velocity = ["0.1*sin(f*t) + y", 0, 0] }
)toml",
           box, whole);
  EXPECT_TRUE(t.tables.depends_on_time());
  exec::Clock clock;
  clock.t = 2;
  clock.dt = 0.5;
  clock.active = 1;
  t.tables.begin_step(&clock, Queue{});
  const std::vector<double> times = times_of(exec::UpdateForm::stored);
  for (const double fraction : times) {
    t.tables.set_stage(fraction, Queue{});
    EXPECT_NEAR(t.value(0, w_u, 1), 0.1 * std::sin(3 * (2 + 0.5 * fraction)) + 0.75, 1e-15);
    EXPECT_EQ(t.value(0, w_p, 1), 1.0);
  }
  clock.pending = 1;
  clock.t_end = 2.5;
  t.tables.set_now(&clock, Queue{});
  EXPECT_NEAR(t.value(0, w_u, 1), 0.1 * std::sin(7.5) + 0.75, 1e-15);
}

TEST(BoundaryReading, AStateThatLeavesTheEquationOfStateLaterEndsTheRun) {
  Tables t(R"toml([boundary]
y_lower = { kind = "inflow", pressure = "1 - t" }
)toml",
           box, whole);
  t.tables.set_time(0.5, Queue{});
  try {
    t.tables.set_time(1.5, Queue{});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::user_input);
    EXPECT_NE(std::string(e.what()).find("boundary.y_lower"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("t = 1.5"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("pressure -0.5"), std::string::npos) << e.what();
  }
}

TEST(BoundaryReading, AnAxisOfOneCellHasNoFaces) {
  const GridOfCase thin{{8, 1, 1}, {0, 0, 0}, {4, 3, 2}};
  const Tables t("[boundary]\ny = \"inflow\"\n", thin, {{0, 0, 0}, {8, 1, 1}});
  for (int s = 2; s < 6; ++s) EXPECT_EQ(t.kind(s, 0), BoundaryKind::none);
  EXPECT_EQ(t.conditions.periodic(), (std::array<bool, 3>{false, true, true}));
}

TEST(BoundaryReading, TheAxisOfAnAxisymmetricGridReflects) {
  const GridOfCase round{{8, 6, 1}, {0, 0, 0}, {4, 3, 2}, true};
  const Box part{{0, 0, 0}, {8, 6, 1}};
  EXPECT_EQ(Tables("", round, part).kind(2, 0), BoundaryKind::reflecting);
  EXPECT_EQ(Tables("", round, part).kind(3, 0), BoundaryKind::absorbing);
  EXPECT_EQ(Tables("[boundary]\ny_lower = \"symmetry\"\n", round, part).kind(2, 0),
            BoundaryKind::reflecting);
  expect_fault("[boundary]\ny_lower = \"absorbing\"\n", {":12:", "axis"}, round);
  expect_fault("[boundary]\ny = \"periodic\"\n", {":12:", "axis"}, round);
  expect_fault(
      "[[boundary.patch]]\nside = \"y_lower\"\nlower = [0,0,0]\nupper = [1,1,1]\nkind = "
      "\"inflow\"\n",
      {":12:", "axis"}, round);
}

TEST(BoundaryFaults, NameTheLine) {
  expect_fault("[boundary]\nx_lower = \"periodic\"\n",
               {":12:", "only the lower x side is periodic", "boundary.x = \"periodic\""});
  expect_fault("[boundary]\nx = \"reflecting\"\nx_upper = \"inflow\"\n",
               {":13:", "boundary.x_upper", "line 12", "remove one"});
  expect_fault("[boundary]\nz_upper = { kind = \"inflow\", fluid = \"watr\" }\n",
               {":12:", "watr", "did you mean `water`?"});
  expect_fault("[boundary]\nz_upper = { kind = \"inflow\", fluid = \"oil\" }\n",
               {":12:", "density of `oil`", "physics.fluids.oil.density"});
  expect_fault("[boundary]\nx_lower = { pressure = 2 }\n", {":12:", "kind"});
  expect_fault("[boundary]\nx_lower = { kind = \"reflecting\", pressure = 2 }\n",
               {":12:", "prescribes no state"});
  expect_fault("[boundary]\nx_lower = \"inflo\"\n", {":12:", "inflow"});
  expect_fault("[boundary]\nx_lower = { kind = \"inflow\", pressure = \"2*q\" }\n", {":12:", "q"});
}

TEST(BoundaryFaults, StatesOutsideTheEquationOfState) {
  expect_fault("[boundary]\nx_lower = { kind = \"inflow\", density = 0 }\n",
               {":12:", "density 0 is not positive"});
  expect_fault("[boundary]\nx_lower = { kind = \"nonreflecting\", pressure = -1 }\n",
               {":12:", "pressure -1 is not above -p_c = -0"});
  expect_fault("[boundary]\nx_lower = { kind = \"inflow\", fluid = \"water\", pressure = -2.5 }\n",
               {":12:", "pressure -2.5 is not above -p_c = -2"});
  EXPECT_EQ(faults_of("[boundary]\nx_lower = { kind = \"inflow\", fluid = \"water\", pressure = "
                      "-1.5 }\n"),
            "");
}

TEST(BoundaryFaults, Patches) {
  const auto patch = [](const std::string& side, const std::string& lower,
                        const std::string& upper) {
    return "[[boundary.patch]]\nside = \"" + side + "\"\nlower = " + lower + "\nupper = " + upper +
           "\nkind = \"inflow\"\n";
  };
  expect_fault(patch("x_lower", "[0, 0.3, 0]", "[0, 0.7, 2]"),
               {":14:", "covers no face", "along y", "0.25"});
  expect_fault(patch("x_lower", "[0, 2, 0]", "[0, 1, 2]"), {":14:", "covers no face"});
  expect_fault(patch("y_upper", "[0, 0, 0]", "[4, 3, 2]") + "[boundary.y]\nkind = \"periodic\"\n",
               {":12:", "periodic"});
  expect_fault(patch("z_upper", "[0, 0, 0]", "[4, 3, 2]"), {":12:", "one cell"},
               {{8, 6, 1}, {0, 0, 0}, {4, 3, 2}});
}

TEST(BoundaryFaults, AMirrorNeedsThreeCells) {
  const GridOfCase thin{{8, 2, 4}, {0, 0, 0}, {4, 3, 2}};
  expect_fault("[boundary]\ny_upper = \"reflecting\"\n", {":12:", "3 cells", "2 along y"}, thin);
  expect_fault("[boundary]\ny = \"symmetry\"\n", {":12:", "3 cells"}, thin);
  EXPECT_EQ(faults_of("[boundary]\ny = \"absorbing\"\n", thin), "");
}

}  // namespace
}  // namespace watersmeet::multicomponent
