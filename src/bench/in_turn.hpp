#pragma once
// Rows that are measured in turn: one sample of each, then again one of each. A machine that others
// use, or whose clock changes, slows the samples of a round alike, and the ratio of two times
// hardly notices; rows measured minutes apart do.
//
//     round 0:  A B    round 1:  B A    round 2:  A B    ...
//
// Every other round goes backwards, so that a speed that drifts favours none of the rows.

#include <functional>
#include <span>
#include <vector>

#include "bench/rows.hpp"

namespace watersmeet::bench {

// Rows that follow each other and differ in the label `bench.in_turn` alone are together; every
// other row is by itself.
std::vector<std::vector<BenchRow>> rows_in_turn(const systems::Bench& bench,
                                                const std::vector<BenchRow>& rows);

// What each of `take` gives in each round: [row][round].
std::vector<std::vector<double>> samples_in_turn(const std::vector<std::function<double()>>& take,
                                                 int rounds);

// Statistics of the quotients of two rows' samples, round by round.
struct PairedRatio {
  double median = 0;
  double spread = 0;  // (largest - smallest) / median
};
PairedRatio paired_ratio(std::span<const double> samples, std::span<const double> base);

}  // namespace watersmeet::bench
