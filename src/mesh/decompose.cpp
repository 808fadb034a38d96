// Sharing out: all ways to cut the box are candidates (p ranks as px * py * pz equal boxes; for
// ranks of different speeds also slabs in proportion, and the fastest ranks alone; each in every
// unit), each is judged by the modelled time of its most loaded rank, and the least time wins.
// Times are modelled, not measured: within 1 % they are equal, and then fewer cut axes and uncut x
// rows are better.

#include "mesh/decompose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "mesh/cut_candidates.hpp"

namespace watersmeet::mesh {

namespace {

template <class Numbers>
std::string count_text(const Numbers& n) {
  return fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

// Why only n_ranks of all ranks can compute, and what would help.
std::string too_thin_text(int n_ranks, const Cuts& cuts, const SharingOut& request) {
  const int all = static_cast<int>(request.weights.size());
  const char* compute = n_ranks == 1 ? "computes" : "compute";
  const std::string start = fmt::format("{} of {} ranks {}: ", n_ranks, all, compute);
  const std::string run_on = fmt::format("Run on {} rank{}", n_ranks, n_ranks == 1 ? "" : "s");
  if (cuts.n_axes() == 0) {
    std::string whole;
    for (std::size_t a = 0; a < 3; ++a) {
      if (!request.whole[a] || request.cells[a] == 1) continue;
      whole += (whole.empty() ? " Lines of cells stay whole in this case along " : " and ");
      whole += "xyz"[a];
    }
    if (!whole.empty()) whole += ".";
    return start + fmt::format(
                       "no axis of {} cells can be cut into parts of at least {} cells.{} "
                       "{}, or refine the mesh.",
                       count_text(request.cells), request.halo, whole, run_on);
  }
  if (cuts.all() >= all) {
    int next = all + 1;
    while (cuts.into(next).empty() && next < cuts.all() && next < 2 * all) ++next;
    const std::string or_next = cuts.into(next).empty() ? "" : fmt::format(" or {}", next);
    std::string most;
    for (int a = 0; a < 3; ++a) {
      most += fmt::format("{}{} along {}",
                          a == 0   ? ""
                          : a == 1 ? ", "
                                   : " and ",
                          cuts.most_along(a), "xyz"[a]);
    }
    return start + fmt::format(
                       "parts of at least {} cells along a cut axis can be at most {}, and "
                       "{} is no product of such numbers. Run on {}{} ranks.",
                       request.halo, most, all, n_ranks, or_next);
  }
  if (cuts.n_axes() == 1) {
    for (int a = 0; a < 3; ++a) {
      if (cuts.most_along(a) == 1) continue;
      return start + fmt::format(
                         "{} cells along {} give slabs of at least {} cells to {} ranks at "
                         "most. {}, or take at least {} cells along {}.",
                         request.cells[a], "xyz" [a], thinnest_cells(request, a), n_ranks, run_on,
                         std::int64_t { all } * thinnest_cells(request, a), "xyz"[a]);
    }
  }
  return start + fmt::format(
                     "{} cells give parts of at least {} cells along every cut axis to {} "
                     "ranks at most. {}, or refine the mesh.",
                     count_text(request.cells), request.halo, n_ranks, run_on);
}

std::string left_out_text(const Candidate& best, const Candidate& with_all,
                          const SharingOut& request) {
  constexpr int most_named = 8;
  std::string out;
  int n_out = 0;
  for (const int r : with_all.ranks) {
    if (std::binary_search(best.ranks.begin(), best.ranks.end(), r)) continue;
    if (n_out < most_named) out += fmt::format("{}{}", n_out == 0 ? "" : ", ", r);
    ++n_out;
  }
  if (n_out > most_named) out += fmt::format(" and {} more", n_out - most_named);
  const bool one = n_out == 1;
  const std::size_t kept = best.ranks.size();
  return fmt::format(
      "{} of {} ranks {}: rank{} {} {} slow enough that the model puts a stage at {:.2g} s without "
      "{} and at {:.2g} s with {}. Run on the other {} to free {}.",
      kept, request.weights.size(), kept == 1 ? "computes" : "compute", one ? "" : "s", out,
      one ? "is" : "are", best.seconds, one ? "it" : "them", with_all.seconds, one ? "it" : "them",
      kept == 1 ? "rank" : "ranks", one ? "it" : "them");
}

Shares shares_of(const Candidate& chosen) {
  Shares result;
  result.ranks_along = chosen.along;
  result.seconds_per_stage = chosen.seconds;
  std::array<std::vector<std::int64_t>, 3> first;
  for (int a = 0; a < 3; ++a) {
    first[a].assign(chosen.sizes[a].size() + 1, 0);
    std::partial_sum(chosen.sizes[a].begin(), chosen.sizes[a].end(), first[a].begin() + 1);
  }
  std::size_t number = 0;
  for (std::size_t k = 0; k < chosen.sizes[2].size(); ++k)
    for (std::size_t j = 0; j < chosen.sizes[1].size(); ++j)
      for (std::size_t i = 0; i < chosen.sizes[0].size(); ++i) {
        const Box box{{first[0][i], first[1][j], first[2][k]},
                      {first[0][i + 1], first[1][j + 1], first[2][k + 1]}};
        result.parts.push_back({0, box, chosen.ranks[number++]});
      }
  return result;
}

// The user's choice, or the reasons against it.
Shares as_asked(const SharingOut& request, const std::vector<int>& ranks, const Cuts& cuts) {
  const Counts& along = *request.ranks_along;
  const int n_ranks = static_cast<int>(ranks.size());
  std::int64_t asked = 1;
  std::string faults;
  for (int a = 0; a < 3; ++a) {
    if (along[a] < 1) {
      faults += fmt::format(" {} along {} is not possible: each number must be at least 1.",
                            along[a], "xyz"[a]);
    } else if (along[a] > 1 && request.cells[a] == 1) {
      faults += fmt::format(" The 1 cell along {} cannot be cut: ask for 1 rank along {}.",
                            "xyz"[a], "xyz"[a]);
    } else if (along[a] > 1 && request.whole[a]) {
      faults += fmt::format(
          " Lines of cells along {0} stay whole in this case: ask for 1 rank along {0}.", "xyz"[a]);
    } else if (along[a] > cuts.most_along(a)) {
      faults += fmt::format(
          " {0} ranks along {1} leave parts of {2} of the {3} cells, but a part must be at least "
          "{4} thick: at most {5} fit along {1}.",
          along[a], "xyz"[a], request.cells[a] / along[a], request.cells[a],
          thinnest_cells(request, a), cuts.most_along(a));
    }
    asked = std::min<std::int64_t>(asked, std::int64_t{1} << 31) * std::max(0, along[a]);
  }
  if (asked != n_ranks && asked > 0) {
    faults += fmt::format(" The product of the numbers must be the number of ranks, {}.", n_ranks);
  }
  if (!faults.empty()) {
    std::vector<Candidate> possible;
    add_candidates(ranks, request, possible);
    const std::string instead =
        possible.empty()
            ? fmt::format("No choice suits {} ranks and {} cells.", n_ranks,
                          count_text(request.cells))
            : fmt::format("{} ranks can be {}.", n_ranks, count_text(best_of(possible).along));
    throw Error(ErrorKind::user_input, fmt::format("the box cannot be divided among {} ranks:{} {}",
                                                   count_text(along), faults, instead));
  }
  const int cut_axes = static_cast<int>(
      std::count_if(along.begin(), along.end(), [](int parts) { return parts > 1; }));
  const int axis = along[0] > 1 ? 0 : along[1] > 1 ? 1 : 2;
  const bool equal = equal_speeds(ranks, request);
  std::vector<Candidate> fitting;
  for (const CutUnit& unit : request.units) {
    const Cuts in_unit(request, unit);
    if (along[0] > in_unit.most_along(0) || along[1] > in_unit.most_along(1) ||
        along[2] > in_unit.most_along(2)) {
      continue;
    }
    fitting.push_back(!equal && cut_axes == 1 ? slabs(ranks, axis, unit, request)
                                              : boxes(ranks, along, unit, request));
  }
  Shares result = shares_of(best_of(fitting));
  if (equal || cut_axes == 1) return result;
  result.remarks.push_back(
      fmt::format("The ranks are not equally fast, and equal parts wait for the slowest: cut along "
                  "one axis only (not {}) for parts in proportion to the speeds.",
                  count_text(along)));
  return result;
}

}  // namespace

Shares share_out(const SharingOut& request) {
  require(!request.weights.empty(), "ranks to share out to");
  for (const double weight : request.weights) {
    require(std::isfinite(weight) && weight > 0, "weights of ranks are above 0");
  }
  for (const std::int64_t n : request.cells) require(n >= 1, "at least one cell along each axis");
  for (const CutUnit& unit : request.units) {
    for (std::size_t a = 0; a < 3; ++a) {
      require(request.cells[a] % unit.cells[a] == 0, "a unit of cuts divides the cells");
    }
  }
  require(request.halo >= 0 && request.cost.bandwidth > 0, "costs of a stage are possible");

  const Cuts cuts(request, request.units.front());
  const int all = static_cast<int>(request.weights.size());
  std::vector<int> by_speed(request.weights.size());
  std::iota(by_speed.begin(), by_speed.end(), 0);
  if (request.ranks_along) return as_asked(request, by_speed, cuts);

  const auto speed = [&](int rank) { return request.weights[static_cast<std::size_t>(rank)]; };
  std::stable_sort(by_speed.begin(), by_speed.end(),
                   [&](int a, int b) { return speed(a) > speed(b); });
  const auto fastest = [&](int n_ranks) {
    std::vector<int> ranks(by_speed.begin(), by_speed.begin() + n_ranks);
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  };

  int most = static_cast<int>(std::min<double>(all, cuts.all()));
  while (cuts.into(most).empty()) --most;  // ends at 1
  std::vector<Candidate> candidates;
  add_candidates(fastest(most), request, candidates);
  const Candidate with_most = best_of(candidates);
  for (int m = most - 1; m >= 1 && request.may_leave_out; --m) {
    const bool rest_is_slower = speed(by_speed[static_cast<std::size_t>(m - 1)]) >
                                equal_within * speed(by_speed[static_cast<std::size_t>(m)]);
    if (rest_is_slower) add_candidates(fastest(m), request, candidates);
  }
  const Candidate& best = best_of(candidates);

  Shares result = shares_of(best);
  if (most < all) result.remarks.push_back(too_thin_text(most, cuts, request));
  if (best.ranks.size() < with_most.ranks.size()) {
    result.remarks.push_back(left_out_text(best, with_most, request));
  }
  return result;
}

}  // namespace watersmeet::mesh
