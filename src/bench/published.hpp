#pragma once
// The third table of a benchmark: steps on a CPU and on a GPU beside those that a publication timed
// for the same case. One of the two columns is this run's, the other one that of an earlier result
// (`--compare`), made on the other device.

#include <string>
#include <vector>

#include "bench/result_file.hpp"

namespace watersmeet::bench {

// Empty when no row that was measured is one of the publication. `on_gpu`: this run.
std::string published_table(const systems::Published& published,
                            const std::vector<BenchResult>& results, bool on_gpu,
                            const EarlierResults& earlier);

}  // namespace watersmeet::bench
