// Ghost exchange against positions: on periodic boxes the value of the cell at the index modulo the
// size, between turned blocks the value of the cell at the same place of the global box.
#include "comm/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../mesh/placed_blocks.hpp"
#include "core/error.hpp"
#include "mesh/box.hpp"

using namespace watersmeet;

namespace {
const std::vector<Index3> awkward_sizes = {{1, 1, 1},  {7, 1, 1},  {1, 7, 1},  {1, 1, 5}, {2, 3, 1},
                                           {3, 2, 4},  {5, 7, 3},  {1, 2, 2},  {4, 4, 4}, {6, 5, 1},
                                           {17, 1, 2}, {1, 2, 13}, {13, 7, 11}};
template <class R>
Precision precision_of() {
  return sizeof(R) == 8 ? Precision::double_ : Precision::single_;
}
// The widths of the isothermal system: none along a degenerate y or z axis.
Index3 widths_of(const Index3& n) { return {3, n[1] == 1 ? 0 : 3, n[2] == 1 ? 0 : 3}; }

template <class R>
R value_at(int variable, const Index3& cell) {
  return R(1 + variable * 5000 + (cell[2] * 17 + cell[1]) * 17 + cell[0]);
}
std::int64_t modulo(std::int64_t a, std::int64_t n) { return ((a % n) + n) % n; }
Box with_ghosts(const Index3& n, const Index3& width) {
  return {{-width[0], -width[1], -width[2]}, {n[0] + width[0], n[1] + width[1], n[2] + width[2]}};
}
}  // namespace

template <class R>
class Exchanges : public testing::Test {
 public:
  static constexpr int variables = 3;

  static void check_box(const Index3& n, mesh::GhostReach reach, int threads) {
    const Queue queue{Backend::cpu, nullptr, threads};
    const mesh::Mesh mesh = mesh::make_box(n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
    const std::vector<Index3> widths = {widths_of(n)};
    memory::State state({{n, widths[0]}}, variables, 2, precision_of<R>(), queue);
    const comm::Exchange exchange(mesh::plan_ghosts(mesh, widths, reach), state, queue);
    const View<R> view = make_view<R>(state.start(1), state.layout(0));
    const R unset = R(-1);
    const Box all = with_ghosts(n, widths[0]);
    for (int v = 0; v < variables; ++v) {
      mesh::for_each_index(all, [&](const Index3& c) {
        view(v, c[0], c[1], c[2]) = mesh::axes_outside(c, n) == 0 ? value_at<R>(v, c) : unset;
      });
    }
    state.set_valid_ghosts(1, 0);
    exchange.fill(state, 1, queue);
    EXPECT_EQ(state.valid_ghosts(1), 3);
    EXPECT_EQ(state.valid_ghosts(0), 0);
    const int reached = reach == mesh::GhostReach::faces   ? 1
                        : reach == mesh::GhostReach::edges ? 2
                                                           : 3;
    std::int64_t ghosts = 0;
    for (int v = 0; v < variables; ++v) {
      mesh::for_each_index(all, [&](const Index3& c) {
        const Index3 source = {modulo(c[0], n[0]), modulo(c[1], n[1]), modulo(c[2], n[2])};
        const int outside = mesh::axes_outside(c, n);
        ghosts += outside > 0 && outside <= reached ? 1 : 0;
        ASSERT_EQ(view(v, c[0], c[1], c[2]), outside <= reached ? value_at<R>(v, source) : unset)
            << v << ": " << c[0] << " " << c[1] << " " << c[2];
      });
    }
    EXPECT_EQ(exchange.ghost_cells() * variables, ghosts);

    exchange.poison(state, 1, queue);
    EXPECT_EQ(state.valid_ghosts(1), 0);
    for (int v = 0; v < variables; ++v) {
      mesh::for_each_index(all, [&](const Index3& c) {
        const int outside = mesh::axes_outside(c, n);
        const R x = view(v, c[0], c[1], c[2]);
        ASSERT_TRUE(outside == 0         ? x == value_at<R>(v, c)
                    : outside <= reached ? std::isnan(x)
                                         : x == unset);
      });
    }
    const R* const other = static_cast<const R*>(state.start(0));
    for (std::size_t w = 0; w < state.register_bytes() / sizeof(R); ++w) ASSERT_EQ(other[w], R(0));
  }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Exchanges, Precisions);

TYPED_TEST(Exchanges, PeriodicBoxesOfAwkwardSizes) {
  for (const Index3& n : awkward_sizes) {
    for (const auto reach :
         {mesh::GhostReach::faces, mesh::GhostReach::edges, mesh::GhostReach::corners}) {
      SCOPED_TRACE(testing::Message()
                   << n[0] << " x " << n[1] << " x " << n[2] << ", reach " << int(reach));
      this->check_box(n, reach, 1);
      this->check_box(n, reach, 4);
    }
  }
  this->check_box({41, 43, 40}, mesh::GhostReach::edges, 3);  // regions large enough for threads
}

TYPED_TEST(Exchanges, TwoBlocksTurnedAgainstEachOther) {
  using R = TypeParam;
  const Queue queue;
  for (int turn = 0; turn < 48; ++turn) {
    SCOPED_TRACE(turn);
    // Block 0 covers x < 4, block 1 the rest, its axes lying in any of the 48 ways.
    mesh::PlacedMesh placed;
    placed.placed = {{{{0, 0, 0}, {4, 5, 6}}, mesh::Orientation::from_index((turn * 7) % 48)},
                     {{{4, 0, 0}, {11, 5, 6}}, mesh::Orientation::from_index(turn)}};
    placed.period = {11, 5, 6};
    const mesh::Mesh mesh = placed.mesh();
    std::vector<memory::BlockShape> shapes;
    for (const auto& block : placed.placed) shapes.push_back({block.n(), {3, 3, 3}});
    memory::State state(shapes, 2, 1, precision_of<R>(), queue);
    const comm::Exchange exchange(mesh::plan_ghosts(mesh, 3, mesh::GhostReach::edges), state,
                                  queue);
    // Values by global position (doubled, to stay with whole numbers).
    const auto value = [&](std::size_t b, int v, const Index3& c) {
      const Index3 x = placed.wrapped(placed.placed[b].position(c, Location::cell));
      return value_at<R>(v, {x[0] / 2, x[1] / 2, x[2] / 2});
    };
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t b = 0; b < 2; ++b) {
        const View<R> view = make_view<R>(state.start(0), state.layout(static_cast<int>(b)));
        for (int v = 0; v < 2; ++v) {
          mesh::for_each_index(with_ghosts(shapes[b].n, {3, 3, 3}), [&](const Index3& c) {
            const int outside = mesh::axes_outside(c, shapes[b].n);
            R& x = view(v, c[0], c[1], c[2]);
            if (pass == 0) x = outside == 0 ? value(b, v, c) : R(-1);
            if (pass == 1) {
              ASSERT_EQ(x, outside <= 2 ? value(b, v, c) : R(-1))
                  << b << ": " << c[0] << " " << c[1] << " " << c[2];
            }
          });
        }
      }
      if (pass == 0) exchange.fill(state, 0, queue);
    }
  }
}

TEST(Exchange, RefusesAPlanWithGhostsThatNothingFills) {
  const mesh::Mesh open = mesh::make_box({5, 5, 5}, {0, 0, 0}, {1, 1, 1}, {true, false, true});
  const memory::State state({{{5, 5, 5}, {3, 3, 3}}}, 1, 1, Precision::double_, Queue{});
  try {
    const comm::Exchange exchange(mesh::plan_ghosts(open, 3, mesh::GhostReach::faces), state,
                                  Queue{});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::unsupported);
  }
}
