#pragma once
// The tables of sums.hpp from the lists of surfaces of a rank. Host code, done once for
// every level.

#include <span>
#include <vector>

#include "mesh/metrics.hpp"
#include "systems/aerodynamics/surface/sums.hpp"
#include "systems/aerodynamics/surface/tables.hpp"

namespace watersmeet::aerodynamics {

struct SumTables {
  std::vector<SumEntry> entries;
  std::vector<double> areas;    // outward, [component][entry]
  std::vector<double> factors;  // weight / h, each once
};

// Outward areas of the surfaces on a block into those of all, in the order of the lists.
void set_areas(std::span<Area<double>> areas, const SurfaceTables& tables,
               const exec::NodeBlock& block, const mesh::Metrics& metrics);

// `areas`: of all surfaces; `blocks`: of the rank, with the numbers of their nodes on faces.
// Surfaces through which everything leaves add nothing and are left out.
SumTables make_sums(const SurfaceTables& tables, std::span<const Area<double>> areas,
                    std::span<const exec::NodeBlock> blocks);

}  // namespace watersmeet::aerodynamics
