#pragma once
// CPU loop of the ledger (ledger_count.hpp). Included by CPU instantiation files only.

#include <cstdint>

#include "exec/boundary_cpu.hpp"
#include "systems/multicomponent/launch.hpp"
#include "systems/multicomponent/ledger_count.hpp"

namespace watersmeet::multicomponent {

template <class R, Variant variant>
void count_boundaries_cpu(const StageCall& call, const BoundaryCall& boundaries,
                          const LedgerCall& ledger) {
  if (!boundaries.any || !call.clock->active) return;
  const auto fluxes = side_fluxes(static_cast<const R*>(call.in), *call.layout, boundaries,
                                  flow_of<R, variant>(call), ledger);
  const double dt = double(R(call.clock->dt));
  for (int side = 0; side < 6; ++side) {
    const std::int64_t cells = fluxes.sides.side[side].cells();
    const bool worth_threads = cells > 256;
#pragma omp parallel num_threads(call.queue.threads) if (worth_threads)
    {
      exec::WideCount mine[n_conserved];
#pragma omp for schedule(static)
      for (std::int64_t c = 0; c < cells; ++c) fluxes.add(side, c, dt, mine);
#pragma omp critical
      for (int v = 0; v < n_conserved; ++v) {
        ledger.totals[v] = exec::sum_of(ledger.totals[v], mine[v]);
      }
    }
  }
}

}  // namespace watersmeet::multicomponent
