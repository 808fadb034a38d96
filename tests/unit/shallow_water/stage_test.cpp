// The loops of the face form on a plane against a naive one, cell by cell, that makes every edge
// and record again: the same bits, for packs and scalars, whatever the tiles, on awkward sizes.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "exec/plane_cpu.hpp"
#include "systems/shallow_water/flow.hpp"

using namespace watersmeet;
using namespace watersmeet::shallow_water;

namespace {

// Registers of random water with two ghost layers, and a bed.
template <class R>
struct Water {
  int n[2];
  std::int64_t pitch, plane;
  std::vector<R> in, out, old, bed;

  Water(int nx, int ny, bool dry, unsigned seed) : n{nx, ny} {
    pitch = nx + 64;
    plane = pitch * (ny + 4);
    std::mt19937 generator(seed);
    std::uniform_real_distribution<R> uniform(R(-1), R(1));
    for (std::vector<R>* v : {&in, &out, &old})
      v->assign(static_cast<std::size_t>(3 * plane + 64), R(0));
    bed.assign(static_cast<std::size_t>(plane + 64), R(-1));
    for (std::int64_t p = 0; p < plane; ++p) {
      const std::size_t at = static_cast<std::size_t>(p);
      const std::size_t size = static_cast<std::size_t>(plane);
      bed[at] = R(0.4) * uniform(generator);
      const R h = dry ? std::max(R(0), uniform(generator)) : R(1) + R(0.3) * uniform(generator);
      for (std::vector<R>* v : {&in, &old}) {
        (*v)[at] = bed[at] + h;
        (*v)[size + at] = h * R(0.5) * uniform(generator);
        (*v)[2 * size + at] = h * R(0.5) * uniform(generator);
      }
    }
  }
  exec::CellArrays<R> arrays() {
    exec::CellArrays<R> a;
    const std::int64_t first = (n[1] > 1 ? 2 * pitch : 0) + 16;
    a.in = in.data() + first;
    a.out = out.data() + first;
    a.increment = old.data() + first;
    a.extra = bed.data() + first;
    a.stride_j = n[1] > 1 ? pitch : 0;
    a.stride_var = plane;
    a.upper[0] = n[0];
    a.upper[1] = n[1];
    a.upper[2] = 1;
    return a;
  }
};

template <class R, class Scheme>
R naive_stage(const exec::CellArrays<R>& a, const exec::StageUpdate<R>& update,
              const Scheme& scheme, R dt) {
  using Edge = Vec<R, Scheme::edge_values>;
  const auto element = [&](int i, int j) { return i + j * a.stride_j; };
  const auto stored = [&](int i, int j) {
    Conserved<R> s;
    for (int v = 0; v < n_variables; ++v) s[v] = a.in[v * a.stride_var + element(i, j)];
    return s;
  };
  const auto state = [&](int i, int j) {
    return scheme.template state<R>(stored(i, j), a.extra[element(i, j)]);
  };
  R signal = R(0);
  for (int j = 0; j < a.upper[1]; ++j) {
    for (int i = 0; i < a.upper[0]; ++i) {
      Vec<R, Scheme::rates> gain[2] = {};
      const auto along = [&]<int axis>() {
        const auto edges = [&](int m) {
          const int ci = axis == 0 ? i + m : i, cj = axis == 1 ? j + m : j;
          return scheme.template edges<axis, R>([&](int v, int near, int beside) {
            return axis == 0 ? state(ci + near, cj + beside)[v] : state(ci + beside, cj + near)[v];
          });
        };
        const schemes::EdgeValues<Edge> own = edges(0);
        const auto lower = scheme.template flux<axis, R>(edges(-1).upper, own.lower, dt);
        const auto upper = scheme.template flux<axis, R>(own.upper, edges(1).lower, dt);
        gain[axis] = scheme.template gain<axis, R>(lower, upper, scheme.template keep<R>(own));
      };
      if (scheme.active(0)) along.template operator()<0>();
      if (scheme.active(1)) along.template operator()<1>();
      Conserved<R> value;
      Vec<R, Scheme::rates> rate;
      for (int v = 0; v < Scheme::rates; ++v) rate[v] = gain[0][v] + gain[1][v];
      scheme.template add_sources<R>(rate, state(i, j), stored(i, j), {i, j, 0}, dt);
      const R bed = a.extra[element(i, j)];
      for (int v = 0; v < n_variables; ++v) {
        const R old = update.read_old ? a.increment[v * a.stride_var + element(i, j)] : R(0);
        value[v] = exec::advance_value(update, stored(i, j)[v], old, rate[v], dt).value;
      }
      scheme.template settle<R>(value, bed);
      if (update.last) signal = max_or_nan(signal, scheme.template finish<R>(value, bed));
      for (int v = 0; v < n_variables; ++v) a.out[v * a.stride_var + element(i, j)] = value[v];
    }
  }
  return signal;
}

template <class R, Traits traits>
void compare(int choice) {
  constexpr bool dry = traits.wet_dry;
  const int sizes[][2] = {{1, 7}, {7, 1}, {3, 2}, {8, 8}, {17, 5}, {37, 23}, {5, 67}, {130, 9}};
  for (const auto& n : sizes) {
    SCOPED_TRACE(testing::Message() << n[0] << " x " << n[1] << ", choice " << choice);
    Flow<R, traits> flow;
    flow.p.gravity = R(9.81);
    for (int a = 0; a < 2; ++a) flow.mesh.inverse_spacing[a] = n[a] > 1 ? R(3 + a) : R(0);
    flow.p.kappa = schemes::kappa_weights<R>(R(1) / R(3), R(-1) / R(24));
    flow.p.limiter = choice == 2   ? schemes::Limiter::van_leer
                     : choice == 4 ? schemes::Limiter::tvd
                                   : schemes::Limiter::none;
    flow.p.riemann = choice == 2 ? Riemann::hllc : Riemann::osher;
    flow.p.dry_depth = dry ? R(1e-4) : R(0);
    flow.mesh.coriolis_first = R(0.1);
    flow.mesh.coriolis_step = R(0.01);
    flow.p.friction = {R(0.01), R(0.02), R(0.03)};
    Water<R> expected(n[0], n[1], dry, 11u + unsigned(choice));
    const exec::StageUpdate<R> update = {.form = exec::UpdateForm::base,
                                         .a = R(1) / R(3),
                                         .b = R(2) / R(3),
                                         .read_old = true,
                                         .write_increment = false,
                                         .last = true};
    const R dt = R(0.02), signal = naive_stage(expected.arrays(), update, flow, dt);
    for (int way = 0; way < 4; ++way) {
      Water<R> mine(n[0], n[1], dry, 11u + unsigned(choice));
      exec::Clock clock;
      clock.active = 1;
      clock.dt = double(dt);
      const exec::PlaneTilesCpu tiles =
          way < 2 ? exec::PlaneTilesCpu{} : exec::PlaneTilesCpu{16, 3};
      if (way % 2 == 0) {
        exec::plane_stage(exec::OnCpu{}, mine.arrays(), update, flow, &clock,
                          Queue{.threads = 1 + way}, tiles);
      } else {
        exec::plane_stage_cpu_as<R>(mine.arrays(), update, flow, &clock, way, tiles);
      }
      EXPECT_EQ(mine.out, expected.out) << way;
      EXPECT_EQ(exec::bits_to_double(clock.signal_bits), double(signal)) << way;
    }
  }
}

}  // namespace

template <class T>
class PlaneStage : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(PlaneStage, Precisions);

TYPED_TEST(PlaneStage, NinePointsHaveTheBitsOfTheNaiveLoop) { compare<TypeParam, Traits{}>(0); }
TYPED_TEST(PlaneStage, ThirteenPointsHaveThem) {
  compare<TypeParam, Traits{.transverse = true}>(1);
}
TYPED_TEST(PlaneStage, SoHaveLimitersDryCellsAndBoth) {
  for (const int choice : {0, 2, 4}) {
    compare<TypeParam, Traits{.general = true}>(choice);
    compare<TypeParam, Traits{.general = true, .transverse = true}>(choice);
    compare<TypeParam, Traits{.general = true, .wet_dry = true}>(choice);
    compare<TypeParam, Traits{.general = true, .transverse = true, .wet_dry = true}>(choice);
  }
}
