#include "run/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "run/engine.hpp"

namespace watersmeet::run {

namespace {
// The slowest of all ranks; what is measured counts when all are done.
double slowest(comm::Communicator& ranks, double seconds) {
  ranks.all_reduce_max(std::span<double>(&seconds, 1));
  return seconds;
}

struct Sample {
  std::vector<double> ns;  // per point and step, ascending
  std::int64_t steps = 0;
};

Sample sample(Engine& engine, const BenchOptions& options) {
  comm::Communicator& ranks = engine.team().communicator();
  const auto seconds_for = [&](std::int64_t steps) {
    ranks.barrier();
    const auto begin = std::chrono::steady_clock::now();
    engine.advance(1e300, engine.clock().step + steps);
    return slowest(ranks,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  };
  seconds_for(2);
  const double one = std::max(seconds_for(3) / 3, 1e-7);
  const double length = options.seconds > 0
                            ? options.seconds
                            : (engine.queue().backend == Backend::cuda ? 0.25 : 0.5);
  Sample result;
  result.steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(length / one), 2, 20000);
  for (int r = 0; r < options.repeats; ++r) {
    result.ns.push_back(seconds_for(result.steps) * 1e9 /
                        (static_cast<double>(result.steps) * engine.points()));
  }
  std::sort(result.ns.begin(), result.ns.end());
  return result;
}
}  // namespace

std::optional<BenchResult> measure(const systems::Bench& bench, const BenchRow& row,
                                   const BenchOptions& options, BenchMachine& machine,
                                   comm::Communicator& world) {
  const int cpu_ranks = options.cpu_ranks > 0 ? options.cpu_ranks : -1;
  const SimulationOptions choice{options.device, "", options.threads, options.set, cpu_ranks};
  Case loaded = load_case_text(bench.case_text(row.variant, row.cells), "bench", choice);
  Placement placement = place_case(loaded, world);
  if (!placement.ranks) return std::nullopt;
  Engine engine(std::move(loaded), std::move(placement));
  systems::System& system = engine.system();
  machine.device = engine.placement().description();
  machine.first = engine.first();
  if (machine.bandwidth <= 0) {
    const std::vector<double> all = engine.copy_bandwidths();
    machine.bandwidth = std::accumulate(all.begin(), all.end(), 0.0);
    machine.bandwidth_of_rank = all[static_cast<std::size_t>(engine.team().rank())];
  }

  const Sample taken = sample(engine, options);
  BenchResult r;
  r.row = row;
  r.ranks = engine.team().size();
  r.ranks_along = engine.placement().shares.ranks_along;
  const Box part = engine.share(nullptr).mine;
  r.cells_of_first_rank = {part.size(0), part.size(1), part.size(2)};
  if (const comm::Transport* const transport = engine.team().transport())
    r.transport = transport->name();
  r.overlap = system.overlaps();
  r.kernel = system.kernel();
  r.points = engine.points();
  r.variables = static_cast<int>(system.variables().size());
  r.stages = system.stages();
  r.ns_per_point_step = taken.ns[taken.ns.size() / 2];
  r.spread = (taken.ns.back() - taken.ns.front()) / r.ns_per_point_step;
  r.bytes_per_point_step = system.bytes_per_point_step();
  r.floor_ns = r.bytes_per_point_step / machine.bandwidth * 1e9;
  r.flops_per_point_rhs = system.flops_per_point_rhs();
  r.steps = taken.steps;
  r.repeats = options.repeats;
  r.roofline = {machine.bandwidth_of_rank, arithmetic_peak(engine.queue(), system.precision())};
  r.split = system.time_kernels(options.repeats);  // last: it may spoil the state
  return r;
}

}  // namespace watersmeet::run
