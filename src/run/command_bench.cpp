// `watersmeet bench`: whole steps of a system on this machine, in a table that can be compared
// across machines. Nothing but stepping is timed: ghosts, stages and the time-step reduction, no
// output.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "run/engine.hpp"
#include "run/message.hpp"
#include "run/ranks.hpp"
#include "run/run_directory.hpp"
#include "run/version.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {

namespace {
using nlohmann::json;

struct Row {
  Index3 cells{};
  std::string precision, method, storage, schedule;
};

Index3 cells_of(const std::string& text) {
  Index3 n{};
  std::size_t axis = 0;
  const char* p = text.c_str();
  while (axis < 3) {
    char* end = nullptr;
    n[axis] = std::strtoll(p, &end, 10);
    if (end == p || n[axis] < 1 || (*end != '\0' && *end != 'x')) {
      throw Error(ErrorKind::user_input,
                  "--cells " + text + ": a number such as 256, or three such as 512x512x256");
    }
    ++axis;
    p = end;
    if (*p == '\0') break;
    ++p;
  }
  if (axis == 1) n[1] = n[2] = n[0];
  if (axis == 2 || *p != '\0') {
    throw Error(ErrorKind::user_input, "--cells " + text + ": one number or three, joined by x");
  }
  return n;
}

// Smooth, fully three-dimensional flow, so that no value is trivial and nothing decays to zero.
std::string isothermal_case(const Row& row) {
  return fmt::format(
      R"toml([case]
system = "isothermal"
[grid]
cells = [{}, {}, {}]
[physics]
viscosity = 1.0e-3
[numerics]
method = "{}"
precision = "{}"
storage = "{}"
[device]
schedule = "{}"
[time]
steps = 1000000000
[[initial]]
density = "1 + 0.1*sin(x)*cos(2*y)*sin(z)"
velocity = ["0.1*sin(x)*cos(y)*cos(z)", "-0.1*cos(x)*sin(y)*cos(2*z)", "0.05*sin(x + y)*cos(z)"]
)toml",
      row.cells[0], row.cells[1], row.cells[2], row.method, row.precision, row.storage,
      row.schedule);
}

// Whether a row has all the words of --only.
bool wanted(const Row& row, const std::string& only) {
  std::istringstream words(only);
  for (std::string word; words >> word;) {
    if (word != row.precision && word != row.method && word != row.storage && word != row.schedule)
      return false;
  }
  return true;
}

std::vector<Row> rows_of(const BenchOptions& options, bool gpu) {
  std::vector<Index3> grids;
  for (const std::string& text : options.cells) grids.push_back(cells_of(text));
  if (grids.empty()) {
    for (const std::int64_t n :
         gpu ? std::vector<std::int64_t>{256, 512} : std::vector<std::int64_t>{64, 128}) {
      grids.push_back({n, n, n});
    }
  }
  std::vector<Row> rows;
  for (const Index3& n : grids) {
    for (const char* precision : {"single", "double"}) {
      if (!options.precision.empty() && options.precision != precision) continue;
      for (const char* method : {"55-point", "19-point"}) {
        for (const char* storage : {"two", "stored"}) {
          if (std::string(precision) == "double" && std::string(storage) == "stored") continue;
          for (const char* schedule : {"ring", "direct"}) {
            const bool ring = std::string(schedule) == "ring";
            if (ring ? !gpu : gpu && std::string(storage) != "two") continue;
            const Row row = {n, precision, method, storage, schedule};
            if (wanted(row, options.only)) rows.push_back(row);
          }
        }
      }
    }
  }
  return rows;
}

// The slowest of all ranks; what is measured counts when all are done.
double slowest(comm::Communicator& ranks, double seconds) {
  ranks.all_reduce_max(std::span<double>(&seconds, 1));
  return seconds;
}

struct Machine {
  double bandwidth = 0;  // of all ranks together
  std::string device;
  bool first = true;  // rank 0 prints
};

// By all ranks; the result is rank 0's to print, null on a rank without a part.
json measure(const Row& row, const BenchOptions& options, Machine& machine,
             comm::Communicator& world) {
  const int cpu_ranks = options.cpu_ranks > 0 ? options.cpu_ranks : -1;
  const SimulationOptions choice{options.device, "", options.threads, options.set, cpu_ranks};
  run::Case loaded = run::load_case_text(isothermal_case(row), "bench", choice);
  run::Placement placement = run::place_case(loaded, world);
  if (!placement.ranks) return nullptr;
  run::Engine engine(std::move(loaded), std::move(placement));
  comm::Communicator& ranks = engine.team().communicator();
  machine.device = engine.placement().description();
  machine.first = engine.first();
  if (machine.bandwidth <= 0) machine.bandwidth = engine.copy_bandwidth();
  const double bandwidth = machine.bandwidth;
  const auto seconds_for = [&](std::int64_t steps) {
    ranks.barrier();
    const auto begin = std::chrono::steady_clock::now();
    engine.advance(1e300, engine.clock().step + steps);
    return slowest(ranks,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  };
  seconds_for(2);
  const double one = std::max(seconds_for(3) / 3, 1e-7);
  const double sample = options.seconds > 0
                            ? options.seconds
                            : (engine.queue().backend == Backend::cuda ? 0.25 : 0.5);
  const auto steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(sample / one), 2, 20000);
  std::vector<double> ns;
  for (int r = 0; r < options.repeats; ++r) {
    ns.push_back(seconds_for(steps) * 1e9 / (static_cast<double>(steps) * engine.points()));
  }
  std::sort(ns.begin(), ns.end());
  const double median = ns[ns.size() / 2];
  const double floor = engine.system().bytes_per_point_step() / bandwidth * 1e9;
  const exec::KernelReport kernel = engine.system().kernel();
  const run::Placement& where = engine.placement();
  const comm::Transport* const transport = engine.team().transport();
  const Box part = engine.share(nullptr).mine;
  return {{"cells", row.cells},
          {"ranks", ranks.size()},
          {"ranks_along", where.shares.ranks_along},
          {"cells_of_first_rank", {part.size(0), part.size(1), part.size(2)}},
          {"transport", transport ? transport->name() : "none"},
          {"overlap", engine.system().overlaps()},
          {"ms_per_step", median * engine.points() * 1e-6},
          {"precision", row.precision},
          {"method", row.method},
          {"storage", row.storage},
          {"kernel", kernel.name},
          {"ns_per_point_step", median},
          {"spread", (ns.back() - ns.front()) / median},
          {"gigaupdates_per_s", 1.0 / median},
          {"bytes_per_point_step", engine.system().bytes_per_point_step()},
          {"floor_ns", floor},
          {"share_of_floor", floor / median},
          {"registers", kernel.registers},
          {"shared_bytes", kernel.shared_bytes},
          {"local_bytes", kernel.local_bytes},
          {"warps_per_multiprocessor", kernel.warps_per_multiprocessor},
          {"steps", steps},
          {"repeats", options.repeats}};
}

std::string key_of(const json& r) {
  return fmt::format("{} {} {} {} {}", r["cells"].dump(), r["precision"].get<std::string>(),
                     r["method"].get<std::string>(), r["storage"].get<std::string>(),
                     r["kernel"].get<std::string>());
}

std::map<std::string, double> earlier_results(const std::string& path) {
  std::map<std::string, double> earlier;
  if (path.empty()) return earlier;
  std::ifstream file(path);
  const json old = json::parse(file, nullptr, false);
  if (!file || old.is_discarded() || !old.contains("rows")) {
    throw Error(ErrorKind::user_input, path + " is not a result of `watersmeet bench`");
  }
  for (const json& r : old["rows"]) earlier[key_of(r)] = r["ns_per_point_step"];
  return earlier;
}
}  // namespace

namespace {
int bench(const std::string& system, const BenchOptions& options, comm::Communicator& world) {
  const std::string name = system.empty() ? "isothermal" : system;
  const std::vector<std::string> known = systems::system_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    refuse({"bad-value", name, "no system named `" + name + "`", did_you_mean(name, known),
            "systems: isothermal"});
  }
  const std::map<std::string, double> earlier = earlier_results(options.compare);
  const bool gpu = options.device != "cpu" && !cuda_devices().empty();
  Machine machine;
  json results = json::array();
  const bool table = !options.json && world.rank() == 0;
  if (table) {
    fmt::print("{:<16} {:<7} {:<8} {:<7} {:<16} {:>9} {:>9} {:>8} {:>7}  {:>4} {:>8} {:>5}{}\n",
               "grid", "prec.", "method", "storage", "kernel", "Gupd./s", "ns/point", "of floor",
               "spread", "regs", "shared", "warps", earlier.empty() ? "" : "   against before");
  }
  for (const Row& row : rows_of(options, gpu)) {
    json r;
    try {
      r = measure(row, options, machine, world);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resource) throw;
      if (table)
        fmt::print("{}x{}x{} {}: too little memory\n", row.cells[0], row.cells[1], row.cells[2],
                   row.precision);
      continue;
    }
    if (r.is_null()) continue;
    results.push_back(r);
    if (!table) continue;
    const auto before = earlier.find(key_of(r));
    fmt::print(
        "{:<16} {:<7} {:<8} {:<7} {:<16} {:>9.3f} {:>9.4f} {:>6.1f} % {:>5.1f} %  {:>4} {:>8} "
        "{:>5}{}\n",
        fmt::format("{}x{}x{}", row.cells[0], row.cells[1], row.cells[2]), row.precision,
        row.method, row.storage, r["kernel"].get<std::string>(),
        r["gigaupdates_per_s"].get<double>(), r["ns_per_point_step"].get<double>(),
        100 * r["share_of_floor"].get<double>(), 100 * r["spread"].get<double>(),
        r["registers"].get<int>(), run::bytes_text(r["shared_bytes"].get<double>()),
        r["warps_per_multiprocessor"].get<int>(),
        before == earlier.end()
            ? ""
            : fmt::format("   {:+.1f} %",
                          100 * (before->second / r["ns_per_point_step"].get<double>() - 1)));
    std::fflush(stdout);
  }
  if (!machine.first) return 0;
  const run::BuildInfo build = run::build_info();
  const json document = {
      {"benchmark", "isothermal"},
      {"unit",
       "one full time step of one point; ghosts and time-step reduction included, no output"},
      {"device", machine.device},
      {"ranks", world.size()},
      {"copy_bandwidth_bytes_per_s", machine.bandwidth},
      {"commit", run::commit_text(build)},
      {"version", build.version},
      {"compiler", build.compiler},
      {"cuda", build.cuda},
      {"simd", build.simd},
      {"command", options.command_line},
      {"date", run::utc_now()},
      {"rows", results}};
  std::string file = options.output;
  if (file.empty()) {
    std::string tag = machine.device;
    for (char& c : tag)
      c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '-';
    file = fmt::format("bench-{}-{}.json", tag, run::utc_now().substr(0, 10));
  }
  std::ofstream out(file);
  out << document.dump(1) << "\n";
  out.close();
  if (!out) throw Error(ErrorKind::io, "cannot write " + file);
  if (table) {
    fmt::print(
        "floor: every field moved once a pass at the copy bandwidth measured just now, {:.3g} "
        "GB/s.   saved {}\n",
        machine.bandwidth / 1e9, file);
  } else {
    fmt::print("{}\n", document.dump());
  }
  return 0;
}
}  // namespace

int command_bench(const std::string& system, const BenchOptions& options) {
  return run::on_all_ranks(
      options, [&](comm::Communicator& world) { return bench(system, options, world); });
}

}  // namespace watersmeet
