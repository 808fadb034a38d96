// Units, totals and their way through a checkpoint.
#include "comm/wide_totals.hpp"

#include <algorithm>
#include <cmath>

namespace watersmeet::comm {

namespace {

constexpr std::int64_t piece_base = std::int64_t{1} << 32;

}  // namespace

WideTotals::WideTotals(std::vector<std::string> keys, std::span<const double> reference,
                       const Queue& queue)
    : keys_(std::move(keys)), before_(pieces * keys_.size(), 0) {
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    const bool usable = reference[v] > 0 && std::isfinite(reference[v]);
    // 2^-96 of the reference; 2^-e must be a double too.
    exponent_.push_back(std::clamp((usable ? std::ilogb(reference[v]) : 0) - 96, -1000, 1000));
  }
  counts_ =
      memory::Buffer(memory::working_space(queue.backend), keys_.size() * sizeof(exec::WideCount));
  clear(queue);
}

void WideTotals::clear(const Queue& queue) {
  fill_bytes(counts_.start(), 0, counts_.bytes(), queue);
  synchronize(queue);
}

double WideTotals::units_per_one(std::size_t amount) const {
  return std::ldexp(1.0, -exponent_[amount]);
}

// Numbers of 128 bits as sums of pieces that ranks can add.
std::vector<std::int64_t> WideTotals::all_pieces(Communicator& world, const Queue& queue) const {
  std::vector<exec::WideCount> mine(keys_.size());
  copy_bytes(mine.data(), counts_.start(), counts_.bytes(), queue);
  synchronize(queue);
  std::vector<std::int64_t> sum(pieces * keys_.size());
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    std::int64_t* const p = sum.data() + v * pieces;
    p[0] = static_cast<std::int64_t>(mine[v].low & 0xffffffffu);
    p[1] = static_cast<std::int64_t>(mine[v].low >> 32);
    p[2] = static_cast<std::int64_t>(mine[v].high & 0xffffffffu);
    p[3] = static_cast<std::int64_t>(mine[v].high) >> 32;
  }
  world.all_reduce_sum(std::span<std::int64_t>(sum));
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    std::int64_t* const p = sum.data() + v * pieces;
    for (std::size_t i = 0; i < pieces; ++i) p[i] += before_[v * pieces + i];
    for (std::size_t i = 0; i + 1 < pieces; ++i) {  // carries
      p[i + 1] += p[i] >> 32;
      p[i] &= piece_base - 1;
    }
  }
  return sum;
}

std::vector<double> WideTotals::sums(Communicator& world, const Queue& queue) const {
  const std::vector<std::int64_t> sum = all_pieces(world, queue);
  std::vector<double> out;
  __extension__ typedef __int128 Wide;
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    Wide total = 0;
    for (std::size_t i = pieces; i-- > 0;) total = total * piece_base + sum[v * pieces + i];
    out.push_back(std::ldexp(static_cast<double>(total), exponent_[v]));
  }
  return out;
}

void WideTotals::save(std::map<std::string, double>& numbers, Communicator& world,
                      const Queue& queue) const {
  const std::vector<std::int64_t> sum = all_pieces(world, queue);
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    numbers[keys_[v] + "_unit"] = exponent_[v];
    for (std::size_t i = 0; i < pieces; ++i) {
      numbers[keys_[v] + "_" + std::to_string(i)] = static_cast<double>(sum[v * pieces + i]);
    }
  }
}

void WideTotals::restore_scalars(const std::map<std::string, double>& numbers, const Queue& queue) {
  const auto number = [&](const std::string& key) {
    const auto found = numbers.find(key);
    return found == numbers.end() ? 0.0 : found->second;
  };
  for (std::size_t v = 0; v < keys_.size(); ++v) {
    const std::string unit = keys_[v] + "_unit";
    if (numbers.count(unit) > 0) exponent_[v] = static_cast<int>(number(unit));
    for (std::size_t i = 0; i < pieces; ++i) {
      before_[v * pieces + i] =
          static_cast<std::int64_t>(number(keys_[v] + "_" + std::to_string(i)));
    }
  }
  clear(queue);
}

}  // namespace watersmeet::comm
