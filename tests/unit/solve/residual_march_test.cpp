// The pass of the GPU that corrects phi and makes the next residual, run thread after thread on the
// CPU, forwards and backwards, against the two loops of the CPU.
#include "solve/multigrid/residual_march.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/math.hpp"
#include "solve/multigrid/outer.hpp"
#include "solve/multigrid/store.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve {
namespace {

template <class R>
std::unique_ptr<LevelStore<R>> store_of(const Level& level, unsigned seed) {
  auto store = std::make_unique<LevelStore<R>>(std::vector<Level>{level},
                                               std::vector<LevelPart>{whole_level(level)},
                                               std::vector<int>{1}, true, Queue{});
  std::mt19937 bits(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const LevelArrays<R>& a = store->level(0);
  for (int k = 0; k < a.n[2]; ++k)
    for (int j = 0; j < a.n[1]; ++j)
      for (int i = 0; i < a.n[0]; ++i) {
        const std::int64_t at = i * a.stride[0] + j * a.stride[1] + k * a.stride[2];
        a.u[at] = R(number(bits));
        a.f[at] = R(number(bits));
      }
  return store;
}

template <class T>
double worst(const LevelArrays<T>& shape, const T* x, const T* y) {
  double largest = 0, difference = 0;
  for (int k = 0; k < shape.n[2]; ++k)
    for (int j = 0; j < shape.n[1]; ++j)
      for (int i = 0; i < shape.n[0]; ++i) {
        const std::int64_t at = i * shape.stride[0] + j * shape.stride[1] + k * shape.stride[2];
        difference = max_or_nan(difference, std::fabs(double(x[at]) - double(y[at])));
        largest = std::max(largest, std::fabs(double(x[at])));
      }
  return largest > 0 ? difference / largest : difference;
}

// Threads in turn, step by step.
template <bool corrects, bool shares = false, class R, class C>
Residual run_threads(const LevelArrays<R>& a, const LevelArrays<C>& cycle,
                     const ResidualWork<R, C>& work, int planes, bool forwards) {
  using Thread = ResidualThread<R, C, corrects, shares>;
  const auto count = [](int n, int size) { return (n + size - 1) / size; };
  Residual found;
  for (int z = 0; z < count(a.n[2], planes); ++z)
    for (int y = 0; y < count(a.n[1], Thread::tile_y); ++y)
      for (int x = 0; x < count(a.n[0], Thread::tile_x); ++x) {
        std::vector<Thread> all(Thread::threads);
        const int block[3] = {x, y, z};
        const auto each = [&](const auto& f) {
          for (std::size_t n = 0; n < all.size(); ++n) {
            const std::size_t number = forwards ? n : all.size() - 1 - n;
            f(all[number], static_cast<int>(number));
          }
        };
        each([&](Thread& t, int n) { t.start(a, cycle, work, block, planes, n); });
        for (int k = all[0].k0; k < all[0].k1; ++k) {
          each([&](Thread& t, int) {
            if (t.exists) t.step(a, cycle, work, k);
          });
        }
        each([&](Thread& t, int) {
          if (t.exists) t.finish(a, work);
          found.largest = std::max(found.largest, double(t.largest));
          found.largest_solution = std::max(found.largest_solution, double(t.largest_phi));
        });
      }
  return found;
}

enum class Case { plain, corrects, reset, from_zero };

template <class R, class C, bool corrects>
void compare(const PoissonProblem& p, Case which, int planes, bool forwards) {
  SCOPED_TRACE(test::text_of(p) + "chunks of " + std::to_string(planes));
  const Level level = make_hierarchy(p).levels.front();
  const auto phi = store_of<R>(level, 1), mine = store_of<R>(level, 1);
  const auto cycle = store_of<C>(level, 2), my_cycle = store_of<C>(level, 2);
  const LevelArrays<R>&a = phi->level(0), &b = mine->level(0);
  const LevelArrays<C>&c = cycle->level(0), &d = my_cycle->level(0);
  const double scale = 0.7, next_scale = 3, mean = 0.2;
  const bool reset = which == Case::reset, from_zero = which == Case::from_zero;
  const OuterLoops<R, C>& loops = outer_loops<R, C>(Backend::cpu);
  if (from_zero) loops.correct(a, c, 0, false, true, Queue{});
  loops.correct(a, c, scale, corrects && !reset, reset, Queue{});
  const Residual expected = loops.residual(a, mean, next_scale, c, nullptr, Queue{});

  ResidualWork<R, C> work{from_zero ? nullptr : b.u, b.f,     b.v,  d.u, d.f, R(scale),
                          R(1 / next_scale),         R(mean), reset};
  // What is not written would be found; what a reset must not look at is no number.
  for (int k = 0; k < b.n[2]; ++k)
    for (int j = 0; j < b.n[1]; ++j)
      for (int i = 0; i < b.n[0]; ++i) {
        const std::int64_t at = i * b.stride[0] + j * b.stride[1] + k * b.stride[2];
        b.v[at] = std::numeric_limits<R>::quiet_NaN();
        if (reset) b.u[at] = std::numeric_limits<R>::quiet_NaN();
        d.f[i * d.stride[0] + j * d.stride[1] + k * d.stride[2]] =
            std::numeric_limits<C>::quiet_NaN();
      }
  const Residual found = run_threads<corrects>(b, d, work, planes, forwards);
  const double rounding = sizeof(R) == 8 ? 1e-15 : 1e-6;
  EXPECT_LE(worst(c, c.f, d.f), sizeof(C) == 8 ? 1e-14 : 1e-6);
  if (corrects) {
    EXPECT_LE(worst(a, a.u, b.v), rounding);
  }
  EXPECT_NEAR(found.largest, expected.largest, 20 * rounding * expected.largest);
  EXPECT_NEAR(found.largest_solution, expected.largest_solution, rounding);
}

TEST(ResidualMarch, EqualsTheLoops) {
  const Index3 sizes[] = {{64, 40, 24}, {33, 9, 7}, {1, 20, 6}, {5, 1, 40}, {70, 17, 1}, {2, 2, 2}};
  for (const Index3& n : sizes) {
    for (const std::array<int, 3>& sides : {std::array<int, 3>{0, 0, 1}, {1, 2, 0}, {3, 4, 2}}) {
      PoissonProblem p = test::uniform_problem(n, {1, 0.8, 0.5}, sides);
      if (n[2] > 8 && sides[2] != 0) p.faces[2] = test::crowded_faces(n[2], 9, 1.5);
      for (const int planes : {48, 8}) {
        for (const bool forwards : {true, false}) {
          compare<double, float, false>(p, Case::plain, planes, forwards);
          compare<double, float, true>(p, Case::corrects, planes, forwards);
          compare<double, double, true>(p, Case::corrects, planes, forwards);
          compare<float, float, true>(p, Case::corrects, planes, forwards);
          compare<double, float, true>(p, Case::reset, planes, forwards);
          compare<double, float, true>(p, Case::from_zero, planes, forwards);
        }
      }
    }
  }
}

// The cells of a slab and one plane on either side, from arrays of the whole box.
template <class T>
void copy_planes(const LevelArrays<T>& whole, const T* from, const LevelArrays<T>& slab, T* to,
                 int first, int nz) {
  for (int k = -1; k <= slab.n[2]; ++k)
    for (int j = 0; j < slab.n[1]; ++j)
      for (int i = 0; i < slab.n[0]; ++i)
        to[i * slab.stride[0] + j * slab.stride[1] + k * slab.stride[2]] =
            from[i * whole.stride[0] + j * whole.stride[1] +
                 (first + k + nz) % nz * whole.stride[2]];
}

// Each slab from its own cells and those beside it, as of the pass before: cells and ghosts have the bits of the whole.
void expect_slabs_keep_ghosts(const PoissonProblem& p, const std::vector<int>& first, int planes) {
  SCOPED_TRACE(test::text_of(p));
  const Level level = make_hierarchy(p).levels.front();
  const auto phi = store_of<double>(level, 1);
  const auto cycle = store_of<float>(level, 2);
  const LevelArrays<double>& a = phi->level(0);
  const LevelArrays<float>& c = cycle->level(0);
  const int nz = a.n[2];
  run_threads<true>(a, c, ResidualWork<double, float>{a.u, a.f, a.v, c.u, c.f, 0.7, 0.25, 0.2},
                    planes, true);
  for (std::size_t s = 0; s + 1 < first.size(); ++s) {
    LevelPart part = whole_level(level);
    part.cut[2] = true;
    part.box.lower[2] = first[s];
    part.box.upper[2] = first[s + 1];
    const auto store = [&](auto number) {
      return std::make_unique<LevelStore<decltype(number)>>(std::vector<Level>{level},
                                                            std::vector<LevelPart>{part},
                                                            std::vector<int>{1}, true, Queue{});
    };
    const auto mine = store(0.0);
    const auto my_cycle = store(0.0F);
    const LevelArrays<double>& b = mine->level(0);
    const LevelArrays<float>& d = my_cycle->level(0);
    copy_planes(a, a.u, b, b.u, first[s], nz);
    copy_planes(a, a.f, b, b.f, first[s], nz);
    copy_planes(c, c.u, d, d.u, first[s], nz);
    const bool below = b.below[2] == -1, above = b.above[2] == b.n[2];
    for (int k = -1; k <= b.n[2]; ++k)
      for (int j = 0; j < b.n[1]; ++j)
        for (int i = 0; i < b.n[0]; ++i)
          b.v[i * b.stride[0] + j * b.stride[1] + k * b.stride[2]] = 1e30;
    // Of the residual the upper planes are stored in another array, too.
    const int shared = b.n[2] - 4;
    std::vector<float> there(static_cast<std::size_t>(b.n[2] * d.stride[2]), 7.0F);
    ResidualWork<double, float> work{b.u, b.f, b.v, d.u, d.f, 0.7, 0.25, 0.2};
    work.far.side[1] = {there.data(), shared, b.n[2]};
    run_threads<true, true>(b, d, work, planes, false);
    int differ = 0, outside = 0;
    for (int k = -1; k <= b.n[2]; ++k)
      for (int j = 0; j < b.n[1]; ++j)
        for (int i = 0; i < b.n[0]; ++i) {
          const double found = b.v[i * b.stride[0] + j * b.stride[1] + k * b.stride[2]];
          const std::int64_t at =
              i * a.stride[0] + j * a.stride[1] + (first[s] + k + nz) % nz * a.stride[2];
          const bool own = k >= 0 && k < b.n[2];
          if (own || (k < 0 ? below : above)) {
            differ += found != a.v[at] ? 1 : 0;
          } else {
            outside += found != 1e30 ? 1 : 0;
          }
          if (!own) continue;
          const std::int64_t here = i * d.stride[0] + j * d.stride[1] + k * d.stride[2],
                             in_whole =
                                 i * c.stride[0] + j * c.stride[1] + (first[s] + k) * c.stride[2];
          differ += d.f[here] != c.f[in_whole] ? 1 : 0;
          const float stored = there[static_cast<std::size_t>(here)];
          differ += stored != (k >= shared ? d.f[here] : 7.0F) ? 1 : 0;
        }
    EXPECT_EQ(differ, 0) << "slab " << s;
    EXPECT_EQ(outside, 0) << "slab " << s;
  }
}

TEST(ResidualMarch, SlabsKeepTheirGhosts) {
  for (const std::array<int, 3>& sides : {std::array<int, 3>{0, 0, 0}, {1, 0, 1}, {0, 3, 2}}) {
    for (const int planes : {48, 8}) {
      expect_slabs_keep_ghosts(test::uniform_problem({34, 12, 24}, {1, 0.8, 0.5}, sides),
                               {0, 10, 24}, planes);
      expect_slabs_keep_ghosts(test::uniform_problem({9, 4, 24}, {1, 0.8, 0.5}, sides),
                               {0, 8, 16, 24}, planes);
    }
  }
}

}  // namespace
}  // namespace watersmeet::solve
