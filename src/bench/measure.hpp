#pragma once
// Rows of a benchmark measured: nothing but stepping is timed, that is ghosts, stages and the
// time-step reduction, no output.

#include <cstdint>
#include <optional>
#include <span>

#include "bench/in_turn.hpp"
#include "bench/roofline.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "exec/kernel_report.hpp"

namespace watersmeet::bench {

// The machine, as the first row that ran on it reports it; its copy bandwidth is measured once.
struct BenchMachine {
  double bandwidth = 0;          // bytes/s of all ranks together
  double bandwidth_of_rank = 0;  // of this rank
  std::string device;
  bool first = true;  // whether this rank prints and writes: the first one that computes
};

struct BenchResult {
  BenchRow row;
  int ranks = 1;
  std::array<int, 3> ranks_along{1, 1, 1};
  Index3 cells_of_first_rank{};
  std::string transport = "none";
  bool overlap = false;
  exec::KernelReport kernel;
  double points = 0;  // of all ranks
  int variables = 0, stages = 1;
  double ns_per_point_step = 0;  // median of the samples
  double spread = 0;             // (slowest - fastest) / median
  // The ratio of a step to one of the first row that was measured in turn with this one, by its name.
  std::string ratio_name;
  std::optional<PairedRatio> ratio;
  double bytes_per_point_step = 0, floor_ns = 0;
  double flops_per_point_rhs = 0;  // 0: not counted
  std::int64_t steps = 0;          // of a sample
  int repeats = 0;
  // From the first rank: its kernels, none when the system does not list them, and what bounds them.
  std::vector<exec::KernelTime> split;
  Roofline roofline;

  double ns_per_point_rhs() const { return ns_per_point_step / stages; }
  double gigaflops() const { return flops_per_point_rhs / ns_per_point_rhs(); }
  double ms_per_step() const { return ns_per_point_step * points * 1e-6; }
  double points_of_first_rank() const {
    return static_cast<double>(cells_of_first_rank[0] * cells_of_first_rank[1] *
                               cells_of_first_rank[2]);
  }
};

// What came of a row: a result, which is rank 0's to print, or why there is none; neither on a rank
// without a part.
struct Measured {
  std::optional<BenchResult> result;
  std::optional<Error> failure;  // resource: the grid does not fit; diverged: the run failed
};

// Measures `rows` in turn, all of them in memory at once. Collective.
std::vector<Measured> measure(const systems::Bench& bench, std::span<const BenchRow> rows,
                              const BenchOptions& options, BenchMachine& machine,
                              comm::Communicator& world);

}  // namespace watersmeet::bench
