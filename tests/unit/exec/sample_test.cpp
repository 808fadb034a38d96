// Reductions and packed evaluation on the CPU: sums against long double, maxima exactly, NaN of any
// cell kept, no dependence on threads; every output quantity against the reference.
#include "exec/reduce_cpu.hpp"

#include <cstring>

#include "isothermal_problem.hpp"

using namespace watersmeet;
using namespace watersmeet::isothermal;

namespace {
// Sum of l, sum of u_x^2; maxima of l and of -l.
struct Moments {
  static constexpr int sums = 2, maxima = 2, extra_index = -1;
  template <class S>
  exec::Sample<typename S::value_type, 2, 2> operator()(const S& s) const {
    const auto l = s(lnrho, 0, 0, 0), u = s(ux, 0, 0, 0);
    return {{{l, u * u}}, {{l, -l}}};
  }
};
template <class R>
exec::CellArrays<R> arrays(const Problem<R>& p) {
  const BlockLayout& l = p.state.layout(0);
  exec::CellArrays<R> a;
  a.in = static_cast<const R*>(p.state.start(0)) + l.first;
  a.stride_j = l.stride[1];
  a.stride_k = l.stride[2];
  a.stride_var = l.stride_var;
  for (std::size_t i = 0; i < 3; ++i) a.upper[i] = static_cast<int>(l.n[i]);
  return a;
}
template <class R>
void reduce(const Problem<R>& p, double* results, int threads) {
  const auto self = comm::make_self();
  comm::reduce_exactly(
      *self, 2, 2, p.mesh.block(0).interior().count(),
      [&](double* largest) {
        exec::measure(exec::OnCpu{}, arrays(p), Moments{}, largest, Queue{.threads = threads});
      },
      [&](const exec::SumScale* scales, std::int64_t* high_low) {
        exec::count(exec::OnCpu{}, arrays(p), Moments{}, scales, high_low,
                    Queue{.threads = threads});
      },
      results);
}
}  // namespace

template <class R>
class Sampling : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Sampling, Precisions);

TYPED_TEST(Sampling, SumsAndMaximaOfAwkwardBoxes) {
  using R = TypeParam;
  for (const Index3& n : awkward_sizes) {
    Problem<R> p(n);
    Real sum = 0, sum_abs = 0, squares = 0;
    R highest = -1, lowest = 1;
    p.reference.for_cells([&](const Index3& at) {
      const R l = p.cell(0, 0, at), u = p.cell(0, 1, at), u2 = u * u;
      sum += l;
      sum_abs += std::fabs(Real(l));
      squares += u2;
      highest = std::max(highest, l);
      lowest = std::min(lowest, l);
    });
    double one[4];
    for (int threads = 1; threads <= 4; ++threads) {
      double r[4];
      reduce(p, r, threads);
      EXPECT_NEAR(r[0], double(sum), 1e-14 * double(sum_abs));
      EXPECT_NEAR(r[1] / double(squares), 1.0, 1e-14);
      EXPECT_EQ(r[2], double(highest));
      EXPECT_EQ(r[3], double(-lowest));
      if (threads == 1) std::memcpy(one, r, sizeof(r));
      EXPECT_EQ(std::memcmp(one, r, sizeof(r)), 0) << threads;
    }
  }
}

TYPED_TEST(Sampling, NanOfAnyCellReachesSumAndMaximumAndGhostsDoNot) {
  using R = TypeParam;
  const Index3 n = {13, 3, 2};
  Problem<R> p(n);
  p.exchange.poison(p.state, 0, p.queue);
  double clean[4];
  reduce(p, clean, 2);
  for (const double x : clean) EXPECT_TRUE(std::isfinite(x));
  p.reference.for_cells([&](const Index3& at) {
    const R kept = p.cell(0, 0, at);
    p.cell(0, 0, at) = std::numeric_limits<R>::quiet_NaN();
    double r[4];
    reduce(p, r, 2);
    EXPECT_TRUE(std::isnan(r[0]) && std::isnan(r[2]) && std::isnan(r[3]))
        << at[0] << at[1] << at[2];
    EXPECT_EQ(r[1], clean[1]);
    p.cell(0, 0, at) = kept;
  });
}

TYPED_TEST(Sampling, DiagnosticsMatchTheReference) {
  using R = TypeParam;
  for (const Index3& n : awkward_sizes) {
    Physics physics;
    physics.viscosity = 0.3;
    physics.bulk_viscosity = 0.2;
    physics.reference_density = 1.7;
    Problem<R> p(n, physics, 2);
    p.add_acceleration();
    Real sum[n_sums] = {}, size[n_sums] = {}, fastest = 0, densest = 0, thinnest = 9;
    const Reference& f = p.reference;
    f.for_cells([&](const Index3& at) {
      const Real rho = 1.7L * std::exp(f.value(0, at));
      Real u[3], g[3][3], speed2 = 0, work = 0, strain = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        u[i] = f.value(static_cast<int>(i) + 1, at);
        speed2 += u[i] * u[i];
        work += rho * u[i] * f.force(at)[i];
        for (std::size_t j = 0; j < 3; ++j) g[i][j] = f.first(static_cast<int>(i) + 1, at, j);
      }
      const Real div = g[0][0] + g[1][1] + g[2][2];
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const Real s = (g[i][j] + g[j][i]) / 2 - (i == j ? div / 3 : Real(0));
          strain += s * s;
        }
      }
      const Real curl[3] = {g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]};
      const Real terms[n_sums] = {rho,
                                  rho * u[0],
                                  rho * u[1],
                                  rho * u[2],
                                  u[0] * u[0],
                                  u[1] * u[1],
                                  u[2] * u[2],
                                  rho * speed2 / 2,
                                  rho * (2 * 0.3L * strain + 0.2L * div * div),
                                  (curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]) / 2,
                                  u[0] * curl[0] + u[1] * curl[1] + u[2] * curl[2],
                                  work};
      for (int v = 0; v < n_sums; ++v) {
        sum[v] += terms[v];
        size[v] += std::fabs(terms[v]) + 0.01L;
      }
      fastest = std::max(fastest, std::sqrt(speed2));
      densest = std::max(densest, rho);
      thinnest = std::min(thinnest, rho);
    });
    const std::vector<double> r = p.diagnose(Method::points55);
    const double tolerance = 50 * std::numeric_limits<R>::epsilon();
    for (int v = 0; v < n_sums; ++v)
      EXPECT_NEAR(r[std::size_t(v)], double(sum[v]), tolerance * double(size[v])) << v;
    EXPECT_NEAR(r[std::size_t(n_sums + max_speed)], double(fastest), tolerance);
    EXPECT_NEAR(r[std::size_t(n_sums + max_rho)], double(densest), tolerance);
    EXPECT_NEAR(-r[std::size_t(n_sums + max_minus_rho)], double(thinnest), tolerance);
  }
}

TYPED_TEST(Sampling, PackedQuantitiesMatchTheReferenceInOrder) {
  using R = TypeParam;
  for (const Index3& n : awkward_sizes) {
    Physics physics;
    physics.sound_speed = 1.3;
    physics.reference_density = 0.6;
    physics.viscosity = 0.3;
    physics.bulk_viscosity = 0.1;
    Problem<R> p(n, physics, 2);
    const Reference& f = p.reference;
    Real gradient2 = 0;  // of the velocity; rounding of its products is measured by it
    const auto expected = [&](Quantity q, const Index3& at) -> std::vector<Real> {
      const Real l = f.value(0, at), u = f.value(1, at), v = f.value(2, at), w = f.value(3, at);
      Real g[3][3], product = 0, strain2 = 0;  // d u_i/dx_j; g_ij g_ji; S:S with the trace
      gradient2 = 0;
      for (int i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) g[i][j] = f.first(i + 1, at, j);
      }
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          gradient2 += g[i][j] * g[i][j];
          product += g[i][j] * g[j][i];
          strain2 += (g[i][j] + g[j][i]) * (g[i][j] + g[j][i]) / 4;
        }
      }
      const Real div = g[0][0] + g[1][1] + g[2][2];
      const Real curl[] = {g[2][1] - g[1][2], g[0][2] - g[2][0], g[1][0] - g[0][1]};
      switch (q) {
        case Quantity::rho:
          return {0.6L * std::exp(l)};
        case Quantity::lnrho:
          return {l};
        case Quantity::velocity:
          return {u, v, w};
        case Quantity::speed:
          return {std::sqrt(u * u + v * v + w * w)};
        case Quantity::pressure:
          return {1.69L * 0.6L * std::exp(l)};
        case Quantity::vorticity:
          return {f.first(3, at, 1) - f.first(2, at, 2), f.first(1, at, 2) - f.first(3, at, 0),
                  f.first(2, at, 0) - f.first(1, at, 1)};
        case Quantity::divergence:
          return {f.divergence_at(at)};
        case Quantity::mach:
          return {std::sqrt(u * u + v * v + w * w) / 1.3L};
        case Quantity::dissipation:
          return {0.6L * std::exp(l) * (2 * 0.3L * (strain2 - div * div / 3) + 0.1L * div * div)};
        case Quantity::enstrophy:
          return {(curl[0] * curl[0] + curl[1] * curl[1] + curl[2] * curl[2]) / 2};
        case Quantity::helicity:
          return {u * curl[0] + v * curl[1] + w * curl[2]};
        case Quantity::q_criterion:
          return {-product / 2};
        case Quantity::count:
          break;
      }
      return {};
    };
    for (int q = 0; q < static_cast<int>(Quantity::count); ++q) {
      const auto quantity = static_cast<Quantity>(q);
      const std::size_t components = expected(quantity, {0, 0, 0}).size();
      const std::size_t values = components * f.f[0].size();
      std::vector<R> packed(values + 64, R(-9));
      p.loops(Method::points55, false)
          ->evaluate(p.launch(Method::points55), static_cast<int>(quantity),
                     static_cast<int>(components), packed.data());
      std::size_t i = 0;
      f.for_cells([&](const Index3& at) {
        for (const Real x : expected(quantity, at)) {
          const double scale = quantity >= Quantity::dissipation ? double(1 + gradient2) : 1.0;
          ASSERT_NEAR(packed[i++], double(x), 40 * scale * std::numeric_limits<R>::epsilon())
              << q << " at " << i;
        }
      });
      for (; i < packed.size(); ++i) ASSERT_EQ(packed[i], R(-9));  // nothing behind the last cell
    }
  }
}
