// `watersmeet bench`: whole steps of a system on this machine, in a table that can be compared
// across machines. The rows and their cases are the system's own (systems/bench.hpp).
#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <optional>

#include "bench/kernel_table.hpp"
#include "bench/published.hpp"
#include "bench/result_file.hpp"
#include "bench/table.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"
#include "launch/ranks.hpp"
#include "run/case.hpp"
#include "run/known_system.hpp"
#include "run/placement.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

namespace {
// bench-nvidia-h200-2026-01-31.json
std::string default_file(const std::string& device) {
  std::string tag = device;
  for (char& c : tag)
    c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '-';
  return fmt::format("bench-{}-{}.json", tag, io::utc_now().substr(0, 10));
}

// Why a row was not measured, in a line.
std::string reason_of(const Error& failure) {
  if (failure.kind() == ErrorKind::resource) return "too little memory";
  const std::string text = failure.what();
  return "the run failed, " + text.substr(0, text.find('\n'));
}

// Throws what a run on a GPU would, where none answers: rows fail one by one only for memory.
void refuse_gpu(const systems::Bench& bench, const bench::BenchRow& row,
                const BenchOptions& options) {
  const SimulationOptions choice{options.device, "", options.threads, options.set, -1};
  run::choose_device(
      run::load_case_text(bench.case_text(row.variant, row.cells), "bench", choice).input);
}

int run_bench(const std::string& system, const BenchOptions& options, comm::Communicator& world) {
  const std::string name = run::known_system(system);
  const bench::EarlierResults earlier =
      options.compare.empty() ? bench::EarlierResults() : bench::EarlierResults(options.compare);
  const bool gpu = options.device != "cpu" && !cuda_devices().empty();
  const systems::Bench bench =
      systems::system_entry(name).bench(gpu ? Backend::cuda : Backend::cpu);
  const std::vector<bench::BenchRow> rows = bench::rows_of(bench, options);
  if (options.device == "gpu" && !gpu && !rows.empty()) refuse_gpu(bench, rows[0], options);
  bench::BenchTable table(bench.unit, rows, bench.in_turn.ratio, !earlier.empty());
  bench::BenchMachine machine;
  machine.first = world.rank() == 0;
  const auto print = [&](const std::string& text) {
    if (options.json || !machine.first) return;
    fmt::print("{}", text);
    std::fflush(stdout);
  };
  std::vector<bench::BenchResult> results;
  std::optional<ErrorKind> failure;  // of the first row without a result
  const auto json = [&](int indent) {
    return bench::result_json(name, bench.unit, machine, world.size(), results,
                              options.command_line, indent);
  };
  std::string file = options.output;
  const auto keep = [&] {
    if (file.empty()) file = default_file(machine.device);
    io::write_text_file(file, json(1) + "\n");
  };
  for (const std::vector<bench::BenchRow>& together : bench::rows_in_turn(bench, rows)) {
    const std::vector<bench::Measured> measured =
        bench::measure(bench, together, options, machine, world);
    for (std::size_t r = 0; r < together.size(); ++r) {
      if (const auto& result = measured[r].result) {
        results.push_back(*result);
        print(table.row(*result, earlier.ns_of(*result)));
      } else if (measured[r].failure) {
        if (!failure) failure = measured[r].failure->kind();
        print(table.without(together[r], reason_of(*measured[r].failure)));
      }
    }
    // So that a measurement that is cut short has its rows.
    if (machine.first && !results.empty()) keep();
  }
  const int status = results.empty() && failure ? exit_status(*failure) : 0;
  if (!machine.first) return status;
  if (results.empty()) keep();
  for (const bench::BenchResult& result : results) {
    const std::string kernels = bench::kernel_table(result, bench.unit);
    if (!kernels.empty()) print("\n" + kernels);
  }
  const std::string published = bench::published_table(bench.published, results, gpu, earlier);
  if (!published.empty()) print("\n" + published);
  if (options.json) {
    fmt::print("{}\n", json(-1));
  } else {
    print(
        fmt::format("\nfloor: every field moved once a pass at the copy bandwidth measured just "
                    "now, {:.3g} GB/s.   saved {}\n",
                    machine.bandwidth / 1e9, file));
  }
  return status;
}
}  // namespace

int command_bench(const std::string& system, const BenchOptions& options) {
  return launch::on_all_ranks(options, [&](comm::Communicator& world, launch::AtLast&) {
    return run_bench(system, options, world);
  });
}

}  // namespace watersmeet
