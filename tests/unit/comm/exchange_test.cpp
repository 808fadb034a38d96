// The exchange between ranks, which are threads here and pair their messages by the order of
// posting alone. Truth: the value of a ghost cell is that of the periodic cell it stands for, which
// is written into the field as a number made of its global index. Behind boundaries the test stands
// for the conditions: a ghost there is minus the cell next to the boundary.
#include "comm/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/box.hpp"
#include "support/counting_communicator.hpp"
#include "support/cut.hpp"
#include "support/thread_team.hpp"

namespace watersmeet::comm {
namespace {

using test::Cut;
using test::parts_of;

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }

double number_of(int variable, const Index3& global, const Index3& n) {
  return 1e9 * variable +
         static_cast<double>((wrapped(global[2], n[2]) * n[1] + wrapped(global[1], n[1])) * n[0] +
                             wrapped(global[0], n[0]));
}

struct Case {
  std::string name;
  Index3 n;
  Cut cut;
  int ranks;
  std::array<bool, 3> periodic{true, true, true};
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class ExchangeOfRanks : public testing::TestWithParam<std::tuple<Case, bool>> {};

template <class R>
void check_exchange(const Case& c, bool overlap, mesh::GhostReach reach, Precision precision) {
  const mesh::Mesh whole = mesh::make_box(c.n, {0, 0, 0}, {1, 1, 1}, c.periodic);
  const std::vector<mesh::Part> parts = parts_of(c.n, c.cut, c.ranks);
  constexpr int variables = 3, radius = 3;
  test::ThreadTeam::run(c.ranks, [&](Communicator& ranks) {
    const Queue queue;
    Team team(ranks, make_message_transport(ranks, Backend::cpu, false), queue,
              overlap ? Overlap::on : Overlap::off);
    const Domain domain(whole, parts, ranks.rank());
    std::vector<memory::BlockShape> shapes;
    for (int b = 0; b < domain.blocks(); ++b) {
      shapes.push_back({domain.block(b).n, domain.block(b).ghosts(radius)});
    }
    memory::State state(shapes, variables, 2, precision, queue);
    Exchange exchange(domain, mesh::plan_ghosts(domain.mesh, radius, reach), state, team, queue);
    const auto value = [&](int reg, int b, int v, const Index3& i) -> R& {
      const BlockLayout& l = state.layout(b);
      return static_cast<R*>(state.start(reg))[l.first + v * l.stride_var + l.at(i[0], i[1], i[2])];
    };
    const auto for_cells = [&](const Box& box, const auto& visit) {
      for (std::int64_t k = box.lower[2]; k < box.upper[2]; ++k)
        for (std::int64_t j = box.lower[1]; j < box.upper[1]; ++j)
          for (std::int64_t i = box.lower[0]; i < box.upper[0]; ++i) visit(Index3{i, j, k});
    };
    const auto global = [&](int b, const Index3& i) {
      const Index3& o = domain.block(b).origin;
      return Index3{o[0] + i[0], o[1] + i[1], o[2] + i[2]};
    };
    // A cell of register 0 holds its number and how often it was computed.
    double computed_so_far = 0;
    // Axes along which a cell lies behind a boundary.
    const auto behind = [&](int b, const Index3& i) {
      int axes = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::int64_t at = global(b, i)[a];
        axes += !c.periodic[a] && (at < 0 || at >= c.n[a]) ? 1 : 0;
      }
      return axes;
    };
    const auto expected = [&](int b, int v, const Index3& i) {
      Index3 at = global(b, i);
      for (std::size_t a = 0; a < 3; ++a) {
        if (!c.periodic[a]) at[a] = std::clamp<std::int64_t>(at[a], 0, c.n[a] - 1);
      }
      const double number = number_of(v, at, c.n) + 1e8 * computed_so_far;
      return R(behind(b, i) > 0 ? -number : number);
    };
    // What only the interior of the register of this rank can tell, as with boundary conditions.
    const auto fill_boundaries = [&] {
      for (int b = 0; b < domain.blocks(); ++b) {
        const Index3& n = domain.block(b).n;
        for (std::size_t a = 0; a < 3; ++a) {
          Box layers = domain.block(b).interior();
          layers.lower[a] -= radius;
          layers.upper[a] += radius;
          for_cells(layers, [&](const Index3& i) {
            if (behind(b, i) == 0) return;
            Index3 nearest = i;
            nearest[a] = std::clamp<std::int64_t>(i[a], 0, n[a] - 1);
            for (int v = 0; v < variables; ++v) value(0, b, v, i) = -value(0, b, v, nearest);
          });
        }
      }
    };
    const auto set = [&] {
      for (int b = 0; b < domain.blocks(); ++b) {
        for (int v = 0; v < variables; ++v) {
          for_cells(domain.block(b).interior(),
                    [&](const Index3& i) { value(0, b, v, i) = expected(b, v, i); });
        }
      }
      state.set_valid_ghosts(0, 0);
    };
    const auto wrong_ghosts = [&] {
      std::int64_t wrong = 0;
      for (int b = 0; b < domain.blocks(); ++b) {
        const mesh::Block& block = domain.block(b);
        const Index3 g = block.ghosts(radius);
        Box all = block.interior();
        for (std::size_t a = 0; a < 3; ++a) {
          all.lower[a] -= g[a];
          all.upper[a] += g[a];
        }
        for_cells(all, [&](const Index3& i) {
          int outside = 0;
          for (std::size_t a = 0; a < 3; ++a) outside += i[a] < 0 || i[a] >= block.n[a] ? 1 : 0;
          if (outside > 1 + static_cast<int>(reach)) return;
          if (outside > 1 && behind(b, i) > 0) return;
          for (int v = 0; v < variables; ++v) {
            wrong += value(0, b, v, i) != expected(b, v, i) ? 1 : 0;
          }
        });
      }
      return wrong;
    };
    set();
    for (int stage = 0; stage < 9; ++stage) {
      // Sometimes somebody looks at the field between two stages, or changes it.
      if (stage % 4 == 2) {
        exchange.fill(state, 0, queue);
        fill_boundaries();
        EXPECT_EQ(wrong_ghosts(), 0) << "stage " << stage;
      }
      if (stage == 5) {
        computed_so_far = 0;
        set();
        exchange.forget();
      }
      std::vector<std::vector<int>> computed;
      for (int b = 0; b < domain.blocks(); ++b) {
        computed.emplace_back(static_cast<std::size_t>(domain.block(b).interior().count()), 0);
      }
      bool in_order = true;
      const auto compute = [&](int b, const Box& box, const Queue&) {
        EXPECT_EQ(box.lower[0] % 4, 0);
        const Index3& n = domain.block(b).n;
        for_cells(box, [&](const Index3& i) {
          ++computed[static_cast<std::size_t>(b)]
                    [static_cast<std::size_t>((i[2] * n[1] + i[1]) * n[0] + i[0])];
          // Along the axes the stencil's ghosts are there when the cell is computed.
          for (std::size_t a = 0; a < 3; ++a) {
            for (const int d : {-radius, radius}) {
              if (domain.block(b).degenerate(static_cast<int>(a))) continue;
              Index3 other = i;
              other[a] += d;
              in_order = in_order && value(0, b, 0, other) == expected(b, 0, other);
            }
          }
          for (int v = 0; v < variables; ++v) {
            value(1, b, v, i) = R(number_of(v, global(b, i), c.n) + 1e8 * (computed_so_far + 1));
          }
        });
      };
      fill_boundaries();
      exchange.around(state, 0, queue, compute, {&exchange, &state, 1});
      EXPECT_TRUE(in_order) << "stage " << stage;
      for (const auto& counts : computed) {
        EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 1; }));
      }
      EXPECT_EQ(state.valid_ghosts(0), radius);
      EXPECT_EQ(wrong_ghosts(), 0) << "stage " << stage << " of rank " << ranks.rank();
      state.set_valid_ghosts(1, 0);
      state.swap(0, 1);
      ++computed_so_far;
    }
    // Poison reaches every ghost, and none of the cells.
    exchange.poison(state, 0, queue);
    EXPECT_EQ(state.valid_ghosts(0), 0);
    for (int b = 0; b < domain.blocks(); ++b) {
      const Index3& n = domain.block(b).n;
      for (std::size_t a = 0; a < 3; ++a) {
        if (domain.block(b).degenerate(static_cast<int>(a))) continue;
        Box layers = domain.block(b).interior();
        layers.lower[a] -= radius;
        layers.upper[a] += radius;
        bool all = true;
        for_cells(layers, [&](const Index3& i) {
          all = all && std::isnan(value(0, b, 0, i)) == (i[a] < 0 || i[a] >= n[a]);
        });
        EXPECT_TRUE(all) << "axis " << a;
      }
    }
  });
}

TEST_P(ExchangeOfRanks, FillsEveryGhostWithTheCellItStandsFor) {
  const auto& [c, overlap] = GetParam();
  check_exchange<double>(c, overlap, mesh::GhostReach::faces, Precision::double_);
  check_exchange<double>(c, overlap, mesh::GhostReach::edges, Precision::double_);
  check_exchange<double>(c, overlap, mesh::GhostReach::corners, Precision::double_);
}

const Case cases[] = {
    {"OneRank", {8, 7, 6}, {{{0}, {0}, {0}}}, 1},
    {"TwoRanksOnAPeriodicAxis", {8, 7, 10}, {{{0}, {0}, {0, 4}}}, 2},
    {"ThreeSlabsOfOddSizes", {5, 6, 13}, {{{0}, {0}, {0, 3, 8}}}, 3},
    {"TwoByTwoWithCorners", {8, 9, 8}, {{{0}, {0, 4}, {0, 5}}}, 4},
    {"EightBoxes", {9, 8, 7}, {{{0, 5}, {0, 4}, {0, 3}}}, 8},
    {"CutAlongX", {13, 4, 5}, {{{0, 3, 9}, {0}, {0}}}, 3},
    {"TwoSlabs", {8, 6, 25}, {{{0}, {0}, {0, 12}}}, 2},
    {"ThreeSlabs", {5, 6, 40}, {{{0}, {0}, {0, 12, 27}}}, 3},
    {"SlabsAcrossY", {7, 30, 4}, {{{0}, {0, 16}, {0}}}, 2},
    {"SlabsAcrossX", {41, 5, 4}, {{{0, 13, 26}, {0}, {0}}}, 3},
    {"FourThinSlabs", {4, 5, 12}, {{{0}, {0}, {0, 3, 6, 9}}}, 4},
    {"TwoDimensions", {9, 10, 1}, {{{0}, {0, 5}, {0}}}, 2},
    {"TwoPartsARank", {6, 7, 16}, {{{0}, {0}, {0, 4, 8, 12}}}, 2},
    {"NeighboursOnOneRankAndAnother", {8, 12, 9}, {{{0}, {0, 4, 8}, {0, 5}}}, 2},
    {"Closed", {8, 7, 6}, {{{0}, {0}, {0}}}, 1, {false, false, false}},
    {"ClosedSlabs", {5, 6, 40}, {{{0}, {0}, {0, 12, 27}}}, 3, {false, false, false}},
    {"ClosedAcrossTheCut", {7, 30, 4}, {{{0}, {0, 16}, {0}}}, 2, {true, false, true}},
    {"ClosedAlongTheCut", {8, 6, 25}, {{{0}, {0}, {0, 12}}}, 2, {false, true, true}},
    {"ClosedTwoByTwo", {8, 9, 8}, {{{0}, {0, 4}, {0, 5}}}, 4, {true, false, false}},
    {"ClosedTwoDimensions", {9, 10, 1}, {{{0}, {0, 5}, {0}}}, 2, {false, false, false}},
};
INSTANTIATE_TEST_SUITE_P(Cuts, ExchangeOfRanks,
                         testing::Combine(testing::ValuesIn(cases), testing::Bool()),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name +
                                  (std::get<1>(instance.param) ? "Overlapped" : "InTurn");
                         });

TEST(ExchangeOfRanks, SendsOneMessageAPeer) {
  const Case c = {"", {8, 9, 8}, {{{0}, {0, 4}, {0, 5}}}, 4};
  const mesh::Mesh whole = mesh::make_box(c.n, {0, 0, 0}, {1, 1, 1}, {true, true, true});
  const auto parts = parts_of(c.n, c.cut, c.ranks);
  test::ThreadTeam::run(4, [&](Communicator& ranks) {
    const Queue queue;
    test::Count sent;
    test::CountingCommunicator counting(ranks, sent);
    Team team(counting, make_message_transport(counting, Backend::cpu, false), queue, Overlap::on);
    const Domain domain(whole, parts, ranks.rank());
    memory::State state({{domain.block(0).n, domain.block(0).ghosts(3)}}, 4, 1, Precision::single_,
                        queue);
    Exchange exchange(domain, mesh::plan_ghosts(domain.mesh, 3, mesh::GhostReach::edges), state,
                      team, queue);
    sent = {};
    exchange.fill(state, 0, queue);
    EXPECT_EQ(sent.messages, 3);  // both neighbours and the diagonal one
    // Faces: 3 layers, both sides, of the y and z faces; edges of those with the x faces and with
    // each other. What rank r sends, its neighbours of other sizes take from it.
    const Index3 n = domain.block(0).n;
    const std::int64_t y_faces = 2 * 3 * n[0] * n[2], z_faces = 2 * 3 * n[0] * n[1];
    const std::int64_t x_edges = 2 * 9 * 2 * (n[1] + n[2]), yz_edges = 4 * 9 * n[0];
    EXPECT_EQ(sent.bytes, static_cast<double>((y_faces + z_faces + x_edges + yz_edges) * 4 * 4));
  });
}

TEST(Team, CombinesSignalWorkAndWishesToStop) {
  test::ThreadTeam::run(3, [](Communicator& ranks) {
    const Queue queue;
    Team team(ranks, make_message_transport(ranks, Backend::cpu, false), queue, Overlap::off);
    exec::Clock clock;
    clock.signal_bits = exec::double_to_bits(1.0 + ranks.rank());
    clock.stop_bits = ranks.rank() == 1 ? 4 : 0;
    clock.work_units = -5 + ranks.rank();
    team.combine(&clock, queue);
    EXPECT_EQ(exec::bits_to_double(clock.signal_bits), 3.0);
    EXPECT_EQ(clock.stop_bits, 4u);
    EXPECT_EQ(clock.work_units, -12);
  });
}

}  // namespace
}  // namespace watersmeet::comm
