#include "bench/in_turn.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace watersmeet::bench {

namespace {
bool differ_in(const std::string& label, const BenchRow& a, const BenchRow& b) {
  if (a.cells != b.cells || a.variant.precision != b.variant.precision) return false;
  const std::vector<systems::BenchLabel>&x = a.variant.labels, &y = b.variant.labels;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](const auto& p, const auto& q) {
    return p.first == q.first && (p.second == q.second) == (p.first != label);
  });
}
}  // namespace

std::vector<std::vector<BenchRow>> rows_in_turn(const systems::Bench& bench,
                                                const std::vector<BenchRow>& rows) {
  std::vector<std::vector<BenchRow>> groups;
  for (const BenchRow& row : rows) {
    const bool joins = !bench.in_turn.label.empty() && !groups.empty() &&
                       differ_in(bench.in_turn.label, groups.back().front(), row);
    if (!joins) groups.emplace_back();
    groups.back().push_back(row);
  }
  return groups;
}

std::vector<std::vector<double>> samples_in_turn(const std::vector<std::function<double()>>& take,
                                                 int rounds) {
  std::vector<std::vector<double>> samples(take.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t n = 0; n < take.size(); ++n) {
      const std::size_t row = round % 2 == 0 ? n : take.size() - 1 - n;
      samples[row].push_back(take[row]());
    }
  }
  return samples;
}

PairedRatio paired_ratio(std::span<const double> samples, std::span<const double> base) {
  require(!samples.empty() && samples.size() == base.size(), "samples come in pairs");
  std::vector<double> ratios;
  for (std::size_t n = 0; n < samples.size(); ++n) ratios.push_back(samples[n] / base[n]);
  std::sort(ratios.begin(), ratios.end());
  PairedRatio result;
  result.median = ratios[ratios.size() / 2];
  result.spread = (ratios.back() - ratios.front()) / result.median;
  return result;
}

}  // namespace watersmeet::bench
