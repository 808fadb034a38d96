// watersmeet info [CASE, DIR or FILE]: machine and build; or what a run or a file holds and how to
// open it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands/info_files.hpp"
#include "commands/run_target.hpp"
#include "config/input.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/hdf5_file.hpp"
#include "io/mesh_h5.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "io/snapshot.hpp"
#include "io/table_file.hpp"
#include "io/version.hpp"
#include "io/xdmf.hpp"
#include "launch/machine.hpp"
#include "run/case.hpp"
#include "systems/registry.hpp"
#include "watersmeet/commands.hpp"

namespace watersmeet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void emit(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

int machine(const CommonOptions& options) {
  const io::BuildInfo build = io::build_info();
  const launch::MachineInfo m = launch::machine_info();
  const std::vector<DeviceInfo> gpus = cuda_devices();
  if (options.json) {
    Json list = Json::array();
    for (const DeviceInfo& gpu : gpus) {
      list.push_back({{"index", gpu.index},
                      {"name", gpu.name},
                      {"compute_capability", gpu.compute_capability},
                      {"memory", gpu.total_bytes},
                      {"memory_free", gpu.free_bytes},
                      {"multiprocessors", gpu.multiprocessors},
                      {"driver", gpu.driver}});
    }
    emit({{"version", build.version},
          {"commit", build.commit},
          {"dirty", build.dirty},
          {"build", build.type},
          {"compiler", build.compiler},
          {"flags", build.flags},
          {"cuda", build.cuda},
          {"mpi", build.mpi},
          {"hdf5", build.hdf5},
          {"gpus", list},
          {"host", m.host},
          {"cpu", m.cpu},
          {"cores", m.cores},
          {"simd", build.simd},
          {"simd_doubles", build.simd_bytes / 8},
          {"memory", m.memory},
          {"memory_free", m.memory_free}});
    return 0;
  }
  fmt::print("{}\n", version_text());
  for (const DeviceInfo& gpu : gpus) {
    fmt::print("gpu {}   {}   {}, {} free   sm_{}   {} multiprocessors   driver {}\n", gpu.index,
               gpu.name, io::bytes_text(static_cast<double>(gpu.total_bytes)),
               io::bytes_text(static_cast<double>(gpu.free_bytes)), gpu.compute_capability,
               gpu.multiprocessors, gpu.driver);
  }
  if (gpus.empty()) {
    fmt::print("gpu     none: {}\n",
               built_with_cuda() ? "no device answers" : "built without CUDA");
  }
  fmt::print("cpu     {}, {}, {}: {} doubles at a time\n", m.cpu, io::counted(m.cores, "core"),
             build.simd, build.simd_bytes / 8);
  fmt::print("memory  {}, {} free\n", io::bytes_text(static_cast<double>(m.memory)),
             io::bytes_text(static_cast<double>(m.memory_free)));
  for (const auto& system : systems::all_systems()) {
    fmt::print("system  {}: {}\n", system.name, system.summary);
  }
  return 0;
}

std::string provenance_text(const io::Provenance& p) {
  return io::printable(
      fmt::format("{} {} (commit {}), system {}", p.program, p.version, p.commit, p.system));
}

// "average_flow.xmf" of "average_flow_000100.h5".
std::string index_of(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  return file.substr(0, file.rfind('_')) + ".xmf";
}

// The interval and the samples of an average in time.
struct Window {
  double begin = 0, averaged_over = 0;
  std::int64_t samples = 0;
};
std::optional<Window> window_of(const std::string& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group run = file.root().open_group("run");
  if (!run.has("t_begin")) return std::nullopt;
  return Window{run.real("t_begin"), run.real("averaged_over"),
                static_cast<std::int64_t>(run.real("samples"))};
}

int snapshot(const std::string& path, const CommonOptions& options) {
  const io::SnapshotSummary s = io::read_snapshot_summary(path);
  const io::Provenance p = io::read_provenance(path);
  const std::optional<Window> window = window_of(path);
  if (options.json) {
    Json fields = Json::array();
    for (const io::FieldSummary& f : s.fields) {
      fields.push_back({{"name", f.name},
                        {"long_name", f.long_name},
                        {"units", f.units},
                        {"components", f.components},
                        {"precision", name_of(f.precision)}});
    }
    Json of_window;
    if (window) {
      of_window = {{"t_begin", window->begin},
                   {"averaged_over", window->averaged_over},
                   {"samples", window->samples}};
    }
    emit({{"kind", "snapshot"},
          {"average", of_window},
          {"step", s.step},
          {"t", s.time},
          {"cells", s.n},
          {"origin", s.origin},
          {"spacing", s.spacing},
          {"faces", s.faces},
          {"blocks", s.blocks},
          {"fields", fields},
          {"run_id", p.run_id},
          {"system", p.system},
          {"command_line", p.command_line}});
    return 0;
  }
  fmt::print("snapshot    step {}, t = {}{}\n", s.step, io::number_text(s.time, 9),
             s.time_units == "1" ? "" : " " + io::printable(s.time_units));
  if (window) {
    fmt::print("average     from t = {} to {}, {} samples\n", io::number_text(window->begin, 9),
               io::number_text(s.time, 9), window->samples);
  }
  if (s.blocks.empty() && io::uneven(s)) {
    fmt::print("grid        {} cells\n", io::size_text(s.n));
    for (std::size_t a = 0; a < 3; ++a) {
      const std::vector<double> faces = io::faces_along(s, a);
      double least = faces[1] - faces[0], most = least;
      for (std::size_t i = 1; i + 1 < faces.size(); ++i) {
        least = std::min(least, faces[i + 1] - faces[i]);
        most = std::max(most, faces[i + 1] - faces[i]);
      }
      fmt::print("            {} from {} to {}, cells from {} to {} wide\n", "xyz"[a],
                 io::number_text(faces.front()), io::number_text(faces.back()),
                 io::number_text(least), io::number_text(most));
    }
  } else if (s.blocks.empty()) {
    fmt::print("grid        {} cells, spacing {} {} {}, lower corner {} {} {}\n",
               io::size_text(s.n), io::number_text(s.spacing[0]), io::number_text(s.spacing[1]),
               io::number_text(s.spacing[2]), io::number_text(s.origin[0]),
               io::number_text(s.origin[1]), io::number_text(s.origin[2]));
  } else {
    fmt::print("grid        {} curvilinear blocks, {} {}, coordinates in {}\n", s.blocks.size(),
               s.n[0], s.values_in_cells ? "cells" : "nodes", io::mesh_file_name);
  }
  for (const io::FieldSummary& f : s.fields) {
    fmt::print("field       {:<12} {}{}, {}, unit {}\n", io::printable(f.name),
               io::printable(f.long_name),
               f.components > 1 ? fmt::format(", {} components", f.components) : "",
               name_of(f.precision), io::printable(f.units));
  }
  fmt::print("made by     {}\n            {}\n", provenance_text(p), io::printable(p.command_line));
  const bool blocks = !s.blocks.empty();
  const std::string folder = io::directory_of(path);
  const std::string field = s.fields.empty() ? "time" : s.fields[0].name;
  fmt::print(
      "open        paraview {}\n            python: watersmeet.open(\"{}\")\n"
      "            python: h5py.File(\"{}\")[\"{}\"]\n",
      blocks || io::uneven(s) ? io::join(folder, index_of(path)) : path, folder, path,
      blocks && !s.fields.empty() ? "blocks/" + io::block_group(0) + "/" + field : field);
  return 0;
}

int checkpoint(const std::string& path, const CommonOptions& options) {
  io::CheckpointReader reader(path);
  reader.verify();  // says what is damaged
  const Index3 n = reader.n();
  if (options.json) {
    Json arrays = Json::array();
    for (const std::string& name : reader.names()) {
      arrays.push_back({{"name", name}, {"precision", name_of(reader.stored_precision(name))}});
    }
    emit({{"kind", "checkpoint"},
          {"good", true},
          {"cells", n},
          {"arrays", arrays},
          {"reals", reader.reals()},
          {"integers", reader.integers()}});
    return 0;
  }
  fmt::print("checkpoint  step {}, t = {}, good\n", reader.integer("step"),
             io::number_text(reader.real("t"), 9));
  fmt::print("grid        {} cells\n", io::size_text(n));
  for (const std::string& name : reader.names()) {
    fmt::print("array       {:<12} {}\n", name, name_of(reader.stored_precision(name)));
  }
  fmt::print("made by     {}\n", provenance_text(io::read_provenance(path)));
  fmt::print("resume it with  watersmeet resume {}\n", io::directory_of(path));
  return 0;
}

int case_file(const std::string& path, const CommonOptions& options) {
  config::Input input = config::Input::from_file(path);
  const std::string system = input.system(systems::system_names());
  if (!system.empty()) input.validate(systems::schema_for(system), io::read_table);
  input.throw_if_faults();
  // A curvilinear mesh is made or read to know its size.
  std::string size;
  Index3 n{};
  if (systems::schema_for(system).find("grid.cells")) {
    n = input.integers3("grid.cells");
    size = io::size_text(n) + " cells";
  } else {
    const run::Case loaded = run::load_case(path, {}, run::Start::skip);
    n = loaded.system->grid().n();
    size = run::grid_text(loaded.system->grid());
  }
  if (options.json) {
    emit({{"kind", "case file"}, {"system", system}, {"cells", n}});
    return 0;
  }
  fmt::print("case        {}   system {}, {}\n", path, system, size);
  fmt::print("what it costs   watersmeet check {0}\nrun it          watersmeet run {0}\n", path);
  return 0;
}

int write_series(const std::string& directory, const CommonOptions& options) {
  commands::require_run_directory(directory);
  const std::string file = io::join(directory, "series.vtkhdf");
  if (!io::write_series_vtkhdf(directory)) {
    throw Error(ErrorKind::user_input, directory + " holds no snapshots yet");
  }
  if (options.json) {
    emit({{"series", file}});
  } else if (!options.quiet) {
    fmt::print("wrote {0}\nopen  paraview {0}\n", file);
  }
  return 0;
}

}  // namespace

int command_info(const std::string& target, bool series, const CommonOptions& options) {
  if (series) return write_series(target, options);
  if (target.empty()) return machine(options);
  const commands::Target kind = commands::target_of(target);
  switch (kind) {
    case commands::Target::run_directory:
      commands::describe_run(target, options);
      return 0;
    case commands::Target::snapshot:
      return snapshot(target, options);
    case commands::Target::checkpoint:
      return checkpoint(target, options);
    case commands::Target::case_file:
      return case_file(target, options);
    case commands::Target::mesh:
      commands::describe_mesh(target, true, options);
      return 0;
    case commands::Target::mesh_source:
      commands::describe_mesh(target, false, options);
      return 0;
    case commands::Target::map:
      commands::describe_map(target, options);
      return 0;
    case commands::Target::scalars:
      commands::describe_scalars(target, options);
      return 0;
    case commands::Target::table:
      commands::describe_table(target, options);
      return 0;
    case commands::Target::bench:
      commands::describe_bench(target, options);
      return 0;
    case commands::Target::record:
    case commands::Target::kept:
    case commands::Target::picture:
      commands::describe_by_kind(kind, target, options);
      return 0;
    case commands::Target::series:
      break;
  }
  if (options.json) {
    emit({{"kind", "time series"}});
  } else {
    fmt::print("time series of the run in {0}\nsee   watersmeet info {0}\n",
               io::directory_of(target));
  }
  return 0;
}

}  // namespace watersmeet
