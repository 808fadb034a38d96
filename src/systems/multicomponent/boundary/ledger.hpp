#pragma once
// The ledger of what has left the grid through sides with boundary conditions since the start of a
// run: mass, momentum, total energy, in the scaled numbers of the state times volume. With it
// conservation can be checked to round-off although the raw sums change: what is there now, plus what
// has left, is what was there. The fluxes are counted in whole units (exec/wide_count.hpp), so that
// the number of ranks leaves no trace.
//
// Axisymmetric: areas are 2 pi r. Mass, axial momentum and energy are kept to round-off; the radial
// momentum has the pressure as a source.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "comm/wide_totals.hpp"
#include "core/device.hpp"
#include "systems/multicomponent/boundary/ledger_count.hpp"

namespace watersmeet::multicomponent {

// Amounts of what is conserved: mass, momentum, energy.
using Amounts = std::array<double, n_conserved>;

class Ledger {
 public:
  Ledger() = default;
  // reference: amounts that the whole grid may hold, of the order of the true ones; the same on all
  // ranks. cell_volume: of a cell; axisymmetric 2 pi h_x h_r^2. weights: of the stages.
  Ledger(const Amounts& reference, double cell_volume, std::vector<double> weights,
         const Queue& queue);

  LedgerCall call(int stage) const;

  // What has left since the start of the run, on all ranks. Collective; waits for the device.
  Amounts outflow(comm::Communicator& world, const Queue& queue) const;

  // The exact numbers for a checkpoint, and back. Saving is collective.
  void save(std::map<std::string, double>& numbers, comm::Communicator& world,
            const Queue& queue) const;
  void restore_scalars(const std::map<std::string, double>& numbers, const Queue& queue);

 private:
  comm::WideTotals totals_;
  double cell_volume_ = 0;
  std::vector<double> weights_;
};

}  // namespace watersmeet::multicomponent
