// What a stage counts with.
#include "systems/multicomponent/boundary/ledger.hpp"

#include <algorithm>

namespace watersmeet::multicomponent {

Ledger::Ledger(const Amounts& reference, double cell_volume, std::vector<double> weights,
               const Queue& queue)
    : totals_({"ledger_mass", "ledger_momentum_x", "ledger_momentum_y", "ledger_momentum_z",
               "ledger_energy"},
              reference, queue),
      cell_volume_(cell_volume),
      weights_(std::move(weights)) {}

LedgerCall Ledger::call(int stage) const {
  LedgerCall call;
  call.totals = totals_.counts();
  for (std::size_t v = 0; v < n_conserved; ++v) call.per_one[v] = totals_.units_per_one(v);
  call.weighted_volume = cell_volume_ * weights_[static_cast<std::size_t>(stage)];
  return call;
}

Amounts Ledger::outflow(comm::Communicator& world, const Queue& queue) const {
  const std::vector<double> sums = totals_.sums(world, queue);
  Amounts out{};
  std::copy(sums.begin(), sums.end(), out.begin());
  return out;
}

void Ledger::save(std::map<std::string, double>& numbers, comm::Communicator& world,
                  const Queue& queue) const {
  totals_.save(numbers, world, queue);
}

void Ledger::restore_scalars(const std::map<std::string, double>& numbers, const Queue& queue) {
  totals_.restore_scalars(numbers, queue);
}

}  // namespace watersmeet::multicomponent
