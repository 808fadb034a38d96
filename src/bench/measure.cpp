#include "bench/measure.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "core/copy_bandwidth.hpp"
#include "run/engine.hpp"

namespace watersmeet::bench {

namespace {

// A row under way: its case on its devices, and what was measured.
struct Contender {
  std::unique_ptr<run::Engine> engine;  // null on a rank without a part, and after a failure
  std::int64_t steps = 0;               // of a sample
  Measured measured;
};

// Does `work` with the engine; a failure that other rows need not share ends this row alone.
void attempt(Contender& row, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    // A state that a scheme does not survive is no reason to measure nothing else.
    if (error.kind() != ErrorKind::resource && error.kind() != ErrorKind::diverged) throw;
    row.measured.failure = error;
    row.engine.reset();
  }
}

std::int64_t steps_of_sample(run::Engine& engine, const BenchOptions& options) {
  // Whole visits of a streamed solution.
  const std::int64_t visit = std::max(1, engine.system().fused_steps());
  run::seconds_of_steps(engine, 2 * visit);
  const double one =
      std::max(run::seconds_of_steps(engine, 3 * visit) / static_cast<double>(3 * visit), 1e-7);
  const double length = options.seconds > 0
                            ? options.seconds
                            : (engine.queue().backend == Backend::cuda ? 0.25 : 0.5);
  const auto steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(length / one), 2, 20000);
  return (steps + visit - 1) / visit * visit;
}

std::unique_ptr<run::Engine> make_engine(const systems::Bench& bench, const BenchRow& row,
                                         const BenchOptions& options, BenchMachine& machine,
                                         comm::Communicator& world) {
  const int cpu_ranks = options.cpu_ranks > 0 ? options.cpu_ranks : -1;
  const SimulationOptions choice{options.device, "", options.threads, options.set, cpu_ranks};
  run::Case loaded = run::load_case_text(bench.case_text(row.variant, row.cells), "bench", choice);
  run::Placement placement = run::place_case(loaded, world);
  if (!placement.ranks) {
    machine.first = false;
    return nullptr;
  }
  auto engine = std::make_unique<run::Engine>(std::move(loaded), std::move(placement));
  machine.device = engine->placement().description();
  machine.first = engine->first();
  if (machine.bandwidth <= 0) {
    const std::vector<double> all = engine->copy_bandwidths(large_copy);
    machine.bandwidth = std::accumulate(all.begin(), all.end(), 0.0);
    machine.bandwidth_of_rank = all[static_cast<std::size_t>(engine->team().rank())];
  }
  return engine;
}

BenchResult result_of(Contender& contender, const BenchRow& row, std::vector<double> ns,
                      const BenchOptions& options, const BenchMachine& machine) {
  run::Engine& engine = *contender.engine;
  systems::System& system = engine.system();
  std::sort(ns.begin(), ns.end());
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
  r.ns_per_point_step = ns[ns.size() / 2];
  r.spread = (ns.back() - ns.front()) / r.ns_per_point_step;
  r.bytes_per_point_step = system.bytes_per_point_step();
  r.floor_ns = r.bytes_per_point_step / machine.bandwidth * 1e9;
  r.flops_per_point_rhs = system.flops_per_point_rhs();
  r.steps = contender.steps;
  r.repeats = options.repeats;
  r.roofline = {machine.bandwidth_of_rank, arithmetic_peak(engine.queue(), system.precision())};
  // Last: it may spoil the state. A streamed one has no launches over all cells.
  if (system.fused_steps() == 0) r.split = system.time_kernels(options.repeats);
  return r;
}

std::vector<Measured> measure_together(const systems::Bench& bench, std::span<const BenchRow> rows,
                                       const BenchOptions& options, BenchMachine& machine,
                                       comm::Communicator& world) {
  std::vector<Contender> all(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    attempt(all[r], [&] { all[r].engine = make_engine(bench, rows[r], options, machine, world); });
  }
  std::vector<std::function<double()>> take;
  for (Contender& row : all) {
    attempt(row, [&] {
      if (row.engine) row.steps = steps_of_sample(*row.engine, options);
    });
    take.push_back([&row, &options, several = rows.size() > 1] {
      double ns = 0;
      attempt(row, [&] {
        if (!row.engine) return;
        // The first step after those of another row finds its arrays in no cache.
        if (several) run::seconds_of_steps(*row.engine, 1);
        ns = run::seconds_of_steps(*row.engine, row.steps) * 1e9 /
             (static_cast<double>(row.steps) * row.engine->points());
      });
      return ns;
    });
  }
  const std::vector<std::vector<double>> ns = samples_in_turn(take, options.repeats);
  std::vector<Measured> measured;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Contender& row = all[r];
    attempt(row, [&] {
      if (row.engine) row.measured.result = result_of(row, rows[r], ns[r], options, machine);
    });
    if (r > 0 && row.measured.result && measured[0].result) {
      row.measured.result->ratio_name = bench.in_turn.ratio;
      row.measured.result->ratio = paired_ratio(ns[r], ns[0]);
    }
    measured.push_back(row.measured);
  }
  return measured;
}

}  // namespace

std::vector<Measured> measure(const systems::Bench& bench, std::span<const BenchRow> rows,
                              const BenchOptions& options, BenchMachine& machine,
                              comm::Communicator& world) {
  std::vector<Measured> all = measure_together(bench, rows, options, machine, world);
  // A row for which there was too little memory beside another one may fit alone.
  bool another = false;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::optional<Error>& failure = all[r].failure;
    double lacks = failure && failure->kind() == ErrorKind::resource ? 1 : 0;
    world.all_reduce_max(std::span<double>(&lacks, 1));
    if (lacks > 0 && another)
      all[r] = measure_together(bench, rows.subspan(r, 1), options, machine, world)[0];
    another = another || lacks == 0;
  }
  return all;
}

}  // namespace watersmeet::bench
