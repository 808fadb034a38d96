// The modelled time of a part, and of the slowest part of each way to cut.
#include "mesh/cut_candidates.hpp"

#include <algorithm>
#include <tuple>

#include "mesh/part_sizes.hpp"

namespace watersmeet::mesh {

namespace {

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

double slowest_of(const std::vector<int>& ranks, const SharingOut& request) {
  double slowest = request.weights[static_cast<std::size_t>(ranks[0])];
  for (const int r : ranks) {
    slowest = std::min(slowest, request.weights[static_cast<std::size_t>(r)]);
  }
  return slowest;
}

// What all ranks compute in addition to their parts; one rank alone has nothing to repeat.
double seconds_of_repeated(const std::vector<int>& ranks, const CutUnit& unit,
                           const SharingOut& request) {
  if (ranks.size() == 1) return 0;
  return unit.repeated * request.cost.seconds_per_cell / slowest_of(ranks, request);
}

std::vector<std::int64_t> in_cells(std::vector<std::int64_t> sizes, std::int64_t unit) {
  for (std::int64_t& size : sizes) size *= unit;
  return sizes;
}

}  // namespace

std::int64_t thinnest_units(const SharingOut& request, const CutUnit& unit, int axis) {
  return (request.thinnest(axis) + unit.cells[axis] - 1) / unit.cells[axis];
}
std::int64_t thinnest_cells(const SharingOut& request, int axis) {
  const CutUnit& unit = request.units.front();
  return thinnest_units(request, unit, axis) * unit.cells[axis];
}

Cuts::Cuts(const SharingOut& request, const CutUnit& unit) {
  for (int a = 0; a < 3; ++a) {
    const std::int64_t units = request.cells[a] / unit.cells[a];
    most_[a] =
        request.whole[a] ? 1 : std::max<std::int64_t>(1, units / thinnest_units(request, unit, a));
    all_ *= static_cast<double>(most_[a]);
    n_axes_ += most_[a] > 1 ? 1 : 0;
  }
}

std::vector<Counts> Cuts::into(int n_parts) const {
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

bool equal_speeds(const std::vector<int>& ranks, const SharingOut& request) {
  double fastest = 0;
  for (const int r : ranks) {
    fastest = std::max(fastest, request.weights[static_cast<std::size_t>(r)]);
  }
  return fastest <= equal_within * slowest_of(ranks, request);
}

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

}  // namespace watersmeet::mesh
