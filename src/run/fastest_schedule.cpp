#include "run/fastest_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/version.hpp"
#include "run/engine.hpp"

namespace watersmeet::run {

namespace {
using Json = nlohmann::ordered_json;

// On a larger grid every schedule fills the device, and which one is fastest no longer changes.
constexpr std::int64_t most_cells = std::int64_t{1} << 22;
constexpr std::int64_t fewest_along = 64;
// A sample is this long, so that the clock and single launches do not matter.
constexpr double sample_seconds = 0.02;
constexpr int samples = 3;

std::string text_of(const Index3& n) { return fmt::format("[{},{},{}]", n[0], n[1], n[2]); }

// Seconds of a step of the case by this choice; negative when it cannot compute the case.
double seconds_of_step(const Case& loaded, const Placement& placement, const Index3& cells,
                       const systems::ScheduleChoice& choice) {
  SimulationOptions options;
  options.device = "gpu";
  options.set = {"grid.cells=" + text_of(cells),
                 fmt::format("device.index={}", placement.device.index), "device.cpu_ranks=0",
                 "device.memory=resident"};
  options.set.insert(options.set.end(), choice.keys.begin(), choice.keys.end());
  try {
    // Under its own name: files that the case names are looked for beside it.
    Engine trial(
        load_case_text(loaded.input.resolved_toml(), loaded.input.name(), options, Start::skip));
    seconds_of_steps(trial, 2);
    const double rough = std::max(seconds_of_steps(trial, 4) / 4, 1e-7);
    const auto steps = static_cast<std::int64_t>(std::clamp(sample_seconds / rough, 1.0, 1000.0));
    double best = 1e300;
    for (int s = 0; s < samples; ++s)
      best = std::min(best, seconds_of_steps(trial, steps) / double(steps));
    return best;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::user_input || error.kind() == ErrorKind::unsupported) return -1;
    throw;
  }
}

Json content_of(const std::string& path) {
  if (path.empty() || !std::filesystem::exists(path)) return Json::object();
  Json content = Json::parse(io::read_text_file(path), nullptr, false);
  return content.is_object() ? content : Json::object();
}
}  // namespace

std::optional<std::string> RememberedSchedules::find(const std::string& kind) const {
  try {
    const Json content = content_of(path_);
    if (content.contains(kind) && content[kind].is_string()) return content[kind];
  } catch (const Error&) {  // cannot be read
  }
  return std::nullopt;
}

void RememberedSchedules::keep(const std::string& kind, const std::string& schedule) const {
  if (path_.empty()) return;
  try {
    std::filesystem::create_directories(io::directory_of(path_));
    Json content = content_of(path_);
    content[kind] = schedule;
    io::write_text_file(path_, content.dump(1) + "\n");
  } catch (const Error&) {
  } catch (const std::filesystem::filesystem_error&) {
  }
}

std::string remembered_schedules_path() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (!cache.empty()) return cache + "/watersmeet/schedules.json";
  return home.empty() ? "" : home + "/.cache/watersmeet/schedules.json";
}

std::string fastest_of(const std::vector<systems::ScheduleChoice>& choices,
                       const std::function<double(const systems::ScheduleChoice&)>& seconds) {
  std::string fastest = "auto";
  double least = 1e300;
  for (const systems::ScheduleChoice& choice : choices) {
    const double mine = seconds(choice);
    if (mine < 0 || mine >= least) continue;
    least = mine;
    fastest = choice.name;
  }
  return fastest;
}

Index3 trial_cells(const mesh::GridDescription& grid, const Box& part) {
  const Index3 whole = grid.n();
  const auto& uneven = grid.faces;
  Index3 cells{};
  for (std::size_t a = 0; a < 3; ++a)
    cells[a] = uneven[a].empty() ? part.size(static_cast<int>(a)) : whole[a];
  while (cells[0] * cells[1] * cells[2] > most_cells) {
    std::int64_t* longest = nullptr;
    for (std::size_t a = 0; a < 3; ++a) {
      if (uneven[a].empty() && (!longest || cells[a] > *longest)) longest = &cells[a];
    }
    if (!longest || *longest <= fewest_along) break;
    *longest = (*longest + 1) / 2;
  }
  return cells;
}

SettledSchedule settled_schedule(const Case& loaded, const Placement& placement) {
  const std::string said = loaded.input.text("device.schedule");
  if (said != "measured") return {said, ""};
  const systems::SetUp& system = *loaded.system;
  if (placement.device.backend == Backend::cpu) return {"auto", ""};  // it has one schedule
  const std::string instead = "device.schedule = \"measured\" takes what \"auto\" would: ";
  if (system.grid().kind == mesh::GridKind::cubed_sphere)
    return {"auto", instead + "trials are of boxes, not of spheres."};
  comm::Communicator& ranks = *placement.ranks;
  std::string fastest;
  comm::agree(ranks, [&] {
    if (ranks.rank() != 0) return;
    const Index3 cells = trial_cells(system.grid(), placement.share(system.grid().n()).mine);
    const io::BuildInfo build = io::build_info();
    const std::string kind = fmt::format(
        "{}, {}, {} precision, {} cells, version {} {}", placement.device.description,
        system.summary(), system.precision() == Precision::double_ ? "double" : "single",
        text_of(cells), build.version, io::commit_text(build));
    const std::vector<systems::ScheduleChoice> choices = systems::schedule_choices(system.name());
    const RememberedSchedules remembered(remembered_schedules_path());
    const std::optional<std::string> known = remembered.find(kind);
    const bool exists = known && std::any_of(choices.begin(), choices.end(),
                                             [&](const auto& c) { return c.name == *known; });
    if (exists) {
      fastest = *known;
      return;
    }
    fastest = fastest_of(choices, [&](const systems::ScheduleChoice& choice) {
      return seconds_of_step(loaded, placement, cells, choice);
    });
    remembered.keep(kind, fastest);
  });
  fastest = comm::broadcast_text(ranks, fastest);
  if (fastest != "auto") return {fastest, ""};
  return {
      fastest,
      instead + "no schedule can compute a trial of the case on a grid like rank 0's part of it."};
}

}  // namespace watersmeet::run
