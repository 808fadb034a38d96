// Sharing out: all ways to cut the box are candidates (p ranks as px * py * pz equal boxes; for
// ranks of different speeds also slabs in proportion, and the fastest ranks alone; each in every
// unit), each is judged by the modelled time of its most loaded rank, and the least time wins.
// Times are modelled, not measured: within 1 % they are equal, and then fewer cut axes and uncut x
// rows are better.
//
//        a part, cut along both axes:    skin  cells within `halo` of a cut face: computed when
//        +-----------------+                   the ghosts have come
//        |  +-----------+  |             core  computed meanwhile, when `overlap`
//        |  |   core    |  |
//        |  +-----------+  |             time = max(core, messages) + skin
//        |      skin       |
//        +-----------------+

#include "mesh/decompose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "mesh/part_sizes.hpp"

namespace watersmeet::mesh {

namespace {

constexpr double equal_within = 1.01;  // ratio of times or of speeds that count as equal

using Counts = std::array<int, 3>;

std::string count_text(const Counts& along) {
  return fmt::format("{} x {} x {}", along[0], along[1], along[2]);
}

// A part as seen along one axis.
struct Extent {
  std::int64_t cells = 1;
  int cut_faces = 0;  // with another part beyond
  int peers = 0;      // different parts beyond them
};

Extent extent(std::int64_t cells, int part, int n_parts, bool periodic) {
  if (n_parts == 1) return {cells, 0, 0};
  const int faces = (part > 0 || periodic ? 1 : 0) + (part < n_parts - 1 || periodic ? 1 : 0);
  return {cells, faces, n_parts == 2 ? 1 : faces};
}

double seconds_per_stage(const std::array<Extent, 3>& part, double weight,
                         const SharingOut& request) {
  const StageCost& cost = request.cost;
  double cells = 1, core = 1, peers = 1;
  for (int a = 0; a < 3; ++a) {
    const Extent& e = part[static_cast<std::size_t>(a)];
    cells *= static_cast<double>(e.cells);
    core *= static_cast<double>(
        std::max<std::int64_t>(0, e.cells - std::int64_t{e.cut_faces} * request.halo_along(a)));
    if (request.halo_along(a) > 0) peers *= 1 + e.peers;
  }
  double ghost_cells = 0;
  for (int a = 0; a < 3; ++a) {
    const Extent& e = part[static_cast<std::size_t>(a)];
    ghost_cells += cells / static_cast<double>(e.cells) * e.cut_faces * request.halo_along(a);
  }
  const double messages =
      (peers - 1) * cost.latency + ghost_cells * cost.bytes_per_cell / cost.bandwidth;
  const double per_cell = cost.seconds_per_cell / weight;
  if (!cost.overlap) return cells * per_cell + messages;
  return std::max(core * per_cell, messages) + (cells - core) * per_cell;
}

// The thinnest part along an axis, in units.
std::int64_t thinnest_units(const SharingOut& request, const CutUnit& unit, int axis) {
  return (request.thinnest(axis) + unit.cells[axis] - 1) / unit.cells[axis];
}
std::int64_t thinnest_cells(const SharingOut& request, int axis) {
  const CutUnit& unit = request.units.front();
  return thinnest_units(request, unit, axis) * unit.cells[axis];
}

// The numbers of parts that a mesh allows.
class Cuts {
 public:
  Cuts(const SharingOut& request, const CutUnit& unit) {
    for (int a = 0; a < 3; ++a) {
      const std::int64_t units = request.cells[a] / unit.cells[a];
      most_[a] = request.whole[a]
                     ? 1
                     : std::max<std::int64_t>(1, units / thinnest_units(request, unit, a));
      all_ *= static_cast<double>(most_[a]);
      n_axes_ += most_[a] > 1 ? 1 : 0;
    }
  }

  std::int64_t most_along(int axis) const { return most_[axis]; }
  double all() const { return all_; }     // parts at most
  int n_axes() const { return n_axes_; }  // axes that can be cut

  // The ways to cut into so many equal boxes.
  std::vector<Counts> into(int n_parts) const {
    std::vector<Counts> result;
    for (int px = 1; px <= std::min<std::int64_t>(n_parts, most_[0]); ++px) {
      if (n_parts % px != 0) continue;
      const int rest = n_parts / px;
      for (int py = 1; py <= std::min<std::int64_t>(rest, most_[1]); ++py) {
        if (rest % py == 0 && rest / py <= most_[2]) result.push_back({px, py, rest / py});
      }
    }
    return result;
  }

 private:
  Index3 most_{1, 1, 1};
  double all_ = 1;
  int n_axes_ = 0;
};

struct Candidate {
  std::vector<int> ranks;  // that compute, ascending
  Counts along{1, 1, 1};
  std::array<std::vector<std::int64_t>, 3> sizes;
  bool in_proportion = false;
  double seconds = 0;
};

bool equal_speeds(const std::vector<int>& ranks, const SharingOut& request) {
  double slowest = request.weights[static_cast<std::size_t>(ranks[0])];
  double fastest = slowest;
  for (const int r : ranks) {
    slowest = std::min(slowest, request.weights[static_cast<std::size_t>(r)]);
    fastest = std::max(fastest, request.weights[static_cast<std::size_t>(r)]);
  }
  return fastest <= equal_within * slowest;
}

double slowest_of(const std::vector<int>& ranks, const SharingOut& request) {
  double slowest = request.weights[static_cast<std::size_t>(ranks[0])];
  for (const int r : ranks) {
    slowest = std::min(slowest, request.weights[static_cast<std::size_t>(r)]);
  }
  return slowest;
}

// What all ranks compute beside their parts; one rank alone has nothing to repeat.
double seconds_of_repeated(const std::vector<int>& ranks, const CutUnit& unit,
                           const SharingOut& request) {
  if (ranks.size() == 1) return 0;
  return unit.repeated * request.cost.seconds_per_cell / slowest_of(ranks, request);
}

std::vector<std::int64_t> in_cells(std::vector<std::int64_t> sizes, std::int64_t unit) {
  for (std::int64_t& size : sizes) size *= unit;
  return sizes;
}

// Equal boxes, at the pace of the slowest rank.
Candidate boxes(const std::vector<int>& ranks, const Counts& along, const CutUnit& unit,
                const SharingOut& request) {
  Candidate result{ranks, along, {}, false, 0};
  const double slowest = slowest_of(ranks, request);
  std::array<std::vector<Extent>, 3> kinds;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t cells = unit.cells[a];
    result.sizes[a] = in_cells(even_sizes(request.cells[a] / cells, along[a]), cells);
    // The first part is as large as any; the second has a neighbour on each side, and where it is
    // smaller than the first so are all others.
    for (const int p : {0, std::min(1, along[a] - 1)}) {
      kinds[a].push_back(
          extent(result.sizes[a][static_cast<std::size_t>(p)], p, along[a], request.periodic[a]));
    }
  }
  for (const Extent& x : kinds[0])
    for (const Extent& y : kinds[1])
      for (const Extent& z : kinds[2]) {
        result.seconds = std::max(result.seconds, seconds_per_stage({x, y, z}, slowest, request));
      }
  result.seconds += seconds_of_repeated(ranks, unit, request);
  return result;
}

// Slabs along one axis in proportion to the speeds.
Candidate slabs(const std::vector<int>& ranks, int axis, const CutUnit& unit,
                const SharingOut& request) {
  Candidate result{ranks, {1, 1, 1}, {}, true, 0};
  std::vector<double> weights;
  for (const int r : ranks) weights.push_back(request.weights[static_cast<std::size_t>(r)]);
  const int n_ranks = static_cast<int>(ranks.size());
  for (int a = 0; a < 3; ++a) result.sizes[a] = {request.cells[a]};
  result.along[axis] = n_ranks;
  const std::int64_t cells = unit.cells[axis];
  result.sizes[axis] = in_cells(
      proportional_sizes(request.cells[axis] / cells, weights, thinnest_units(request, unit, axis)),
      cells);
  std::array<Extent, 3> slab;
  for (int a = 0; a < 3; ++a) slab[a].cells = request.cells[a];
  for (int p = 0; p < n_ranks; ++p) {
    const auto number = static_cast<std::size_t>(p);
    slab[axis] = extent(result.sizes[axis][number], p, n_ranks, request.periodic[axis]);
    result.seconds = std::max(result.seconds, seconds_per_stage(slab, weights[number], request));
  }
  result.seconds += seconds_of_repeated(ranks, unit, request);
  return result;
}

void add_candidates(const std::vector<int>& ranks, const SharingOut& request,
                    std::vector<Candidate>& candidates) {
  const int n_ranks = static_cast<int>(ranks.size());
  for (const CutUnit& unit : request.units) {
    const Cuts cuts(request, unit);
    for (const Counts& along : cuts.into(n_ranks)) {
      candidates.push_back(boxes(ranks, along, unit, request));
    }
    if (equal_speeds(ranks, request)) continue;
    for (int a = 0; a < 3; ++a) {
      if (n_ranks <= cuts.most_along(a)) candidates.push_back(slabs(ranks, a, unit, request));
    }
  }
}

// Of the candidates with the least time: the most ranks, work in proportion, the fewest cut axes;
// then x least cut (whole rows, whole lines of cache), then y.
const Candidate& best_of(const std::vector<Candidate>& candidates) {
  double least = candidates.front().seconds;
  for (const Candidate& c : candidates) least = std::min(least, c.seconds);
  const auto order = [](const Candidate& c) {
    const auto cut = [&](int a) { return c.along[a] > 1 ? 1 : 0; };
    return std::tuple(-static_cast<int>(c.ranks.size()), c.in_proportion ? 0 : 1,
                      cut(0) + cut(1) + cut(2), c.along[0], c.along[1]);
  };
  const Candidate* best = nullptr;
  for (const Candidate& c : candidates) {
    if (c.seconds > equal_within * least) continue;
    if (best == nullptr || order(c) < order(*best)) best = &c;
  }
  return *best;
}

std::string cells_text(const Index3& n) { return fmt::format("{} x {} x {}", n[0], n[1], n[2]); }

// Why only n_ranks of all ranks can compute, and what would help.
std::string too_thin_text(int n_ranks, const Cuts& cuts, const SharingOut& request) {
  const int all = static_cast<int>(request.weights.size());
  const char* compute = n_ranks == 1 ? "computes" : "compute";
  const std::string start = fmt::format("{} of {} ranks {}: ", n_ranks, all, compute);
  const std::string run_on = fmt::format("Run on {} rank{}", n_ranks, n_ranks == 1 ? "" : "s");
  if (cuts.n_axes() == 0) {
    return start + fmt::format(
                       "no axis of {} cells can be cut into parts of at least {} cells. "
                       "{}, or refine the mesh.",
                       cells_text(request.cells), request.halo, run_on);
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
                     cells_text(request.cells), request.halo, n_ranks, run_on);
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
                          cells_text(request.cells))
            : fmt::format("{} ranks can be {}.", n_ranks, count_text(best_of(possible).along));
    throw Error(ErrorKind::user_input, fmt::format("the box cannot be shared out as {} ranks:{} {}",
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
                  "one axis only (not {}) to share out in proportion to the speeds.",
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
