// What `watersmeet info` says of the folder of a run: where the run was last, and what files it has written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "commands/info_files.hpp"
#include "config/input.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checkpoint.hpp"
#include "io/hdf5_file.hpp"
#include "io/message.hpp"
#include "io/png_file.hpp"
#include "io/run_directory.hpp"
#include "io/snapshot.hpp"
#include "io/xdmf.hpp"
#include "systems/registry.hpp"

namespace watersmeet::commands {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Where a run ends by its own resolved input: "t = 100", "step 500", "t = 100 or step 500"; empty when it does not say.
std::string goal_of(const std::string& directory) {
  try {
    config::Input input = config::Input::from_file(io::join(directory, "resolved.toml"));
    const std::string system = input.system(systems::system_names());
    if (system.empty()) return {};
    input.validate(systems::schema_for(system));
    std::string goal;
    if (input.is_good("time.end")) {
      goal = "t = " + io::number_text(input.duration("time.end"), 9);
    }
    if (input.is_good("time.steps")) {
      goal += (goal.empty() ? "step " : " or step ") + std::to_string(input.integer("time.steps"));
    }
    return goal;
  } catch (const Error&) {
    // A folder that was tidied up still holds results worth describing.
  }
  return {};
}

// Last complete line of telemetry.jsonl: where the run was when it last said so.
Json last_report(const std::string& directory) {
  std::ifstream file(io::join(directory, "telemetry.jsonl"));
  Json last;
  for (std::string line; std::getline(file, line);) {
    Json parsed = Json::parse(line, nullptr, false);
    if (parsed.is_object() && parsed.contains("step") && parsed.contains("t")) last = parsed;
  }
  return last;
}

std::string state_text(const io::Launch& launch) {
  if (launch.end.empty()) return "no end recorded: still running, or killed";
  switch (launch.exit_status.value_or(1)) {
    case 0:
      if (!launch.stopped_by.empty())
        return "yes, stopped by trigger " + io::printable(launch.stopped_by);
      if (!launch.converged) return "yes";
      return *launch.converged ? "yes, converged" : "yes, but not converged";
    case 75:
      return "no, stopped early with a checkpoint";
    case 4:
      return "no, numerical failure";
    default:
      return fmt::format("no, exit status {}", launch.exit_status.value_or(1));
  }
}

// Averages in time, parts of the grid, pictures, or iso-surfaces, and the files of each.
using NamedFiles = std::pair<std::string, std::vector<io::SnapshotSummary>>;

// The summary of a file of an iso-surface, as of a snapshot.
io::SnapshotSummary read_isosurface(const std::string& path) {
  const io::Hdf5File file = io::Hdf5File::open(path);
  const io::Hdf5Group run = file.root().open_group("run");
  io::SnapshotSummary one;
  one.time = run.real("t");
  one.step = run.integer("step");
  for (const std::string& field : file.root().open_group("VTKHDF").open_group("PointData").names())
    one.fields.emplace_back().name = io::printable(field);
  return one;
}

// A summary from the texts of pictures, as of snapshots of one field.
io::SnapshotSummary read_picture(const std::string& path) {
  const std::map<std::string, std::string> texts = io::read_png_texts(path);
  for (const char* const text : {"t", "step", "field"}) {
    if (!texts.contains(text))
      throw Error(ErrorKind::io, path + " has no texts of a picture of a run");
  }
  io::SnapshotSummary one;
  one.time = std::strtod(texts.at("t").c_str(), nullptr);
  one.step = std::strtoll(texts.at("step").c_str(), nullptr, 10);
  one.fields.emplace_back().name = io::printable(texts.at("field"));
  return one;
}

std::vector<io::SnapshotSummary> read_all(const std::vector<std::string>& paths,
                                          io::SnapshotSummary (*read)(const std::string&),
                                          std::vector<std::string>& damaged) {
  std::vector<io::SnapshotSummary> found;
  for (const std::string& path : paths) {
    try {
      found.push_back(read(path));
      found.back().file = fs::path(path).filename().string();
    } catch (const Error& error) {
      damaged.emplace_back(error.what());
    }
  }
  return found;
}

Json files_json(const std::vector<io::SnapshotSummary>& files) {
  Json json = Json::array();
  for (const io::SnapshotSummary& s : files)
    json.push_back({{"file", s.file}, {"step", s.step}, {"t", s.time}});
  return json;
}

Json files_json(const std::vector<NamedFiles>& all) {
  Json json = Json::object();
  for (const auto& [name, files] : all) json[name] = files_json(files);
  return json;
}

std::string field_names(const io::SnapshotSummary& of) {
  std::vector<std::string> names;
  for (const io::FieldSummary& field : of.fields) names.push_back(field.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_files(const std::string& title, const std::vector<NamedFiles>& all) {
  for (const auto& [name, files] : all) {
    if (files.empty()) continue;
    fmt::print("{:<12}{}, {} to t = {}: {}\n", title, io::printable(name),
               io::counted(files.size(), "file"), io::number_text(files.back().time, 6),
               field_names(files.back()));
  }
}

}  // namespace

void describe_run(const std::string& directory, const CommonOptions& options) {
  const io::RunRecord record = io::read_run_record(directory);
  const io::Launch last = record.launches.empty() ? io::Launch{} : record.launches.back();
  std::vector<std::string> damaged;
  const std::string good = io::newest_good_checkpoint(directory, &damaged);
  const std::vector<io::SnapshotSummary> snapshots = io::scan_snapshots(directory, &damaged);
  const Json report = last_report(directory);
  const std::string goal = goal_of(directory);
  const bool finished = last.exit_status == 0;
  std::vector<NamedFiles> averages, parts, pictures, surfaces;
  for (const std::string& name : io::average_names(directory))
    averages.emplace_back(name, io::scan_snapshots(directory, &damaged, io::average_kind(name)));
  for (const std::string& name : io::part_names(directory))
    parts.emplace_back(name, io::scan_snapshots(directory, &damaged, io::part_kind(name)));
  for (const std::string& name : io::picture_names(directory))
    pictures.emplace_back(name,
                          read_all(io::list_pictures(directory, name), read_picture, damaged));
  for (const std::string& name : io::isosurface_names(directory))
    surfaces.emplace_back(name, read_all(io::list_snapshots(directory, io::isosurface_kind(name)),
                                         read_isosurface, damaged));
  std::int64_t good_step = -1;
  if (!good.empty()) good_step = io::CheckpointReader(good).integer("step");
  const std::string shown =
      fs::path(directory).has_filename() ? directory : fs::path(directory).parent_path().string();
  if (options.json) {
    const Json of_run = {{"kind", "run folder"},
                         {"run_id", record.run_id},
                         {"finished", finished},
                         {"running", last.end.empty()},
                         {"exit_status", last.exit_status ? Json(*last.exit_status) : Json()},
                         {"converged", last.converged ? Json(*last.converged) : Json()},
                         {"launches", record.launches.size()},
                         {"system", last.system},
                         {"goal", goal},
                         {"last_report", report},
                         {"checkpoint", good.empty() ? Json() : Json(good)},
                         {"checkpoint_step", good.empty() ? Json() : Json(good_step)},
                         {"snapshots", files_json(snapshots)},
                         {"averages", files_json(averages)},
                         {"parts", files_json(parts)},
                         {"pictures", files_json(pictures)},
                         {"isosurfaces", files_json(surfaces)},
                         {"damaged", damaged}};
    fmt::print("{}\n", of_run.dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  std::string where;
  if (report.is_object() && report["t"].is_number() && report["step"].is_number()) {
    where = fmt::format(" (step {}, t = {}{})", report["step"].get<std::int64_t>(),
                        io::number_text(report["t"].get<double>(), 9),
                        goal.empty() ? "" : "; the end is " + goal);
  }
  fmt::print(
      "run         {}   {}, {}{}\n", shown, last.system, last.backend,
      record.launches.size() > 1 ? fmt::format(", {} launches", record.launches.size()) : "");
  fmt::print("finished    {}{}\n", state_text(last), where);
  fmt::print("checkpoint  {}\n",
             good.empty() ? "none that is good" : fmt::format("step {}, good", good_step));
  if (snapshots.empty()) {
    fmt::print("snapshots   none\n");
  } else {
    fmt::print("snapshots   {}, t = {} to {}: {}\n", snapshots.size(),
               io::number_text(snapshots.front().time, 6),
               io::number_text(snapshots.back().time, 6), field_names(snapshots.back()));
  }
  print_files("average", averages);
  print_files("part", parts);
  print_files("picture", pictures);
  print_files("surface", surfaces);
  for (const std::string& text : damaged) fmt::print("damaged     {}\n", text);
  if (!snapshots.empty()) fmt::print("open        paraview {}/fields.xmf\n", shown);
  fmt::print("{}python: watersmeet.open(\"{}\")\n",
             snapshots.empty() ? "open        " : "            ", shown);
  if (!finished && !good.empty()) fmt::print("resume it with  watersmeet resume {}\n", shown);
}

}  // namespace watersmeet::commands
