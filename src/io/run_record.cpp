// run.json: the launches of a run. The first launch is the top level of the object, later ones are
// the list "restarts".
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"

namespace watersmeet::io {
namespace {

using Json = nlohmann::ordered_json;

std::string record_path(const std::string& directory) { return join(directory, "run.json"); }

// f(name, member) for the members that every launch has.
template <class Member, class F>
void for_members(Member& launch, const F& f) {
  f("command_line", launch.command_line);
  f("version", launch.version);
  f("commit", launch.commit);
  f("dirty", launch.dirty);
  f("compiler", launch.compiler);
  f("flags", launch.flags);
  f("host", launch.host);
  f("system", launch.system);
  f("backend", launch.backend);
  f("devices", launch.devices);
  f("driver", launch.driver);
  f("ranks", launch.ranks);
  f("threads", launch.threads);
  f("first_step", launch.first_step);
  f("start", launch.start);
}

void put(Json& object, const Launch& launch) {
  for_members(launch, [&](const char* name, const auto& value) { object[name] = value; });
  object["end"] = launch.end.empty() ? Json() : Json(launch.end);
  object["exit_status"] = launch.exit_status ? Json(*launch.exit_status) : Json();
  object["converged"] = launch.converged ? Json(*launch.converged) : Json();
  object["stopped_by"] = launch.stopped_by.empty() ? Json() : Json(launch.stopped_by);
  object["divisions"] = Json::array();
  for (const DivisionRecord& d : launch.divisions)
    object["divisions"].push_back({{"step", d.step}, {"before", d.before}, {"after", d.after}});
}

Launch get(const Json& object) {
  Launch launch;
  for_members(launch, [&](const char* name, auto& value) { object.at(name).get_to(value); });
  if (!object.at("end").is_null()) object.at("end").get_to(launch.end);
  if (!object.at("exit_status").is_null()) launch.exit_status = object.at("exit_status").get<int>();
  // Records of earlier versions do not have these.
  if (object.contains("converged") && !object["converged"].is_null())
    launch.converged = object["converged"].get<bool>();
  if (object.contains("stopped_by") && !object["stopped_by"].is_null())
    object["stopped_by"].get_to(launch.stopped_by);
  if (object.contains("divisions")) {
    for (const Json& d : object["divisions"])
      launch.divisions.push_back({d.at("step").get<std::int64_t>(),
                                  d.at("before").get<std::vector<std::int64_t>>(),
                                  d.at("after").get<std::vector<std::int64_t>>()});
  }
  return launch;
}

void write_record(const std::string& directory, const RunRecord& record) {
  require(!record.launches.empty(), "a run record needs a launch");
  Json object;
  object["program"] = "watersmeet";
  object["run_id"] = record.run_id;
  put(object, record.launches.front());
  object["restarts"] = Json::array();
  for (std::size_t i = 1; i < record.launches.size(); ++i) {
    Json restart;
    put(restart, record.launches[i]);
    object["restarts"].push_back(restart);
  }
  // Command lines may hold bytes that are not UTF-8: they are replaced, not refused.
  write_text_file(record_path(directory),
                  object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

RunRecord read_run_record(const std::string& directory) {
  const std::string path = record_path(directory);
  const std::string text = read_text_file(path);
  try {
    const Json object = Json::parse(text);
    RunRecord record;
    object.at("run_id").get_to(record.run_id);
    record.launches.push_back(get(object));
    for (const Json& restart : object.at("restarts")) record.launches.push_back(get(restart));
    return record;
  } catch (const Json::exception& failure) {
    throw Error(ErrorKind::io, fmt::format("{} is damaged: {}", path, failure.what()));
  }
}

void record_start(const std::string& directory, const std::string& run_id, Launch launch) {
  RunRecord record;
  if (std::filesystem::exists(record_path(directory))) {
    record = read_run_record(directory);
  } else {
    record.run_id = run_id;
  }
  if (launch.start.empty()) launch.start = utc_now();
  record.launches.push_back(std::move(launch));
  write_record(directory, record);
}

void record_end(const std::string& directory, int exit_status, std::optional<bool> converged,
                const std::string& stopped_by) {
  RunRecord record = read_run_record(directory);
  record.launches.back().end = utc_now();
  record.launches.back().exit_status = exit_status;
  record.launches.back().converged = converged;
  record.launches.back().stopped_by = stopped_by;
  write_record(directory, record);
}

void record_division(const std::string& directory, DivisionRecord division) {
  RunRecord record = read_run_record(directory);
  record.launches.back().divisions.push_back(std::move(division));
  write_record(directory, record);
}

}  // namespace watersmeet::io
