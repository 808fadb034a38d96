// The marching pass and the one-block cycle of the GPU, run thread after thread on the CPU, against
// one loop a step. The threads of a step run forwards and backwards: what one of them writes and
// another reads between two barriers would differ.
#include "solve/multigrid/march.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/math.hpp"
#include "solve/multigrid/kernels.hpp"
#include "solve/multigrid/march_quad.hpp"
#include "solve/multigrid/march_shape.hpp"
#include "solve/multigrid/slab_level.hpp"
#include "solve/multigrid/small.hpp"
#include "solve/multigrid/store.hpp"
#include "support/poisson_case.hpp"

namespace watersmeet::solve::march_test {
namespace {

// Two copies of the same random levels.
template <class R>
struct Twins {
  Hierarchy hierarchy;
  std::unique_ptr<LevelStore<R>> one, other;

  Twins(const PoissonProblem& p, std::int64_t bottom_cells) {
    HierarchyOptions options;
    options.bottom_cells = bottom_cells;
    hierarchy = make_hierarchy(p, options);
    std::vector<LevelPart> parts;
    for (const Level& level : hierarchy.levels) parts.push_back(whole_level(level));
    const std::vector<int> scratch(parts.size(), 1);
    const auto make = [&] {
      return std::make_unique<LevelStore<R>>(hierarchy.levels, parts, scratch, true, Queue{});
    };
    one = make();
    other = make();
    std::mt19937 bits(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int l = 0; l < one->levels(); ++l) {
      const LevelArrays<R>&a = one->level(l), &b = other->level(l);
      for_cells(a, [&](std::int64_t at) {
        a.u[at] = b.u[at] = R(number(bits));
        a.f[at] = b.f[at] = R(number(bits));
      });
      wrap(a);
    }
  }

  template <class F>
  static void for_cells(const LevelArrays<R>& a, const F& f) {
    for (int k = 0; k < a.n[2]; ++k)
      for (int j = 0; j < a.n[1]; ++j)
        for (int i = 0; i < a.n[0]; ++i) f(i + j * a.stride[1] + k * a.stride[2]);
  }
  // The loops of the CPU keep these ghosts valid and expect them so.
  static void wrap(const LevelArrays<R>& a) {
    if (a.ghosts[0] == 0 || a.below[0] != a.n[0] - 1) return;
    for (int k = 0; k < a.n[2]; ++k)
      for (int j = 0; j < a.n[1]; ++j) {
        R* const row = a.u + j * a.stride[1] + k * a.stride[2];
        row[-1] = row[a.n[0] - 1];
        row[a.n[0]] = row[0];
      }
  }
  // Largest difference of two arrays of a level, in units of the first one's largest value.
  static double difference(const LevelArrays<R>& a, const R* x, const R* y) {
    double largest = 0, worst = 0;
    for_cells(a, [&](std::int64_t at) {
      worst = max_or_nan(worst, std::fabs(double(x[at]) - double(y[at])));
      largest = std::max(largest, std::fabs(double(x[at])));
    });
    return worst / largest;
  }
};

enum class Order { forwards, backwards };

// Another over-relaxation for each half sweep.
const std::array<double, 4> omegas{1.1, 1.3, 0.9, 1.2};

template <class R>
const LevelLoops<R>& loops() {
  return level_loops<R>(Backend::cpu);
}

// Half sweep h of the loops of the CPU.
template <class R>
void half_sweep(LevelArrays<R> a, int h, const std::array<double, 4>& omega) {
  a.omega = R(of_half_sweep(omega, h));
  loops<R>().red_black(a, h % 2, {}, Queue{});
}

template <class Thread>
constexpr int width_of = 2;
template <class R, int S, bool interpolates, bool restricts, bool shares>
constexpr int width_of<QuadMarchThread<R, S, interpolates, restricts, shares>> = 4;

// The threads of all blocks of a pass, whose shape is set.
template <class Thread, class R>
void run_blocks(const MarchArrays<R>& m, Order order) {
  const int threads = m.shape.threads;
  for (int block = 0; block < m.shape.tiles[0] * m.shape.tiles[1] * m.shape.chunks; ++block) {
    std::vector<R> shared(static_cast<std::size_t>(Thread::shared_elements(threads, m.shape.chunk)),
                          std::numeric_limits<R>::quiet_NaN());
    std::vector<Thread> all(static_cast<std::size_t>(threads));
    const auto each = [&](const auto& f) {
      for (int n = 0; n < threads; ++n) {
        const int number = order == Order::forwards ? n : threads - 1 - n;
        f(all[static_cast<std::size_t>(number)], number);
      }
    };
    each([&](Thread& thread, int n) { thread.start(m, shared.data(), block, n); });
    for (int q = all[0].first_step(); q < all[0].end_step(); ++q) {
      each([&](Thread& thread, int) { thread.step(m, q); });
    }
    each([&](Thread& thread, int) { thread.finish(m); });
  }
}
template <class Thread, class R>
void run_pass(MarchArrays<R>& m, Order order) {
  const int cells[3] = {m.level.n[0], m.level.n[1], m.end - m.begin};
  m.shape = make_march_shape(cells, Thread::lag, {}, width_of<Thread>);
  run_blocks<Thread>(m, order);
}

// From u to v of the level, all planes of it.
template <class R>
MarchArrays<R> arrays_of(const LevelArrays<R>& level, const TransferArrays<R>& transfer,
                         const LevelArrays<R>& coarse) {
  MarchArrays<R> m;
  m.level = level;
  m.in = level.u;
  m.out = level.v;
  m.end = level.n[2];
  m.transfer = transfer;
  m.coarse = coarse;
  for (int h = 0; h < 4; ++h) m.omega[h] = R(omegas[static_cast<std::size_t>(h)]);
  return m;
}

template <class R, int S, bool interpolates, bool restricts,
          template <class, int, bool, bool, bool> class March = MarchThread>
double march_difference(const PoissonProblem& p, const Index3& tile, Order order, bool zero_guess) {
  Twins<R> t(p, 8);
  if (t.hierarchy.levels.size() < 2) return 0;
  const LevelArrays<R>&a = t.one->level(0), &coarse = t.one->level(1);
  if (zero_guess) loops<R>().clear(a, {}, Queue{});
  if (interpolates) loops<R>().add_interpolated(a, t.one->transfer(0), coarse, {}, Queue{});
  for (int h = 0; h < S; ++h) half_sweep(a, h, omegas);
  if (restricts) loops<R>().restrict_residual(a, t.one->transfer(0), coarse, {}, Queue{});

  using Thread = March<R, S, interpolates, restricts, false>;
  constexpr int width = width_of<Thread>;
  MarchArrays<R> m = arrays_of(t.other->level(0), t.other->transfer(0), t.other->level(1));
  if (zero_guess) m.in = nullptr;
  m.shape = make_march_shape(m.level.n, Thread::lag, {}, width);
  if (tile[0] > 0) {
    MarchShape& s = m.shape;
    for (std::size_t d = 0; d < 2; ++d) {
      s.tile[d] = int(tile[d]);
      s.tiles[d] = (m.level.n[d] + s.tile[d] - 1) / s.tile[d];
    }
    s.chunk = int(tile[2]);
    s.chunks = (m.level.n[2] + s.chunk - 1) / s.chunk;
    s.pairs = (s.tile[0] + 2 * s.halo_x) / width;
    s.threads = s.pairs * (s.tile[1] + 2 * s.halo_y);
  }
  run_blocks<Thread>(m, order);
  double worst = Twins<R>::difference(a, a.u, m.out);
  if (restricts) worst = max_or_nan(worst, Twins<R>::difference(coarse, coarse.f, m.coarse.f));
  return worst;
}

std::vector<PoissonProblem> marched_problems() {
  std::vector<PoissonProblem> all{
      test::uniform_problem({32, 16, 24}, {1, 1, 1}, {0, 0, 1}),
      test::uniform_problem({8, 16, 12}, {1, 1, 1}, {0, 0, 0}),
      test::uniform_problem({20, 18, 22}, {1, 1, 1}, {1, 1, 1}),
      test::uniform_problem({33, 17, 20}, {1, 1, 1}, {2, 3, 4}),     // odd along x and y
      test::uniform_problem({32, 32, 16}, {1, 1, 0.25}, {0, 0, 1}),  // z coarsened alone
      test::uniform_problem({32, 32, 16}, {1, 1, 4}, {0, 1, 0}),     // x and y coarsened alone
      test::uniform_problem({32, 1, 32}, {1, 1, 1}, {0, 0, 1}),
      test::uniform_problem({1, 32, 32}, {1, 1, 1}, {0, 2, 1}),
  };
  PoissonProblem stretched = test::uniform_problem({24, 16, 16}, {1, 1, 1}, {1, 2, 1});
  stretched.faces[0] = test::crowded_faces(24, 24, 1.0);
  stretched.faces[1] = test::crowded_faces(16, 16, 0.5);
  all.push_back(stretched);
  return all;
}

template <class R>
void expect_marching_equals_sweeping(double bound) {
  for (const PoissonProblem& p : marched_problems()) {
    SCOPED_TRACE(test::text_of(p));
    for (const Index3& tile : {Index3{0, 0, 0}, {8, 4, 6}, {12, 6, 16}, {16, 2, 2}}) {
      for (const Order order : {Order::forwards, Order::backwards}) {
        EXPECT_LE((march_difference<R, 4, false, true>(p, tile, order, true)), bound);
        EXPECT_LE((march_difference<R, 4, false, true>(p, tile, order, false)), bound);
        EXPECT_LE((march_difference<R, 4, true, false>(p, tile, order, false)), bound);
        EXPECT_LE((march_difference<R, 2, false, true>(p, tile, order, false)), bound);
        EXPECT_LE((march_difference<R, 2, true, false>(p, tile, order, false)), bound);
        EXPECT_LE((march_difference<R, 2, false, false>(p, tile, order, true)), bound);
      }
    }
  }
}

TEST(MarchingPass, EqualsSweepsInDouble) { expect_marching_equals_sweeping<double>(1e-14); }
TEST(MarchingPass, EqualsSweepsInSingle) { expect_marching_equals_sweeping<float>(4e-6); }

// Levels of whole quads that are uniform along x and coarsened there.
template <class R>
void expect_quads_equal_sweeping(double bound) {
  std::vector<PoissonProblem> problems{
      test::uniform_problem({32, 16, 24}, {1, 1, 1}, {0, 0, 1}),
      test::uniform_problem({8, 16, 12}, {1, 1, 1}, {0, 0, 0}),
      test::uniform_problem({20, 18, 22}, {1, 1, 1}, {1, 1, 1}),
      test::uniform_problem({24, 17, 20}, {1, 1, 1}, {2, 3, 4}),
      test::uniform_problem({28, 32, 16}, {1, 1, 4}, {3, 1, 0}),
      test::uniform_problem({32, 1, 32}, {1, 1, 1}, {4, 0, 1}),
      test::uniform_problem({24, 16, 16}, {1, 1, 1}, {1, 2, 1}),
  };
  problems.back().faces[1] = test::crowded_faces(16, 16, 0.5);
  problems.back().faces[2] = test::crowded_faces(16, 16, 0.4);
  for (const PoissonProblem& p : problems) {
    SCOPED_TRACE(test::text_of(p));
    for (const Index3& tile : {Index3{0, 0, 0}, {8, 4, 6}, {12, 6, 16}, {16, 2, 2}}) {
      for (const Order o : {Order::forwards, Order::backwards}) {
        EXPECT_LE((march_difference<R, 4, false, true, QuadMarchThread>(p, tile, o, true)), bound);
        EXPECT_LE((march_difference<R, 4, false, true, QuadMarchThread>(p, tile, o, false)), bound);
        EXPECT_LE((march_difference<R, 4, true, false, QuadMarchThread>(p, tile, o, false)), bound);
        EXPECT_LE((march_difference<R, 2, false, true, QuadMarchThread>(p, tile, o, false)), bound);
        EXPECT_LE((march_difference<R, 2, true, false, QuadMarchThread>(p, tile, o, false)), bound);
        EXPECT_LE((march_difference<R, 2, false, false, QuadMarchThread>(p, tile, o, true)), bound);
      }
    }
  }
}

TEST(MarchingQuads, EqualSweepsInDouble) { expect_quads_equal_sweeping<double>(1e-14); }
TEST(MarchingQuads, EqualSweepsInSingle) { expect_quads_equal_sweeping<float>(4e-6); }

// Slabs with halos of an even number of planes, whose passes store what is a halo elsewhere, against one pass over the level.
template <class R, int S, bool interpolates, bool restricts,
          template <class, int, bool, bool, bool> class March = MarchThread>
void expect_slabs_equal_one(const PoissonProblem& p, const std::vector<std::int64_t>& first) {
  using Thread = March<R, S, interpolates, restricts, true>;
  Twins<R> t(p, 8);
  const std::vector<Level> levels(t.hierarchy.levels.begin(), t.hierarchy.levels.begin() + 2);
  const int ratio = levels[0].transfer[2].coarsened ? 2 : 1, halo = slab_halo(S, S);
  std::vector<LevelCut> cuts(2);
  for (std::size_t s = 0; s < first.size(); ++s) {
    const std::int64_t end = s + 1 < first.size() ? first[s + 1] : levels[0].n()[2];
    LevelPart part = whole_level(levels[0]);
    part.box.lower[2] = first[s];
    part.box.upper[2] = end;
    part.cut[2] = true;
    cuts[0].parts.push_back(part);
    cuts[1].parts.push_back(coarser_part(part, levels[0]));
  }
  // Of each slab the values of the level where it has planes, halos included.
  struct Slab {
    std::unique_ptr<LevelStore<R>> store;
    int first[2], below[2];  // plane 0, counted from that of the level; planes of the halo below
  };
  const LevelArrays<R>* const whole[2] = {&t.other->level(0), &t.other->level(1)};
  std::vector<Slab> slabs;
  for (std::size_t s = 0; s < first.size(); ++s) {
    std::vector<LevelPart> parts;
    Slab slab;
    for (std::size_t l = 0; l < 2; ++l) {
      parts.push_back(SlabLevel::with_halo(levels[l], cuts[l].parts[s], halo));
      slab.first[l] = static_cast<int>(parts[l].box.lower[2]);
      slab.below[l] = static_cast<int>(cuts[l].parts[s].box.lower[2]) - slab.first[l];
    }
    slab.store =
        std::make_unique<LevelStore<R>>(levels, parts, std::vector<int>{1, 1}, false, Queue{});
    slabs.push_back(std::move(slab));
  }
  const auto planes = [&](const Slab& slab, int l, const auto& f) {
    const LevelArrays<R>&a = slab.store->level(l), &from = *whole[l];
    for (int k = 0; k < a.n[2]; ++k) {
      const int there = (slab.first[l] + k + from.n[2]) % from.n[2];
      for (int j = 0; j < a.n[1]; ++j)
        for (int i = 0; i < a.n[0]; ++i)
          f(k, i + j * a.stride[1] + k * a.stride[2],
            i + j * from.stride[1] + there * from.stride[2]);
    }
  };
  for (const Slab& slab : slabs) {
    for (const int l : {0, 1}) {
      const LevelArrays<R>& a = slab.store->level(l);
      planes(slab, l, [&](int, std::int64_t at, std::int64_t from) {
        a.u[at] = whole[l]->u[from];
        a.f[at] = whole[l]->f[from];
      });
    }
  }
  for (std::size_t s = 0; s < slabs.size(); ++s) {
    const Slab& slab = slabs[s];
    const LevelArrays<R>& fine = slab.store->level(0);
    LevelArrays<R> coarse = slab.store->level(1);
    const int shift = slab.below[1] - slab.below[0] / ratio;
    coarse.u += shift * coarse.stride[2];
    coarse.f += shift * coarse.stride[2];
    coarse.n[2] = fine.n[2] / ratio;
    MarchArrays<R> m = arrays_of(fine, slab.store->transfer(0), coarse);
    m.begin = slab.below[0];
    m.end = m.begin + static_cast<int>(cuts[0].parts[s].box.size(2));
    const auto beside = slab_neighbours(levels[0], cuts[0], halo, static_cast<int>(s)),
               coarse_beside = slab_neighbours(levels[1], cuts[1], halo, static_cast<int>(s));
    for (std::size_t side = 0; side < 2; ++side) {
      if (beside[side].rank < 0) continue;
      const LevelStore<R>& other = *slabs[static_cast<std::size_t>(beside[side].rank)].store;
      m.far_out.side[side] = beside[side].planes(other.level(0).v, fine.stride[2]);
      m.far_coarse.side[side] = coarse_beside[side]
                                    .planes(other.level(1).f, coarse.stride[2])
                                    .from_plane(shift, coarse.stride[2]);
    }
    run_pass<Thread>(m, Order::forwards);
  }
  MarchArrays<R> one = arrays_of(*whole[0], t.other->transfer(0), *whole[1]);
  run_pass<Thread>(one, Order::forwards);
  int different = 0;
  for (const Slab& slab : slabs) {
    planes(slab, 0, [&](int, std::int64_t at, std::int64_t from) {
      different += slab.store->level(0).v[at] != one.out[from] ? 1 : 0;
    });
    if (!restricts) continue;
    planes(slab, 1, [&](int, std::int64_t at, std::int64_t from) {
      different += slab.store->level(1).f[at] != one.coarse.f[from] ? 1 : 0;
    });
  }
  EXPECT_EQ(different, 0) << S << (interpolates ? " interpolates" : "")
                          << (restricts ? " restricts" : "");
}

TEST(MarchingPass, SlabsStoreTheHalosOfOthers) {
  for (const int z : {0, 1, 4}) {
    for (const double height : {2.0, 32.0}) {  // z is not coarsened in the second
      const PoissonProblem p = test::uniform_problem({32, 16, 64}, {1, 0.5, height}, {0, 0, z});
      SCOPED_TRACE(test::text_of(p));
      for (const std::vector<std::int64_t>& first :
           {std::vector<std::int64_t>{0, 24}, std::vector<std::int64_t>{0, 16, 40}}) {
        expect_slabs_equal_one<double, 2, false, true>(p, first);
        expect_slabs_equal_one<double, 2, true, false>(p, first);
        expect_slabs_equal_one<double, 2, false, false>(p, first);
        expect_slabs_equal_one<float, 4, false, true>(p, first);
        expect_slabs_equal_one<float, 4, true, false>(p, first);
        expect_slabs_equal_one<float, 4, false, true, QuadMarchThread>(p, first);
        expect_slabs_equal_one<float, 4, true, false, QuadMarchThread>(p, first);
        expect_slabs_equal_one<float, 2, false, false, QuadMarchThread>(p, first);
      }
    }
  }
}

TEST(MarchingPass, TilesCoverTheLevelAndFitTheBlock) {
  for (const auto& n :
       {std::array<int, 3>{384, 384, 192}, {96, 96, 48}, {17, 2, 300}, {64, 1, 64}}) {
    for (const int lag : {2, 3, 4, 5}) {
      MarchDevice device;
      device.most_threads = 768;
      const int cells[3] = {n[0], n[1], n[2]};
      const MarchShape s = make_march_shape(cells, lag, device);
      EXPECT_LE(s.threads, 768);
      EXPECT_EQ(s.threads % s.pairs, 0);
      EXPECT_GE(s.tile[0] * s.tiles[0], n[0]);
      EXPECT_GE(s.tile[1] * s.tiles[1], n[1]);
      EXPECT_GE(s.chunk * s.chunks, n[2]);
      EXPECT_LE(s.chunk, march_longest_chunk);
      EXPECT_EQ(s.tile[0] % 2 + s.chunk % 2, 0);
      EXPECT_GE(s.halo_x, n[0] == 1 ? 0 : lag);
    }
  }
}

struct LoopTeam {
  Order order;
  template <class Body>
  void each(int count, const Body& body) const {
    for (int n = 0; n < count; ++n) body(order == Order::forwards ? n : count - 1 - n);
  }
};

// A cycle of the loops of the CPU as operations of v_cycle().
template <class R>
struct Reference {
  LevelStore<R>& store;
  Relaxation relaxation;
  int coarsest() const { return store.levels() - 1; }
  void smooth(int l, int sweeps, const std::array<double, 4>& omega) {
    for (int h = 0; h < 2 * sweeps; ++h) half_sweep(store.level(l), h, omega);
  }
  void descend(int l, Start start) {
    if (start == Start::zero) loops<R>().clear(store.level(l), {}, Queue{});
    smooth(l, 2, relaxation.before);
    loops<R>().restrict_residual(store.level(l), store.transfer(l), store.level(l + 1), {},
                                 Queue{});
  }
  void solve_coarsest() {
    loops<R>().solve_bottom(store.level(coarsest()), store.bottom(), {}, Queue{});
  }
  void ascend(int l) {
    loops<R>().add_interpolated(store.level(l), store.transfer(l), store.level(l + 1), {}, Queue{});
    smooth(l, 1, relaxation.after);
  }
};

template <class R>
void expect_small_equals_loops(double bound) {
  for (const PoissonProblem& p : marched_problems()) {
    SCOPED_TRACE(test::text_of(p));
    for (const Order order : {Order::forwards, Order::backwards}) {
      for (const Start start : {Start::zero, Start::current}) {
        Twins<R> t(p, 64);
        const Relaxation relaxation{omegas, {0.95, 1.25, 1, 1}};
        Reference<R> reference{*t.one, relaxation};
        v_cycle(reference, 0, start);

        SmallLevels<R> levels;
        levels.count = t.other->levels();
        levels.before = 2;
        levels.after = 1;
        levels.bottom = t.other->bottom();
        for (int l = 0; l < levels.count; ++l) {
          levels.level[l] = make_small_level(t.other->level(l), t.other->transfer(l), relaxation);
          const int cells = int(t.hierarchy.levels[static_cast<std::size_t>(l)].cells());
          levels.level[l].u = levels.elements;
          levels.level[l].f = levels.elements + cells;
          levels.elements += 2 * cells;
        }
        levels.bottom_work = levels.elements;
        levels.elements += 2 * int(t.hierarchy.bottom().cells());
        std::vector<R> fast(static_cast<std::size_t>(levels.elements),
                            std::numeric_limits<R>::quiet_NaN());
        const LoopTeam team{order};
        SmallCycle<R, LoopTeam>(levels, fast.data(), team).run(start);
        const LevelArrays<R>&a = t.one->level(0), &b = t.other->level(0);
        EXPECT_LE(Twins<R>::difference(a, a.u, b.u), bound);
      }
    }
  }
}

TEST(SmallLevels, EqualLoopsInDouble) { expect_small_equals_loops<double>(1e-13); }
TEST(SmallLevels, EqualLoopsInSingle) { expect_small_equals_loops<float>(4e-5); }

TEST(SmallLevels, QuotientsAreExact) {
  for (int d = 1; d < 4096; d += d < 70 ? 1 : 97) {
    const Divider divide(d);
    for (int n = 0; n < (1 << 20); n += n < 5000 ? 1 : 1013) ASSERT_EQ(divide(n), n / d);
    for (int q = 1; q * d < (1 << 20); q += 1 + q / 7) {
      ASSERT_EQ(divide(q * d), q);
      ASSERT_EQ(divide(q * d - 1), q - 1);
    }
  }
}

}  // namespace
}  // namespace watersmeet::solve::march_test
