#pragma once
// Amounts that are counted over a whole run in whole units (exec/wide_count.hpp), where the kernels
// run, on all ranks: their sums, and their way through a checkpoint. The number of ranks leaves no
// trace, and neither does a restart.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "exec/wide_count.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::comm {

class WideTotals {
 public:
  WideTotals() = default;
  // keys: of the numbers in a checkpoint, one an amount. reference: amounts of the order of the
  // true ones, which fix the units; the same on all ranks.
  WideTotals(std::vector<std::string> keys, std::span<const double> reference, const Queue& queue);

  exec::WideCount* counts() const { return counts_.as<exec::WideCount>(); }
  double units_per_one(std::size_t amount) const;

  // Since the start of the run, on all ranks. Collective; waits for the device.
  std::vector<double> sums(Communicator& world, const Queue& queue) const;

  // The exact numbers for a checkpoint, and back. Saving is collective.
  void save(std::map<std::string, double>& numbers, Communicator& world, const Queue& queue) const;
  void restore_scalars(const std::map<std::string, double>& numbers, const Queue& queue);

 private:
  static constexpr std::size_t pieces = 4;  // of 32 bits; the last has the sign

  std::vector<std::int64_t> all_pieces(Communicator& world, const Queue& queue) const;
  void clear(const Queue& queue);

  std::vector<std::string> keys_;
  std::vector<int> exponent_;         // of the units
  memory::Buffer counts_;             // of this rank, since the start or the restart
  std::vector<std::int64_t> before_;  // pieces of all ranks, up to the restart
};

}  // namespace watersmeet::comm
