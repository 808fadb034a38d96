#include "systems/aerodynamics/surface/sum_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "core/error.hpp"

namespace watersmeet::aerodynamics {

namespace {

// A node of the lists of surfaces.
struct Listed {
  std::size_t list = 0;
  std::vector<SurfaceKind> kinds;  // of its surfaces that add something
};

std::vector<Listed> sorted_nodes(const SurfaceTables& tables) {
  std::vector<Listed> nodes;
  for (std::size_t s = 0; s < tables.node.size(); ++s) {
    Listed node{s, {}};
    for (std::int32_t e = tables.first[s]; e < tables.first[s + 1]; ++e) {
      const SurfaceKind kind = tables.surfaces[static_cast<std::size_t>(e)].kind;
      if (kind != SurfaceKind::supersonic_outflow) node.kinds.push_back(kind);
    }
    if (!node.kinds.empty()) nodes.push_back(std::move(node));
  }
  std::stable_sort(nodes.begin(), nodes.end(), [](const Listed& a, const Listed& b) {
    const bool several = a.kinds.size() > 1;
    if (several != (b.kinds.size() > 1)) return several;
    return a.kinds < b.kinds;
  });
  return nodes;
}

std::int32_t number_of(std::int64_t node, std::span<const exec::NodeBlock> blocks) {
  const auto after =
      std::upper_bound(blocks.begin(), blocks.end(), node,
                       [](std::int64_t at, const exec::NodeBlock& b) { return at < b.first; });
  const exec::NodeBlock& block = *(after - 1);
  const auto at = static_cast<int>(node - block.first);
  const exec::NodePoint p = exec::node_point(&block, at % block.n[0], at / block.n[0] % block.n[1],
                                             at / block.n[0] / block.n[1]);
  const int number = exec::face_number(p);
  require(number >= 0, "surfaces are those of nodes on faces");
  return number;
}

// By kind: the partner, or a place in a table of what boundaries give.
std::int32_t beyond_of(const Surface& s) {
  switch (s.kind) {
    case SurfaceKind::interface:
      return s.partner;
    case SurfaceKind::farfield:
    case SurfaceKind::supersonic_inflow:
      return s.outside;
    default:
      return s.given;
  }
}

}  // namespace

void set_areas(std::span<Area<double>> areas, const SurfaceTables& tables,
               const exec::NodeBlock& block, const mesh::Metrics& metrics) {
  const std::int64_t nodes = std::int64_t{block.n[0]} * block.n[1] * block.n[2];
  const auto list_of = [&](std::int64_t node) {
    return static_cast<std::size_t>(std::lower_bound(tables.node.begin(), tables.node.end(), node) -
                                    tables.node.begin());
  };
  const std::size_t end = list_of(block.first + nodes);
  for (std::size_t s = list_of(block.first); s < end; ++s) {
    const auto at = static_cast<std::size_t>(tables.node[s] - block.first);
    const auto last = static_cast<std::size_t>(tables.first[s + 1]);
    for (auto e = static_cast<std::size_t>(tables.first[s]); e < last; ++e) {
      const Surface& surface = tables.surfaces[e];
      const auto& area = metrics.area[static_cast<std::size_t>(surface.direction)];
      for (std::size_t m = 0; m < 3; ++m) {
        areas[e][static_cast<int>(m)] = surface.sign * area[m][at];
      }
    }
  }
}

SumTables make_sums(const SurfaceTables& tables, std::span<const Area<double>> areas,
                    std::span<const exec::NodeBlock> blocks) {
  SumTables sums;
  std::map<double, std::uint16_t> factors;
  std::vector<Area<double>> outward;
  const auto pad = [&](std::size_t count) {
    sums.entries.insert(sums.entries.end(), count, SumEntry{});
    outward.insert(outward.end(), count, Area<double>{});
  };
  for (const Listed& node : sorted_nodes(tables)) {
    const std::size_t count = node.kinds.size();
    require(count <= sum_group, "a node has few surfaces");
    const std::size_t room = sum_group - sums.entries.size() % sum_group;
    if (count > room) pad(room);
    SumEntry entry;
    entry.node = tables.node[node.list];
    entry.number = number_of(entry.node, blocks);
    entry.count = static_cast<std::uint8_t>(count);
    for (std::int32_t e = tables.first[node.list]; e < tables.first[node.list + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      const Surface& s = tables.surfaces[at];
      if (s.kind == SurfaceKind::supersonic_outflow) continue;
      entry.beyond = beyond_of(s);
      entry.kind = s.kind;
      const auto next = static_cast<std::uint16_t>(factors.size());
      entry.factor = factors.try_emplace(s.factor, next).first->second;
      sums.entries.push_back(entry);
      outward.push_back(areas[at]);
      entry.count = 0;  // of those that follow
    }
  }
  require(factors.size() <= std::numeric_limits<std::uint16_t>::max(),
          "parts of faces have few values");
  if (sums.entries.size() % sum_group != 0) pad(sum_group - sums.entries.size() % sum_group);
  sums.factors.resize(factors.size());
  for (const auto& [factor, place] : factors) sums.factors[place] = factor;
  const std::size_t count = sums.entries.size();
  sums.areas.resize(3 * count);
  for (std::size_t e = 0; e < count; ++e) {
    for (std::size_t m = 0; m < 3; ++m) {
      sums.areas[m * count + e] = outward[e][static_cast<int>(m)];
    }
  }
  return sums;
}

}  // namespace watersmeet::aerodynamics
