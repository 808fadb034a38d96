// The flux limiter of the face form on a periodic block: what it leaves alone, what it conserves,
// and that a cell all of whose faces it replaces is what the fluxes of first order make of it.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "two_fluid_problem.hpp"

namespace watersmeet::multicomponent {
namespace {

template <class R>
struct Limited : TwoFluidProblem<R> {
  using Base = TwoFluidProblem<R>;
  memory::State flags;
  exec::LimitRecord record;
  std::unique_ptr<TwoFluidLoops> made;

  explicit Limited(const Index3& cells) : Base(cells) {
    Index3 ghosts;
    for (std::size_t a = 0; a < 3; ++a) ghosts[a] = cells[a] > 1 ? 1 : 0;
    flags = memory::State({{cells, ghosts}}, 1, 1, Base::precision, Queue{});
    made = this->loops(Variant::general);
  }
  R& flag(const Index3& c) const {
    const BlockLayout& l = flags.layout(0);
    return static_cast<R*>(flags.start(0))[l.first + l.at(c[0], c[1], c[2])];
  }
  LimitPassCall limit(int pass) {
    LimitPassCall c;
    c.layout = &flags.layout(0);
    c.flags = flags.start(0);
    c.record = &record;
    c.pass = pass;
    c.alone = false;  // works off whatever is flagged
    return c;
  }
  // Ghosts of the flags: periodic images.
  void wrap() {
    this->for_cells([&](const Index3& c) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (this->n[a] == 1) continue;
        Index3 below = c, above = c;
        below[a] = -1;
        above[a] = this->n[a];
        flag(below) = flag(this->wrapped(below));
        flag(above) = flag(this->wrapped(above));
      }
    });
  }
  void correct(int pass) {
    wrap();
    made->limit_faces(this->launch(), limit(pass));
  }
  double total(int v) const {
    double sum = 0;
    this->for_cells([&](const Index3& c) { sum += double(this->value(1, v, c)); });
    return sum;
  }
};

// Not near the edge of the set, so that nothing but the test flags cells.
template <class R>
void prepare(Limited<R>& p, bool split, bool compaction) {
  p.set_split(split);
  p.flow.compaction = compaction;
  p.clock.dt = 0.02;
  p.update = {exec::UpdateForm::stored, -17. / 32, 8. / 9, true, true, false};
  p.fill(random_states(11, 0.4));
  // Increments of a stage before.
  p.fill(random_states(12, 0.4), 2);
  p.for_cells([&](const Index3& c) {
    for (int v = 0; v < n_variables; ++v) p.value(2, v, c) *= R(1e-3);
  });
}

template <class R>
class FaceLimit : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FaceLimit, Precisions);

const Index3 sizes[] = {{7, 6, 5}, {9, 8, 1}, {11, 1, 1}, {1, 1, 9}};

TYPED_TEST(FaceLimit, ConservesAndLeavesOtherCellsAlone) {
  using R = TypeParam;
  const double epsilon = std::numeric_limits<R>::epsilon();
  for (const Index3& n : sizes) {
    for (const bool split : {false, true}) {
      SCOPED_TRACE(testing::Message() << n[0] << " " << n[1] << " " << n[2] << " split " << split);
      Limited<R> p(n);
      prepare(p, split, false);
      p.run(Variant::general);
      const std::vector<R> before = p.interior(1);
      double sums[n_variables], size[n_variables] = {};
      for (int v = 0; v < n_variables; ++v) sums[v] = p.total(v);
      p.for_cells([&](const Index3& c) {
        for (int v = 0; v < n_variables; ++v) size[v] += std::abs(double(p.value(1, v, c)));
      });
      // Cells of two passes, neighbours among them.
      const Index3 first = {n[0] / 2, n[1] / 2, n[2] / 2};
      Index3 second = first;
      const std::size_t axis = n[0] > 1 ? 0 : 2;
      second[axis] += 1;
      p.flag(first) = 1;
      p.correct(1);
      p.flag(second) = 2;
      p.correct(2);
      for (int v = 0; v <= s_energy; ++v) {
        if (split && v == s_energy) continue;  // E - Pi is not conserved by itself
        EXPECT_NEAR(p.total(v), sums[v], 20 * epsilon * size[v]) << v;
      }
      std::size_t at = 0;
      int changed = 0;
      for (int v = 0; v < n_variables; ++v) {
        p.for_cells([&](const Index3& c) {
          std::int64_t distance = 100;
          for (const Index3& f : {first, second}) {
            std::int64_t d = 0;
            for (std::size_t a = 0; a < 3; ++a) {
              const std::int64_t gap = std::abs(c[a] - f[a]);
              d += std::min(gap, n[a] - gap);
            }
            distance = std::min(distance, d);
          }
          if (distance > 1) {
            EXPECT_EQ(p.value(1, v, c), before[at]) << v;
          } else if (p.value(1, v, c) != before[at]) {
            ++changed;
          }
          ++at;
        });
      }
      EXPECT_GT(changed, n_variables);
    }
  }
}

TYPED_TEST(FaceLimit, AFlaggedCellIsWhatFirstOrderMakesOfIt) {
  using R = TypeParam;
  const double epsilon = std::numeric_limits<R>::epsilon();
  for (const Index3& n : sizes) {
    for (const bool compaction : {false, true}) {
      SCOPED_TRACE(testing::Message() << n[0] << " " << n[1] << " " << n[2] << compaction);
      Limited<R> p(n), low(n);
      prepare(p, true, compaction);
      prepare(low, true, compaction);
      const Index3 flagged = {n[0] / 3, n[1] / 3, n[2] / 3};
      p.run(Variant::general);
      const auto high = [&] {
        Conserved<double> s;
        for (int v = 0; v < n_variables; ++v) s[v] = double(p.value(1, v, flagged));
        return s;
      }();
      p.flag(flagged) = 1;
      p.correct(1);
      low.flow = Flow<double, Variant::general>{low.flow}.low().p;
      low.run(Variant::general);
      for (int v = 0; v < n_variables; ++v) {
        for (const int reg : {1, 2}) {
          EXPECT_NEAR(p.value(reg, v, flagged), low.value(reg, v, flagged), 100 * epsilon) << v;
        }
      }
      // ... which is something else than the stage made.
      EXPECT_GT(std::abs(high[s_rho] - double(low.value(1, s_rho, flagged))), 1e3 * epsilon);
    }
  }
}

TYPED_TEST(FaceLimit, FindsWhatCannotBe) {
  using R = TypeParam;
  Limited<R> p({6, 5, 4});
  prepare(p, true, false);
  p.run(Variant::general);
  const Index3 bad = {2, 3, 1}, worse = {5, 0, 3};
  p.value(1, s_rho, bad) = R(-1e-3);
  p.value(1, s_energy, worse) = R(-10);  // p below -p_c
  p.made->find_inadmissible(p.launch(), p.limit(1));
  EXPECT_EQ(p.record.found[0], 2);
  EXPECT_EQ(p.record.limited, 2);
  p.for_cells(
      [&](const Index3& c) { EXPECT_EQ(p.flag(c), (c == bad || c == worse) ? R(1) : R(0)); });
  // Those that nothing helped: not counted again, but the step is.
  p.made->find_inadmissible(p.launch(), p.limit(2));
  EXPECT_EQ(p.record.found[1], 2);
  EXPECT_EQ(p.record.limited, 2);
  p.update.last = true;
  p.made->find_inadmissible(p.launch(), p.limit(exec::limit_passes + 1));
  EXPECT_TRUE(std::isnan(exec::bits_to_double(p.clock.signal_bits)));
}

// On the CPU rows without flags nearby are left out where the passes mark rows: with the same bits,
// and no row that has some is.
TYPED_TEST(FaceLimit, MarkedRowsAreAllThatPassesNeed) {
  using R = TypeParam;
  for (const Index3& n : {Index3{17, 12, 9}, Index3{12, 20, 1}, Index3{30, 1, 1}}) {
    Limited<R> all(n), marked(n);
    std::vector<std::uint32_t> marks(static_cast<std::size_t>(exec::limit_passes * n[1] * n[2]));
    exec::LimitRows rows;
    rows.marks = marks.data();
    for (std::size_t axis : {1, 2}) {
      rows.n[axis - 1] = static_cast<int>(n[axis]);
      rows.open[axis - 1][0] = rows.open[axis - 1][1] = n[axis] > 1;
    }
    for (Limited<R>* p : {&all, &marked}) {
      prepare(*p, true, false);
      p->run(Variant::general);
      // At a corner, so that ghosts have flags too, in the middle, and beside that.
      p->value(1, s_rho, {0, 0, 0}) = R(-1e-3);
      p->value(1, s_energy, {n[0] / 2, n[1] / 2, n[2] / 2}) = R(-10);
      for (int pass = 1; pass <= exec::limit_passes; ++pass) {
        LimitPassCall call = p->limit(pass);
        if (p == &marked) call.rows = rows;
        p->made->find_inadmissible(p->launch(), call);
        p->wrap();
        p->made->limit_faces(p->launch(), call);
        p->value(1, s_rho, {n[0] / 2 + pass, n[1] / 2, n[2] / 2}) = R(-1);  // spoiled by the pass
      }
    }
    EXPECT_EQ(all.interior(1), marked.interior(1));
    EXPECT_EQ(all.record.limited, marked.record.limited);
    EXPECT_EQ(marked.record.limited, 2 + exec::limit_passes - 1);
    if (n[1] > 4) {
      EXPECT_LT(std::count(marks.begin(), marks.end(), 1u), n[1] * n[2] / 2);
    }
  }
}

}  // namespace
}  // namespace watersmeet::multicomponent
