// Forms of the stage update: each against its formula, and the three storage forms of a whole step
// against each other and against the textbook recurrence.
#include "isothermal_problem.hpp"
#include "schemes/tableau.hpp"

using namespace watersmeet;
using namespace watersmeet::isothermal;

template <class R>
class Update : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Update, Precisions);

TYPED_TEST(Update, EveryFormFollowsItsFormula) {
  using R = TypeParam;
  const Real a = 0.625L, b = 0.75L, dt = 0.5L;  // exact in both precisions
  const double tolerance = 100 * std::numeric_limits<R>::epsilon();
  for (const Index3& n : awkward_sizes) {
    for (const auto form : {exec::UpdateForm::two, exec::UpdateForm::stored}) {
      for (int flags = 0; flags < 8; ++flags) {
        const bool read_old = flags & 1, write_increment = flags & 2, last = flags & 4;
        SCOPED_TRACE(testing::Message()
                     << "form " << int(form) << " flags " << flags << " n " << n[0]);
        Problem<R> p(n);
        const std::vector<char> increment_before = p.bytes(2);
        std::vector<State4> expected, expected_increment;
        p.reference.for_cells([&](const Index3& at) {
          const State4 rhs = p.reference.right_hand_side(Method::points55, at);
          State4 q{}, w{};
          for (std::size_t v = 0; v < 4; ++v) {
            const int var = static_cast<int>(v);
            const Real u = p.cell(0, var, at), out = p.cell(1, var, at), old = p.cell(2, var, at);
            if (form == exec::UpdateForm::two) {
              q[v] = u + (read_old ? a * (u - out) : 0.0L) + b * dt * rhs[v];
              w[v] = old;
            } else {
              w[v] = (read_old ? a * old : 0.0L) + dt * rhs[v];
              q[v] = u + b * w[v];
              if (!write_increment) w[v] = old;
            }
          }
          expected.push_back(q);
          expected_increment.push_back(w);
        });
        // What is not to be read may hold anything.
        const R poison = std::numeric_limits<R>::quiet_NaN();
        const bool writes = form == exec::UpdateForm::stored && write_increment;
        if (!read_old || form == exec::UpdateForm::stored) {
          p.reference.for_cells([&](const Index3& at) {
            for (int v = 0; v < 4; ++v) p.cell(1, v, at) = poison;
          });
        }
        exec::Launch c = p.launch(Method::points55);
        if (form == exec::UpdateForm::two) c.registers.increment = nullptr;
        c.update = {form, double(a), double(b), read_old, write_increment, last};
        p.run(Method::points55, false, c);
        std::size_t i = 0;
        p.reference.for_cells([&](const Index3& at) {
          for (std::size_t v = 0; v < 4; ++v) {
            ASSERT_NEAR(p.cell(1, static_cast<int>(v), at), double(expected[i][v]), tolerance);
            ASSERT_NEAR(p.cell(2, static_cast<int>(v), at), double(expected_increment[i][v]),
                        tolerance);
          }
          ++i;
        });
        if (!writes) {
          EXPECT_TRUE(p.bytes(2) == increment_before);
        }
        if (!last) {
          EXPECT_EQ(p.clock.signal_bits, 0u);
        }
      }
    }
  }
}

TYPED_TEST(Update, StorageFormsOfAStepAgreeWithTheTextbook) {
  using R = TypeParam;
  const Index3 n = {7, 5, 6};
  Physics physics;
  physics.viscosity = 0.05;
  const Real dt = 0.05L;
  for (const schemes::LowStorageScheme& scheme : schemes::low_storage_schemes()) {
    SCOPED_TRACE(std::string(scheme.name));
    Problem<R> start(n, physics);
    // w <- alpha w + dt R(f), f <- f + beta w, cell by cell.
    Reference f = start.reference;
    std::vector<Real> w[4];
    for (auto& x : w) x.assign(f.f[0].size(), 0);
    for (std::size_t s = 0; s < scheme.alpha.size(); ++s) {
      const Reference before = f;
      before.for_cells([&](const Index3& at) {
        const State4 rhs = before.right_hand_side(Method::points55, at);
        for (std::size_t v = 0; v < 4; ++v) {
          Real& increment = w[v][before.index(at)];
          increment = scheme.alpha[s] * increment + dt * rhs[v];
          f.f[v][before.index(at)] += scheme.beta[s] * increment;
        }
      });
    }
    for (int form = 0; form < 3; ++form) {
      Problem<R> p(n, physics);
      p.clock.dt = double(dt);
      for (std::size_t s = 0; s < scheme.alpha.size(); ++s) {
        const bool first = s == 0, last = s + 1 == scheme.alpha.size();
        p.exchange.fill(p.state, 0, p.queue);
        exec::Launch c = p.launch(Method::points55);
        if (form == 0) {
          const double a = first ? 0.0 : scheme.beta[s] * scheme.alpha[s] / scheme.beta[s - 1];
          c.update = {exec::UpdateForm::two, a, scheme.beta[s], !first, true, last};
        } else {
          // 1: skips the dead read and write; 2: reads and writes always, alpha_1 = 0 discards the
          // old
          const bool full = form == 2;
          c.update = {exec::UpdateForm::stored, scheme.alpha[s], scheme.beta[s],
                      full || !first,           full || !last,   last};
        }
        p.run(Method::points55, false, c);
        p.state.swap(0, 1);
      }
      for (int v = 0; v < 4; ++v) {
        const std::vector<R> got = p.interior(0, v);
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_NEAR(got[i], double(f.f[v][i]), 30 * std::numeric_limits<R>::epsilon())
              << "form " << form;
        }
      }
    }
  }
}
