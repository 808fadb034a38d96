// Units, totals and their way through a checkpoint.
#include "systems/multicomponent/ledger.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace watersmeet::multicomponent {

namespace {

constexpr const char* names[n_conserved] = {"mass", "momentum_x", "momentum_y", "momentum_z",
                                            "energy"};
constexpr std::int64_t piece_base = std::int64_t{1} << 32;

std::string key_of(int quantity, int piece) {
  return std::string("ledger_") + names[quantity] + "_" + std::to_string(piece);
}
std::string unit_key_of(int quantity) { return std::string("ledger_") + names[quantity] + "_unit"; }

}  // namespace

Ledger::Ledger(const Conserved& reference, double cell_volume, std::vector<double> weights,
               const Queue& queue)
    : cell_volume_(cell_volume), weights_(std::move(weights)) {
  for (std::size_t v = 0; v < n_conserved; ++v) {
    const bool usable = reference[v] > 0 && std::isfinite(reference[v]);
    // 2^-96 of the reference; 2^-e must be a double too.
    exponent_[v] = std::clamp((usable ? std::ilogb(reference[v]) : 0) - 96, -1000, 1000);
  }
  totals_ =
      memory::Buffer(memory::working_space(queue.backend), n_conserved * sizeof(exec::WideCount));
  clear(queue);
}

void Ledger::clear(const Queue& queue) {
  fill_bytes(totals_.start(), 0, totals_.bytes(), queue);
  synchronize(queue);
}

LedgerCall Ledger::call(int stage) const {
  LedgerCall call;
  call.totals = totals_.as<exec::WideCount>();
  for (std::size_t v = 0; v < n_conserved; ++v) call.per_one[v] = std::ldexp(1.0, -exponent_[v]);
  call.weighted_volume = cell_volume_ * weights_[static_cast<std::size_t>(stage)];
  return call;
}

// Numbers of 128 bits as sums of pieces that ranks can add.
Ledger::Pieces Ledger::all_pieces(comm::Communicator& world, const Queue& queue) const {
  std::array<exec::WideCount, n_conserved> mine;
  copy_bytes(mine.data(), totals_.start(), totals_.bytes(), queue);
  synchronize(queue);
  Pieces sum{};
  for (std::size_t v = 0; v < n_conserved; ++v) {
    std::int64_t* const p = sum.data() + v * pieces;
    p[0] = static_cast<std::int64_t>(mine[v].low & 0xffffffffu);
    p[1] = static_cast<std::int64_t>(mine[v].low >> 32);
    p[2] = static_cast<std::int64_t>(mine[v].high & 0xffffffffu);
    p[3] = static_cast<std::int64_t>(mine[v].high) >> 32;
  }
  world.all_reduce_sum(std::span<std::int64_t>(sum));
  for (std::size_t v = 0; v < n_conserved; ++v) {
    std::int64_t* const p = sum.data() + v * pieces;
    for (std::size_t i = 0; i < pieces; ++i) p[i] += before_[v * pieces + i];
    for (int i = 0; i + 1 < pieces; ++i) {  // carries
      p[i + 1] += p[i] >> 32;
      p[i] &= piece_base - 1;
    }
  }
  return sum;
}

Conserved Ledger::outflow(comm::Communicator& world, const Queue& queue) const {
  const Pieces sum = all_pieces(world, queue);
  Conserved out{};
  __extension__ typedef __int128 Wide;
  for (std::size_t v = 0; v < n_conserved; ++v) {
    Wide total = 0;
    for (std::size_t i = pieces; i-- > 0;) total = total * piece_base + sum[v * pieces + i];
    out[v] = std::ldexp(static_cast<double>(total), exponent_[v]);
  }
  return out;
}

void Ledger::save(std::map<std::string, double>& numbers, comm::Communicator& world,
                  const Queue& queue) const {
  const Pieces sum = all_pieces(world, queue);
  for (int v = 0; v < n_conserved; ++v) {
    const std::size_t first = static_cast<std::size_t>(v * pieces);
    numbers[unit_key_of(v)] = exponent_[static_cast<std::size_t>(v)];
    for (int i = 0; i < pieces; ++i) {
      numbers[key_of(v, i)] = static_cast<double>(sum[first + static_cast<std::size_t>(i)]);
    }
  }
}

void Ledger::recall(const std::map<std::string, double>& numbers, const Queue& queue) {
  const auto number = [&](const std::string& key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? 0.0 : found->second;
  };
  for (int v = 0; v < n_conserved; ++v) {
    const std::size_t first = static_cast<std::size_t>(v * pieces);
    if (numbers.count(unit_key_of(v)) > 0) {
      exponent_[static_cast<std::size_t>(v)] = static_cast<int>(number(unit_key_of(v)));
    }
    for (int i = 0; i < pieces; ++i) {
      before_[first + static_cast<std::size_t>(i)] =
          static_cast<std::int64_t>(number(key_of(v, i)));
    }
  }
  clear(queue);
}

}  // namespace watersmeet::multicomponent
