// Sharing out against what must hold of any answer (the parts cover the box, none is thinner than
// the halo, sizes are even or in proportion) and against choices known without the model.
#include "mesh/decompose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "core/error.hpp"
#include "mesh/box.hpp"
#include "mesh/part_sizes.hpp"

namespace watersmeet::mesh {
namespace {

SharingOut request_for(Index3 cells, std::vector<double> weights) {
  SharingOut request;
  request.cells = cells;
  request.weights = std::move(weights);
  return request;
}
SharingOut request_for(Index3 cells, int n_ranks) {
  return request_for(cells, std::vector<double>(static_cast<std::size_t>(n_ranks), 1.0));
}

SharingOut free_network(SharingOut request) {
  request.cost.latency = 0;
  request.cost.bandwidth = 1e30;
  return request;
}

using Counts = std::array<int, 3>;
int product(const Counts& along) { return along[0] * along[1] * along[2]; }

// Sizes along an axis of the parts, by their lower ends.
std::vector<std::int64_t> sizes_along(const Shares& shares, int axis) {
  std::set<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const Part& part : shares.parts) {
    ranges.insert({part.box.lower[axis], part.box.upper[axis]});
  }
  std::vector<std::int64_t> sizes;
  for (const auto& [lower, upper] : ranges) sizes.push_back(upper - lower);
  return sizes;
}

void expect_sound(const SharingOut& request, const Shares& shares) {
  ASSERT_FALSE(shares.parts.empty());
  EXPECT_GT(shares.seconds_per_stage, 0);
  EXPECT_EQ(product(shares.ranks_along), static_cast<int>(shares.parts.size()));
  // Refuses parts that do not cover every cell once.
  split(make_box(request.cells, {0, 0, 0}, {1, 1, 1}, request.periodic), shares.parts);

  int last_rank = -1;
  for (const Part& part : shares.parts) {
    EXPECT_GT(part.rank, last_rank);
    last_rank = part.rank;
    for (int a = 0; a < 3; ++a) {
      if (shares.ranks_along[a] > 1) {
        EXPECT_GE(part.box.size(a), request.thinnest(a));
        EXPECT_GT(request.cells[a], 1);
      } else {
        EXPECT_EQ(part.box.size(a), request.cells[a]);
      }
    }
  }
  EXPECT_LT(last_rank, static_cast<int>(request.weights.size()));
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(static_cast<int>(sizes_along(shares, a).size()), shares.ranks_along[a]);
  }
  EXPECT_EQ(shares.remarks.empty(), shares.parts.size() == request.weights.size());
}

TEST(ShareOut, EqualRanksGetEvenParts) {
  std::mt19937 random(21);
  for (int trial = 0; trial < 300; ++trial) {
    const auto cells = [&]() { return 1 + static_cast<std::int64_t>(random() % 40); };
    SharingOut request = request_for({cells(), cells(), cells()}, 1 + trial % 37);
    for (int a = 0; a < 3; ++a) request.periodic[a] = random() % 2 == 0;
    request.halo = 1 + trial % 4;
    request.cost.latency = trial % 3 == 0 ? 0 : 1e-5;
    request.cost.overlap = trial % 2 == 0;
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    for (int a = 0; a < 3; ++a) {
      const std::vector<std::int64_t> sizes = sizes_along(shares, a);
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      EXPECT_LE(*most - *least, 1);
    }
    // As many ranks compute as can: no larger number has factors that fit.
    for (int more = static_cast<int>(shares.parts.size()) + 1;
         more <= static_cast<int>(request.weights.size()); ++more) {
      for (int px = 1; px <= more; ++px)
        for (int py = 1; py <= more / px; ++py) {
          if (more % (px * py) != 0) continue;
          const Counts along{px, py, more / px / py};
          bool fits = true;
          for (int a = 0; a < 3; ++a) {
            fits = fits && (along[a] == 1 || along[a] * request.halo <= request.cells[a]);
          }
          EXPECT_FALSE(fits) << more << " ranks fit";
        }
    }
    if (HasFailure()) FAIL() << "in trial " << trial;
  }
}

TEST(ShareOut, UnequalRanksGetSlabsInProportion) {
  std::mt19937 random(22);
  std::uniform_real_distribution<double> weight(1, 4);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<double> weights(static_cast<std::size_t>(2 + trial % 9));
    for (double& w : weights) w = weight(random);
    SharingOut request = free_network(request_for({40, 64, 300}, weights));
    request.may_leave_out = false;
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    ASSERT_EQ(std::count(shares.ranks_along.begin(), shares.ranks_along.end(), 1), 2);
    const int axis = shares.ranks_along[0] > 1 ? 0 : shares.ranks_along[1] > 1 ? 1 : 2;
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t r = 0; r < weights.size(); ++r) {
      const double share = static_cast<double>(request.cells[axis]) * weights[r] / all;
      EXPECT_LT(std::abs(static_cast<double>(shares.parts[r].box.size(axis)) - share), 1);
    }
  }
}

TEST(ShareOut, ExactProportionsAreExact) {
  const Shares shares = share_out(free_network(request_for({16, 16, 70}, {4, 2, 1})));
  EXPECT_EQ(shares.ranks_along, (Counts{1, 1, 3}));
  EXPECT_EQ(sizes_along(shares, 2), (std::vector<std::int64_t>{40, 20, 10}));
  // 256 z layers cost nothing but cells: 16 * 16 * 40 / 4 of them at 1 ns.
  EXPECT_NEAR(shares.seconds_per_stage, 2560e-9, 1e-15);
}

TEST(PartSizes, LargestRemaindersAndThinnestParts) {
  EXPECT_EQ(even_sizes(11, 4), (std::vector<std::int64_t>{3, 3, 3, 2}));
  const auto sizes = [](std::int64_t cells, std::vector<double> weights, std::int64_t thinnest) {
    return proportional_sizes(cells, weights, thinnest);
  };
  // Shares 4.6, 3.1, 2.3: the one left goes to the first.
  EXPECT_EQ(sizes(10, {46, 31, 23}, 1), (std::vector<std::int64_t>{5, 3, 2}));
  // Shares 18, 1, 1: the thin ones take 2 and 2 from the first.
  EXPECT_EQ(sizes(20, {18, 1, 1}, 3), (std::vector<std::int64_t>{14, 3, 3}));
  // 12.5, 3.75, 3.75, and, once the last two of 5 have 4, 12 for the first.
  EXPECT_EQ(sizes(20, {10, 3, 3}, 4), (std::vector<std::int64_t>{12, 4, 4}));
  EXPECT_EQ(sizes(9, {1, 100, 1}, 3), (std::vector<std::int64_t>{3, 3, 3}));
  EXPECT_EQ(sizes(9, {1, 1, 1}, 3), (std::vector<std::int64_t>{3, 3, 3}));
}

TEST(ShareOut, TiesCutTheSlowestIndex) {
  const SharingOut cheap = free_network(request_for({512, 512, 512}, 4));
  EXPECT_EQ(share_out(cheap).ranks_along, (Counts{1, 1, 4}));
  // The default network is hidden by 512^3 cells as well.
  EXPECT_EQ(share_out(request_for({512, 512, 512}, 4)).ranks_along, (Counts{1, 1, 4}));
  // Where z is too short, y; x only when nothing else is left.
  EXPECT_EQ(share_out(free_network(request_for({512, 512, 4}, 4))).ranks_along, (Counts{1, 4, 1}));
  EXPECT_EQ(share_out(free_network(request_for({512, 4, 4}, 4))).ranks_along, (Counts{4, 1, 1}));
}

TEST(ShareOut, ParticularCountsFollowFromTheVolumeOfMessages) {
  SharingOut slow = request_for({512, 512, 512}, 64);
  slow.cost.latency = 0;
  slow.cost.bandwidth = 1e6;  // nothing hides this: least surface
  for (const bool overlap : {true, false}) {
    slow.cost.overlap = overlap;
    EXPECT_EQ(share_out(slow).ranks_along, (Counts{4, 4, 4}));
  }
  // A box twice as long along x, for 2 ranks: the smallest face is across x.
  SharingOut two = slow;
  two.cells = {256, 128, 128};
  two.weights = {1, 1};
  EXPECT_EQ(share_out(two).ranks_along, (Counts{2, 1, 1}));
  // Messages that cost only latency: slabs have two peers, and no other cut has fewer.
  SharingOut late = request_for({512, 512, 512}, 64);
  late.cost.latency = 1;
  late.cost.bandwidth = 1e30;
  EXPECT_EQ(share_out(late).ranks_along, (Counts{1, 1, 64}));
}

// By hand: 32 x 32 x 16 cells per rank, two faces of 3 x 1024 ghost cells to one peer.
TEST(ShareOut, ModelledTimeOfTwoSlabs) {
  SharingOut request = request_for({32, 32, 32}, 2);
  request.cost = {1e-9, 1e-3, 1e9, 16, false};
  const double cells = 32 * 32 * 16, ghosts = 2 * 3 * 1024;
  const double messages = 1e-3 + ghosts * 16 / 1e9;
  EXPECT_NEAR(share_out(request).seconds_per_stage, cells * 1e-9 + messages, 1e-12);
  request.cost.overlap = true;
  EXPECT_NEAR(share_out(request).seconds_per_stage, messages + ghosts * 1e-9, 1e-12);
  request.cost.latency = 0;
  request.cost.bandwidth = 1e30;
  EXPECT_NEAR(share_out(request).seconds_per_stage, cells * 1e-9, 1e-12);
  request.periodic = {true, true, false};  // one face each
  request.cost = {1e-9, 1e-3, 1e9, 16, false};
  EXPECT_NEAR(share_out(request).seconds_per_stage, cells * 1e-9 + 1e-3 + ghosts / 2 * 16 / 1e9,
              1e-12);
}

// Panels need no ghosts of each other: they are cut apart first, down to single ones, and cut
// themselves where their number does not divide evenly.
TEST(ShareOut, PanelsOfASphereAreCutApartFirst) {
  const auto along = [](int n_ranks) {
    SharingOut request = request_for({384, 384, 6}, n_ranks);
    request.cost.overlap = false;
    request.periodic = {false, false, false};
    request.halo = 2;
    request.loose_axis = 2;
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    EXPECT_EQ(shares.parts.size(), static_cast<std::size_t>(n_ranks));
    return shares.ranks_along;
  };
  EXPECT_EQ(along(2), (Counts{1, 1, 2}));
  EXPECT_EQ(along(3), (Counts{1, 1, 3}));
  EXPECT_EQ(along(6), (Counts{1, 1, 6}));
  EXPECT_EQ(along(4), (Counts{1, 2, 2}));  // 1.5 panels each, not 2, 2, 1 and 1
  EXPECT_EQ(along(12), (Counts{1, 2, 6}));
  EXPECT_EQ(product(along(7)), 7);
  EXPECT_EQ(product(along(48)), 48);
}

// Ranks of unequal speed: whole panels where these come close, else a number of rows of every panel.
TEST(ShareOut, PanelsFollowTheSpeeds) {
  SharingOut request = request_for({384, 384, 6}, {2, 1});
  request.may_leave_out = false;
  request.cost.overlap = false;
  request.periodic = {false, false, false};
  request.halo = 2;
  request.loose_axis = 2;
  Shares shares = share_out(request);
  expect_sound(request, shares);
  EXPECT_EQ(sizes_along(shares, 2), (std::vector<std::int64_t>{4, 2}));
  request.weights = {15, 1};
  shares = share_out(request);
  expect_sound(request, shares);
  EXPECT_EQ(sizes_along(shares, 1), (std::vector<std::int64_t>{360, 24}));
}

// Panels with levels, stacked: cut as the same panels without.
TEST(ShareOut, KeepsTheLevelsOfStackedPanelsTogether) {
  for (const int n_ranks : {2, 3, 4, 6, 7, 12}) {
    SharingOut request = request_for({24, 24, 6}, n_ranks);
    request.cost.overlap = false;
    request.periodic = {false, false, false};
    request.loose_axis = 2;
    request.cost.seconds_per_cell *= 10;
    request.cost.bytes_per_cell *= 10;
    const Shares flat = share_out(request);
    request.cost.seconds_per_cell /= 10;
    request.cost.bytes_per_cell /= 10;
    request.cells[2] = 60;
    request.units = {{{1, 1, 10}, 0}};
    const Shares stacked = share_out(request);
    EXPECT_EQ(stacked.ranks_along, flat.ranks_along);
    ASSERT_EQ(stacked.parts.size(), flat.parts.size());
    for (std::size_t p = 0; p < flat.parts.size(); ++p) {
      Box expected = flat.parts[p].box;
      expected.lower[2] *= 10;
      expected.upper[2] *= 10;
      EXPECT_EQ(stacked.parts[p].box.lower, expected.lower) << p;
      EXPECT_EQ(stacked.parts[p].box.upper, expected.upper) << p;
    }
  }
}

// 64 planes that may be halved 3 times: what every rank repeats outweighs a plane more or less.
TEST(ShareOut, ChoosesTheUnitOfLeastTime) {
  SharingOut request = free_network(request_for({16, 16, 64}, 3));
  request.whole = {true, true, false};
  request.cost.overlap = false;
  const double plane = 16 * 16;
  request.units = {{{1, 1, 1}, 64 * plane}, {{1, 1, 2}, 8 * plane}, {{1, 1, 4}, plane}};
  const auto expect = [&](const std::vector<std::int64_t>& sizes, double planes) {
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    EXPECT_EQ(sizes_along(shares, 2), sizes);
    EXPECT_NEAR(shares.seconds_per_stage, planes * plane * request.cost.seconds_per_cell, 1e-12);
  };
  expect({24, 20, 20}, 25);
  request.weights = {5, 2, 2};
  expect({36, 16, 12}, 8.5);  // 16 planes and the one that is repeated, at speed 2
  request.weights = {1};
  expect({64}, 64);  // one rank repeats nothing
  request.weights = {1, 1, 1};
  request.ranks_along = Counts{1, 1, 3};
  expect({24, 20, 20}, 25);
  request.weights.assign(20, 1);  // more slabs than units of 4, and each of 3 at least
  request.ranks_along = Counts{1, 1, 20};
  EXPECT_EQ(sizes_along(share_out(request), 2).size(), 20u);
  request.ranks_along.reset();
  request.weights.assign(22, 1);
  const Shares shares = share_out(request);
  EXPECT_EQ(shares.parts.size(), 21u);
  EXPECT_NE(shares.remarks.at(0).find("slabs of at least 3 cells to 21 ranks"), std::string::npos)
      << shares.remarks[0];
}

TEST(ShareOut, TheWholeAxisIsNeverCut) {
  SharingOut request = request_for({12, 10, 512}, 4);
  request.whole = {false, false, true};
  const Shares shares = share_out(request);
  EXPECT_EQ(shares.parts.size(), 4u);
  EXPECT_EQ(shares.ranks_along[2], 1);
  request.weights = {1, 2, 1, 1};  // unequal ranks may get slabs, not along that axis
  EXPECT_EQ(share_out(request).ranks_along[2], 1);
  request.ranks_along = {1, 1, 4};
  EXPECT_THROW(share_out(request), Error);
}

// Between walls: slabs of 9, 8, 8, 8 layers. The second has less to compute than the first, but two
// faces; which of them is the most loaded depends on the network.
TEST(ShareOut, ModelledTimeIsThatOfTheMostLoadedRank) {
  SharingOut request = request_for({4, 4, 33}, 4);
  request.periodic = {false, false, false};
  request.cost = {1e-3, 1e-6, 1e30, 16, false};
  EXPECT_NEAR(share_out(request).seconds_per_stage, 9 * 16 * 1e-3 + 1e-6, 1e-9);
  request.cost = {1e-6, 1e-3, 1e30, 16, false};
  EXPECT_NEAR(share_out(request).seconds_per_stage, 8 * 16 * 1e-6 + 2e-3, 1e-9);
}

TEST(ShareOut, FlatBoxesAreNotCutAcross) {
  for (int n_ranks = 1; n_ranks <= 64; ++n_ranks) {
    const SharingOut request = request_for({256, 256, 1}, n_ranks);
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    EXPECT_EQ(shares.ranks_along[2], 1);
  }
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is missing in: " << text;
  }
}

TEST(ShareOut, RanksThatWouldGetTooThinPartsAreLeftOut) {
  SharingOut request = request_for({2, 1, 12}, 8);
  Shares shares = share_out(request);
  EXPECT_EQ(shares.ranks_along, (Counts{1, 1, 4}));
  ASSERT_EQ(shares.remarks.size(), 1u);
  expect_words(shares.remarks[0],
               {"4 of 8 ranks compute: 12 cells along z give slabs of at least 3 cells to 4 ranks "
                "at most",
                "Run on 4 ranks", "24 cells"});

  request = request_for({9, 9, 2}, 20);
  shares = share_out(request);
  EXPECT_EQ(shares.ranks_along, (Counts{3, 3, 1}));
  expect_words(shares.remarks.at(0), {"9 of 20 ranks", "9 x 9 x 2 cells", "at least 3"});

  request = request_for({9, 9, 9}, 7);  // 7 slabs do not fit, 27 boxes do
  shares = share_out(request);
  EXPECT_EQ(product(shares.ranks_along), 6);
  expect_words(shares.remarks.at(0), {"6 of 7 ranks", "3 along x", "Run on 6 or 8 ranks"});

  request = request_for({5, 4, 1}, {1, 3, 2});
  shares = share_out(request);
  ASSERT_EQ(shares.parts.size(), 1u);
  EXPECT_EQ(shares.parts[0].rank, 1);  // the fastest
  EXPECT_EQ(shares.parts[0].box, (Box{{0, 0, 0}, {5, 4, 1}}));
  expect_words(shares.remarks.at(0), {"1 of 3 ranks computes", "5 x 4 x 1"});
}

TEST(ShareOut, SlowRanksAreLeftOutWhenTheRestIsFaster) {
  // The slow rank cannot get less than 3 of 12 layers, at a hundredth of the speed.
  SharingOut request = free_network(request_for({16, 16, 12}, {1, 0.01, 1}));
  Shares shares = share_out(request);
  expect_sound(request, shares);
  ASSERT_EQ(shares.parts.size(), 2u);
  EXPECT_EQ(shares.parts[0].rank, 0);
  EXPECT_EQ(shares.parts[1].rank, 2);
  EXPECT_EQ(shares.parts[0].box.count(), shares.parts[1].box.count());
  expect_words(shares.remarks.at(0), {"2 of 3 ranks compute", "rank 1 is slow"});

  request.may_leave_out = false;
  shares = share_out(request);
  EXPECT_EQ(shares.parts.size(), 3u);
  expect_sound(request, shares);

  // A long list of ranks is cut short.
  std::vector<double> weights(20, 1e-4);
  weights[5] = 1;
  shares = share_out(free_network(request_for({8, 8, 60}, weights)));
  ASSERT_EQ(shares.parts.size(), 1u);
  expect_words(shares.remarks.at(0),
               {"1 of 20 ranks computes", "ranks 0, 1, 2, 3, 4, 6, 7, 8 and 11 more are slow"});

  // Equally fast ranks stay, however dear the network: the user asked for them.
  request = request_for({16, 16, 16}, 4);
  request.cost.latency = 1;
  EXPECT_EQ(share_out(request).parts.size(), 4u);
}

TEST(ShareOut, RandomUnequalRanksGetSoundParts) {
  std::mt19937 random(23);
  std::lognormal_distribution<double> weight(0, 2);
  for (int trial = 0; trial < 300; ++trial) {
    const auto cells = [&]() { return 1 + static_cast<std::int64_t>(random() % 60); };
    std::vector<double> weights(static_cast<std::size_t>(1 + trial % 12));
    for (double& w : weights) w = weight(random);
    SharingOut request = request_for({cells(), cells(), cells()}, weights);
    if (trial % 2 == 0) request = free_network(request);
    const Shares shares = share_out(request);
    expect_sound(request, shares);
    // None is left out that is faster than one that computes.
    double slowest = 1e300;
    std::set<int> computing;
    for (const Part& part : shares.parts) {
      slowest = std::min(slowest, weights[static_cast<std::size_t>(part.rank)]);
      computing.insert(part.rank);
    }
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (computing.count(static_cast<int>(r)) == 0) {
        EXPECT_LE(weights[r], slowest);
      }
    }
    if (HasFailure()) FAIL() << "in trial " << trial;
  }
}

TEST(ShareOut, TheUsersChoice) {
  SharingOut request = request_for({12, 10, 8}, 4);
  request.ranks_along = Counts{2, 1, 2};
  Shares shares = share_out(request);
  EXPECT_EQ(shares.ranks_along, (Counts{2, 1, 2}));
  expect_sound(request, shares);
  EXPECT_EQ(shares.parts[1].box, (Box{{6, 0, 0}, {12, 10, 4}}));  // x runs fastest
  EXPECT_EQ(shares.parts[2].box, (Box{{0, 0, 4}, {6, 10, 8}}));

  request.weights = {1, 3};
  request.ranks_along = Counts{2, 1, 1};
  shares = share_out(request);
  expect_sound(request, shares);
  EXPECT_EQ(sizes_along(shares, 0), (std::vector<std::int64_t>{3, 9}));

  request.weights = {1, 1, 1, 2};
  request.ranks_along = Counts{2, 2, 1};
  shares = share_out(request);
  EXPECT_EQ(sizes_along(shares, 0), (std::vector<std::int64_t>{6, 6}));
  expect_words(shares.remarks.at(0), {"not equally fast", "2 x 2 x 1"});
}

TEST(ShareOut, RefusesAChoiceThatDoesNotFit) {
  const auto expect_refused = [](Index3 cells, int n_ranks, Counts along,
                                 const std::vector<std::string>& words) {
    SharingOut request = request_for(cells, n_ranks);
    request.ranks_along = along;
    try {
      share_out(request);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::user_input);
      expect_words(error.what(), words);
    }
  };
  expect_refused({12, 12, 12}, 4, {2, 1, 1}, {"2 x 1 x 1", "number of ranks, 4", "1 x 1 x 4"});
  expect_refused({12, 12, 12}, 4, {0, 2, 2}, {"0 along x", "at least 1"});
  expect_refused({12, 12, 12}, 4, {-2, -2, 1}, {"-2 along x", "-2 along y"});
  expect_refused({64, 64, 12}, 8, {1, 1, 8},
                 {"8 ranks along z", "parts of 1 of the 12 cells", "at least 3", "at most 4"});
  expect_refused({64, 64, 1}, 2, {1, 1, 2}, {"1 cell along z", "2 ranks can be 1 x 2 x 1"});
  expect_refused({4, 4, 4}, 2, {1, 1, 2}, {"No choice suits 2 ranks", "4 x 4 x 4"});
  expect_refused({512, 512, 512}, 4, {100, 1, 1}, {"number of ranks, 4"});
  expect_refused({12, 12, 12}, 4, {2000000000, 2000000000, 2000000000}, {"number of ranks, 4"});
}

}  // namespace
}  // namespace watersmeet::mesh
