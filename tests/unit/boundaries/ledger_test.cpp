// The ledger: wide counts, weights of the stages, and conservation to round-off of flows that come
// and go through open sides, on any number of ranks and across a restart.
#include "systems/multicomponent/boundary/ledger.hpp"
#include "core/math.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bounded_flow.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::multicomponent::ledger_test {
namespace {

__extension__ typedef __int128 Wide;
constexpr double pi = 3.14159265358979323846;

Wide value_of(const exec::WideCount& c) {
  return static_cast<Wide>(static_cast<std::int64_t>(c.high)) * (Wide{1} << 64) + c.low;
}

TEST(WideCount, CutsToWholeUnitsOfAnySize) {
  EXPECT_TRUE(value_of(exec::units_of(2.75, 1.0)) == 2);
  EXPECT_TRUE(value_of(exec::units_of(-2.75, 1.0)) == -2);
  EXPECT_TRUE(value_of(exec::units_of(0.0, 1.0)) == 0);
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-5, 119);
  for (int n = 0; n < 2000; ++n) {
    const double x = std::ldexp(mantissa(generator), exponent(generator));
    EXPECT_TRUE(value_of(exec::units_of(x, 1.0)) == static_cast<Wide>(x)) << x;
    EXPECT_TRUE(value_of(exec::units_of(x / 1024, 1024.0)) == static_cast<Wide>(x)) << x;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {nan, 1e300, -1e300}) {
    EXPECT_TRUE(value_of(exec::units_of(x, 1.0)) == 0);
  }
}

TEST(WideCount, AddsWithCarriesInAnyOrder) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(0, 110);
  std::vector<exec::WideCount> counts;
  Wide expected = 0;
  for (int n = 0; n < 1000; ++n) {
    counts.push_back(exec::units_of(std::ldexp(mantissa(generator), exponent(generator)), 1.0));
    expected += value_of(counts.back());
  }
  for (int order = 0; order < 3; ++order) {
    exec::WideCount sum;
    for (const exec::WideCount& c : counts) sum = exec::sum_of(sum, c);
    EXPECT_TRUE(value_of(sum) == expected);
    std::shuffle(counts.begin(), counts.end(), generator);
  }
}

// c_s = sum_{m >= s} beta_m prod_{l = s+1..m} alpha_l; 1/6, 1/6, 2/3 of SSP-RK3. Their sum is 1.
TEST(StageWeights, AreThoseOfTheScheme) {
  const double alpha[3] = {0, -17.0 / 32, -32.0 / 27}, beta[3] = {1.0 / 4, 8.0 / 9, 3.0 / 4};
  for (const auto form : {exec::UpdateForm::stored, exec::UpdateForm::two}) {
    const std::vector<double> weights = stage_weights(updates_of(form), Precision::double_);
    for (std::size_t s = 0; s < 3; ++s) {
      double expected = 0;
      for (std::size_t m = s; m < 3; ++m) {
        double product = beta[m];
        for (std::size_t l = s + 1; l <= m; ++l) product *= alpha[l];
        expected += product;
      }
      EXPECT_NEAR(weights[s], expected, 1e-15);
    }
    EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1.0, 1e-15);
  }
  const std::vector<double> ssp =
      stage_weights(updates_of(exec::UpdateForm::base), Precision::double_);
  EXPECT_NEAR(ssp[0], 1.0 / 6, 1e-15);
  EXPECT_NEAR(ssp[1], 1.0 / 6, 1e-15);
  EXPECT_NEAR(ssp[2], 2.0 / 3, 1e-15);
  // In single precision the coefficients are those that the loops use.
  const std::vector<exec::StageUpdate<double>> euler = {
      {exec::UpdateForm::stored, 0, 0.1, false, false, true}};
  EXPECT_EQ(stage_weights(euler, Precision::single_)[0], double(0.1f));
  EXPECT_EQ(stage_weights(euler, Precision::double_)[0], 0.1);
}

// Gas behind a shock pours in from the left over a gas at rest with a slab of a stiff fluid in it;
// the right end is open.
Primitive<double> shock_tube(const Real3& x) {
  if (x[0] < 0.3) return gas(1.37, 0.39, 1.57);
  Primitive<double> w = gas(1.0, 0, 1.0);
  if (x[0] > 0.5 && x[0] < 0.7) w = gas(3.0, 0, 1.0, 4.0, 2.0);
  return w;
}

// Largest of |now + left - before| / before over mass, momentum along x (in units of mass) and
// energy; and what passed, in the same units.
struct Drift {
  double balanced = 0, raw = 0;
};
Drift drift_of(BoundedFlow& flow, int steps, double dt) {
  const Amounts before = flow.amounts();
  for (int s = 0; s < steps; ++s) flow.step(dt);
  const Amounts now = flow.amounts(), left = flow.outflow();
  Drift drift;
  for (std::size_t v = 0; v < n_conserved; ++v) {
    const double unit = v == s_energy ? before[s_energy] : before[s_rho];
    EXPECT_TRUE(std::isfinite(now[v]));
    drift.balanced = max_or_nan(drift.balanced, std::abs(now[v] + left[v] - before[v]) / unit);
    if (v == s_rho) drift.raw = std::abs(now[v] - before[v]) / unit;
  }
  return drift;
}

const std::string tube = "[boundary]\nx_lower = \"inflow\"\nx_upper = \"absorbing\"\n";

TEST(Ledger, AccountsForWhatTheShockTubeTakesInAndLetsOut) {
  const GridOfCase grid{{100, 1, 1}};
  for (const bool split : {false, true}) {
    for (const auto form :
         {exec::UpdateForm::stored, exec::UpdateForm::two, exec::UpdateForm::base}) {
      FlowChoices choices;
      choices.split = split;
      choices.form = form;
      BoundedFlow flow(tube, grid, shock_tube, choices);
      const Drift drift = drift_of(flow, 400, 0.002);
      EXPECT_GT(drift.raw, 0.05);
      EXPECT_LT(drift.balanced, 1e-13) << "split " << split << " form " << static_cast<int>(form);
    }
  }
}

TEST(Ledger, SeesTheFluxesOfEveryScheme) {
  const GridOfCase grid{{60, 1, 1}};
  for (const auto riemann : {Riemann::hllc, Riemann::hllc_lm, Riemann::hll, Riemann::rusanov}) {
    for (const auto reconstruction :
         {Reconstruction::weno5_z, Reconstruction::weno3, Reconstruction::first_order}) {
      FlowChoices choices;
      choices.variant = Variant::general;
      choices.split = true;
      choices.parameters.riemann = riemann;
      choices.parameters.reconstruction = reconstruction;
      choices.parameters.faces_source = riemann == Riemann::hllc;
      choices.parameters.positivity = Positivity::scaling;
      BoundedFlow flow(tube, grid, shock_tube, choices);
      const Drift drift = drift_of(flow, 250, 0.003);
      EXPECT_GT(drift.raw, 0.05);
      EXPECT_LT(drift.balanced, 1e-13);
    }
  }
  FlowChoices choices;
  choices.variant = Variant::z;
  choices.split = true;
  FlowParameters<double>& p = choices.parameters;
  p.compaction = true;
  p.gamma_g = 2.5, p.gamma_l = 1.0 / 3, p.pi_g = 0, p.pi_l = 8.0 / 3, p.p_c_g = 0, p.p_c_l = 2;
  BoundedFlow flow(tube, grid, shock_tube, choices);
  EXPECT_LT(drift_of(flow, 250, 0.003).balanced, 1e-13);
}

TEST(Ledger, InSinglePrecisionToItsRoundOff) {
  for (const auto form : {exec::UpdateForm::stored, exec::UpdateForm::base}) {
    FlowChoices choices;
    choices.precision = Precision::single_;
    choices.split = true;
    choices.form = form;
    BoundedFlow flow(tube, {{100, 1, 1}}, shock_tube, choices);
    const Drift drift = drift_of(flow, 400, 0.002);
    EXPECT_GT(drift.raw, 0.05);
    EXPECT_LT(drift.balanced, 2e-6);
  }
}

// Every kind at once, on all six sides.
const std::string mixed = R"toml([boundary]
x_lower = { kind = "inflow", velocity = ["0.3 + 0.1*sin(8*t)", 0, 0.05] }
x_upper = { kind = "nonreflecting", pressure = 0.9 }
y_lower = "reflecting"
y_upper = "absorbing"
z_lower = "nonreflecting"
z_upper = "symmetry"
[[boundary.patch]]
side = "y_lower"
lower = [0, 0, 0]
upper = [0.5, 0, 0.5]
kind = "inflow"
velocity = [0, 0.2, 0]
)toml";
Primitive<double> blobs(const Real3& x) {
  Primitive<double> w = gas(1 + 0.3 * std::sin(7 * x[0] + 3 * x[1]), 0.2 * std::cos(5 * x[2]),
                            1 + 0.2 * std::cos(6 * x[1] - x[2]));
  w[w_v] = 0.3 * std::sin(4 * x[0]);
  w[w_w] = -0.2 * std::cos(3 * x[1]);
  const double share = 0.5 + 0.5 * std::tanh(30 * (0.2 - std::hypot(x[0] - 0.6, x[1] - 0.4)));
  w[w_gamma] = 2.5 - 2 * share;
  w[w_pi] = 2 * share;
  return w;
}
const GridOfCase block{{14, 12, 13}, {0, 0, 0}, {1, 1, 1}};

TEST(Ledger, BalancesAllKindsOnAllSides) {
  for (const bool split : {false, true}) {
    FlowChoices choices;
    choices.split = split;
    BoundedFlow flow(mixed, block, blobs, choices);
    const Drift drift = drift_of(flow, 30, 0.008);
    EXPECT_GT(drift.raw, 1e-3);
    EXPECT_LT(drift.balanced, 1e-13);
  }
}

TEST(Ledger, GivesTheSameBitsOnAnyNumberOfRanks) {
  const auto run = [](int ranks, const std::vector<mesh::Part>& parts) {
    Amounts result{};
    test::ThreadTeam::run(ranks, [&](comm::Communicator& world) {
      BoundedFlow flow(mixed, block, blobs, {}, &world, parts);
      for (int s = 0; s < 4; ++s) flow.step(0.008);
      const Amounts out = flow.outflow();
      if (world.rank() == 0) result = out;
    });
    return result;
  };
  const Amounts one = run(1, {{0, {{0, 0, 0}, {14, 12, 13}}, 0}});
  EXPECT_NE(one[0], 0.0);
  EXPECT_EQ(one, run(2, {{0, {{0, 0, 0}, {14, 12, 6}}, 0}, {0, {{0, 0, 6}, {14, 12, 13}}, 1}}));
  EXPECT_EQ(one, run(3, {{0, {{0, 0, 0}, {14, 5, 13}}, 0},
                         {0, {{0, 5, 0}, {8, 12, 13}}, 1},
                         {0, {{8, 5, 0}, {14, 12, 13}}, 2}}));
}

TEST(Ledger, SurvivesARestartExactly) {
  BoundedFlow straight(mixed, block, blobs), stopped(mixed, block, blobs);
  for (int s = 0; s < 3; ++s) {
    straight.step(0.008);
    stopped.step(0.008);
  }
  std::map<std::string, double> numbers;
  stopped.ledger.save(numbers, stopped.world(), stopped.queue());
  EXPECT_NE(numbers.at("ledger_mass_2"), 0.0);
  // Another reference: the units of the checkpoint count.
  stopped.ledger = Ledger({7, 7, 7, 7, 7}, 1.0 / (14 * 12 * 13),
                          stage_weights(updates_of(exec::UpdateForm::stored), Precision::double_),
                          stopped.queue());
  stopped.ledger.restore_scalars(numbers, stopped.queue());
  EXPECT_EQ(straight.outflow(), stopped.outflow());
  for (int s = 0; s < 3; ++s) {
    straight.step(0.008);
    stopped.step(0.008);
  }
  EXPECT_EQ(straight.outflow(), stopped.outflow());
}

TEST(Ledger, CountsNothingInAStepThatIsNotCarriedOut) {
  BoundedFlow flow(tube, {{20, 1, 1}}, shock_tube);
  flow.fill();
  EXPECT_EQ(flow.outflow(), Amounts{});
}

// Axisymmetric: what leaves through a cylinder of radius r in a uniform outflow v is 2 pi r rho v a
// length and time; with volumes in units of 2 pi h_x h_r^2 (r/h).
TEST(Ledger, WeighsAreasWithTheRadius) {
  GridOfCase grid{{4, 5, 1}, {0, 0, 0}, {2, 2.5, 1}, true};
  FlowChoices choices;
  choices.variant = Variant::general;
  Primitive<double> w =
      gas(2.0, 3.0, 1.0);  // supersonic along the axis: absorbing passes it exactly
  BoundedFlow flow(
      "", grid, [&](const Real3&) { return w; }, choices);
  const double h = 0.5;
  flow.ledger =
      Ledger({1, 1, 1, 1, 1}, 2 * pi * h * h * h,
             stage_weights(updates_of(exec::UpdateForm::stored), Precision::double_), flow.queue());
  flow.step(0.01);
  const double disc = pi * 2.5 * 2.5;
  const Amounts out = flow.outflow();
  EXPECT_NEAR(out[s_rho], 0, 1e-13 * disc);  // in at one end, out at the other
  EXPECT_NEAR(out[s_mx], 0, 1e-12 * disc);
  // The pressure on the mantle, 2 pi r L p dt.
  EXPECT_NEAR(out[s_my], 2 * pi * 2.5 * 2.0 * 1.0 * 0.01, 1e-12);
}

}  // namespace
}  // namespace watersmeet::multicomponent::ledger_test
