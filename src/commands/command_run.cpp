// `watersmeet run` and `watersmeet resume`: from a case or a folder to an engine; drive.cpp does the rest.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "comm/launched.hpp"
#include "commands/drive.hpp"
#include "commands/examples.hpp"
#include "commands/run_launch.hpp"
#include "commands/run_target.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/message.hpp"
#include "io/run_directory.hpp"
#include "io/run_lock.hpp"
#include "io/series.hpp"
#include "io/version.hpp"
#include "launch/ranks.hpp"
#include "run/engine.hpp"
#include "run/kept_files.hpp"
#include "run/memory_plan.hpp"
#include "run/rank_model.hpp"
#include "run/run_plan.hpp"
#include "systems/registry.hpp"

namespace watersmeet {

namespace {
namespace fs = std::filesystem;
using commands::Lock;

SimulationOptions simulation_options(const RunOptions& options) {
  // --device gpu: no rank computes on the CPU, also where the earlier launch of a resumed run had such ranks.
  const bool chosen = options.device == "gpu" || options.cpu_ranks > 0;
  return {options.device, options.precision, options.threads, options.set,
          chosen ? options.cpu_ranks : -1};
}

void say_notes(io::Terminal& terminal, const config::Input& input) {
  for (const config::Fault& note : input.notes()) {
    std::string text = config::render_note(note);
    while (text.ends_with('\n')) text.pop_back();
    terminal.say(text);
  }
}

void say_break_even(io::Terminal& terminal, const run::Case& loaded,
                    const run::Placement& placement) {
  const std::string note = run::check_break_even(loaded, placement);
  if (!note.empty()) terminal.say("note: " + note);
}

std::string runs_root() { return "runs"; }

// A number unchanged, anything else ("15 d") as a TOML string.
std::string toml_value(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' ? text : '"' + text + '"';
}

// Name of the run folder: case.name, else that of the case file.
std::string run_name(const config::Input& input, const std::string& path) {
  if (!input.is_set("case.name")) {
    const std::string stem = fs::path(path).stem().string();
    return stem == "latest" ? "case" : stem;  // runs/latest is the link to the newest run
  }
  const std::string name = input.text("case.name");
  if (name.empty() || name == "latest" || name.find('/') != std::string::npos) {
    throw Error(
        ErrorKind::user_input,
        fmt::format("case.name = \"{}\" cannot name a run folder; use a word without `/`", name));
  }
  return name;
}

// A run that was killed before its first checkpoint begins again in its folder. Its files are set
// aside, not deleted; so is a case.toml with another text.
void begin_again(const std::string& directory, const std::string& case_toml,
                 io::Terminal& terminal) {
  terminal.say("note: " + directory + " holds no good checkpoint; starting anew");
  io::remove_unfinished(directory);
  io::set_aside_after(directory, -1);
  const std::string before = directory + "/case.toml";
  if (fs::exists(before) && io::read_text_file(before) != case_toml) {
    std::error_code error;
    fs::rename(before, before + ".old", error);
    if (error)
      throw Error(ErrorKind::io, fmt::format("cannot rename {}: {}", before, error.message()));
  }
}

int resume_run(const std::string& directory, const std::string& until, const RunOptions& options,
               comm::Communicator& world, std::optional<Lock> lock, launch::AtLast& at_last);

// For a rank without a part of the grid: it waits for the end of the others without a time limit.
int wait_for_the_others(comm::Communicator& world) {
  world.set_patience(std::numeric_limits<double>::infinity());
  return 0;
}

int run_case(const std::string& case_or_example, const RunOptions& options,
             comm::Communicator& world, launch::AtLast& at_last) {
  bool begun = options.resume_auto && !options.directory.empty();
  if (begun) {
    comm::agree(world, [&] {
      begun = fs::exists(options.directory + "/resolved.toml") ||
              commands::is_unstarted_run(options.directory);
    });
    std::uint64_t all[1] = {begun ? 1u : 0u};
    world.all_reduce_max(std::span<std::uint64_t>(all));
    begun = all[0] != 0;
  }
  // Held from here on, so that no other process resumes from the same checkpoint.
  Lock lock;
  if (begun) lock = commands::lock_folder(options.directory, world);
  if (begun && !io::newest_good_checkpoint(options.directory, nullptr, &world).empty()) {
    return resume_run(options.directory, "", options, world, std::move(lock), at_last);
  }
  const bool named = commands::is_example(case_or_example);
  const bool quick = named && (options.device == "cpu" || cuda_devices().empty());
  std::string path;
  std::unique_ptr<run::Case> loaded;
  comm::agree(world, [&] {
    path = commands::resolve_case(case_or_example, quick);
    loaded = std::make_unique<run::Case>(run::load_case(path, simulation_options(options)));
  });
  run::Placement placement = run::place_case(*loaded, world);
  if (!placement.ranks) return wait_for_the_others(world);
  comm::Communicator& ranks = *placement.ranks;
  const bool first = ranks.rank() == 0;
  const auto shared = std::make_shared<io::Terminal>(options.quiet || options.json || !first);
  io::Terminal& terminal = *shared;
  if (quick) terminal.say("note: without a GPU this example runs its quick size (" + path + ")");
  say_notes(terminal, loaded->input);

  // Everything that can be refused is refused before anything is written.
  const std::string place = options.directory.empty() ? runs_root() : options.directory;
  const std::string name = run_name(loaded->input, path);
  comm::agree(ranks, [&] {
    run::plan_memory(*loaded->system, placement, loaded->input);
    if (!first) return;
    commands::check_resources(*loaded, place, options);
    say_break_even(terminal, *loaded, placement);
    if (!options.directory.empty() && !begun) io::check_new_directory(options.directory);
  });
  const std::vector<run::KeptFile> kept = run::name_kept_files(loaded->input);
  const std::string original = loaded->input.original_text(),
                    resolved = loaded->input.resolved_toml();
  auto engine = std::make_unique<run::Engine>(std::move(*loaded), std::move(placement));
  std::string directory = options.directory;
  comm::agree(ranks, [&] {
    if (!first) return;
    if (directory.empty()) {
      directory = io::create_numbered_directory(runs_root(), name);
    } else if (begun) {
      begin_again(directory, original, terminal);
    } else {
      io::create_explicit_directory(directory);
    }
    if (!lock) lock = std::make_shared<io::RunLock>(directory);
    run::keep_files(directory, kept);
    io::write_inputs(directory, original, resolved);
  });
  directory = comm::broadcast_text(ranks, directory);
  std::string check;
  const bool example = path != case_or_example;  // NAME or NAME/quick, not a file
  if (example && options.set.empty() && options.precision.empty()) {
    check = (fs::path(path).parent_path() / "check.py").string();
    if (!fs::exists(check)) check.clear();
  }
  return commands::drive(std::move(engine), directory, options, shared, lock, "", check, at_last);
}

// Completes a run that was killed, or whose disk was full, after its last checkpoint.
void complete_end(const std::string& directory, io::Terminal& terminal) {
  io::remove_unfinished(directory);
  const std::optional<bool> converged = io::read_run_record(directory).launches.back().converged;
  io::write_series_h5(directory);
  io::record_end(directory, 0, converged);
  terminal.say("the run had been interrupted at its end; series.h5 has now been written");
}

int resume_run(const std::string& directory, const std::string& until, const RunOptions& options,
               comm::Communicator& world, std::optional<Lock> lock, launch::AtLast& at_last) {
  const bool world_first = world.rank() == 0;
  const std::string input_path = directory + "/resolved.toml";
  std::vector<std::string> skipped;
  comm::agree(world, [&] {
    if (fs::exists(input_path)) return;
    if (!fs::exists(directory))
      commands::require_run_directory(directory);  // names the nearest one
    if (commands::is_unstarted_run(directory)) {
      throw Error(ErrorKind::user_input,
                  fmt::format("the run in {} ended before its first step; start it anew with  "
                              "watersmeet run CASE --dir {} --resume=auto",
                              directory, directory));
    }
    throw Error(ErrorKind::user_input,
                directory + " is not the folder of a run: it holds no resolved.toml");
  });
  if (!lock) lock = commands::lock_folder(directory, world);
  const std::string checkpoint = io::newest_good_checkpoint(directory, &skipped, &world);
  SimulationOptions choice = simulation_options(options);
  if (!until.empty()) choice.set.insert(choice.set.begin(), "time.end=" + toml_value(until));
  std::unique_ptr<run::Case> loaded;
  comm::agree(world, [&] {
    if (checkpoint.empty()) {
      throw Error(ErrorKind::user_input,
                  directory +
                      " holds no checkpoint that can be used; start anew with  watersmeet run " +
                      input_path);
    }
    loaded = std::make_unique<run::Case>(run::load_case(input_path, choice, run::Start::skip));
    if (!options.set.empty())
      run::require_same_box(run::load_case(input_path, {}, run::Start::skip).system->grid(),
                            loaded->system->grid());
  });
  double t = 0;
  std::int64_t step = 0;
  {
    const io::CheckpointReader reader(checkpoint, &world);
    t = reader.real("t");
    step = reader.integer("step");
  }
  const config::Input& input = loaded->input;
  const bool time_done = input.is_set("time.end") && t >= input.duration("time.end");
  const bool steps_done = step >= run::last_step(*loaded->system, input);
  if (time_done || steps_done) {
    io::Terminal terminal(options.quiet || options.json || !world_first);
    terminal.say(
        fmt::format("{} is finished: step {}, t = {:g}. Go further with  watersmeet resume {}{}{}",
                    directory, step, t, directory, time_done ? " --until T" : "",
                    steps_done ? " --set time.steps=N" : ""));
    const bool changed = !until.empty() || !options.set.empty();
    comm::agree(world, [&] {
      if (!world_first || changed || !fs::exists(directory + "/run.json")) return;
      const std::optional<int> status = io::read_run_record(directory).launches.back().exit_status;
      if (!status || *status == exit_status(ErrorKind::io)) complete_end(directory, terminal);
    });
    if (options.json && world_first) {
      std::optional<bool> converged;
      if (fs::exists(directory + "/run.json"))
        converged = io::read_run_record(directory).launches.back().converged;
      commands::print_json(directory, 0, step, t, checkpoint, converged);
    }
    return 0;
  }
  run::Placement placement = run::place_case(*loaded, world);
  if (!placement.ranks) return wait_for_the_others(world);
  comm::Communicator& ranks = *placement.ranks;
  const bool first = ranks.rank() == 0;
  const auto shared = std::make_shared<io::Terminal>(options.quiet || options.json || !first);
  io::Terminal& terminal = *shared;
  for (const std::string& reason : skipped)
    terminal.say("note: " + reason + ". The run resumes from an older checkpoint.");
  for (const std::string& word : options.set) {
    if (word.starts_with("initial") || word.starts_with("start"))
      terminal.say("note: --set " + word + " leaves the state, which is that of the checkpoint");
  }
  say_notes(terminal, loaded->input);
  comm::agree(ranks, [&] {
    run::plan_memory(*loaded->system, placement, loaded->input);
    if (!first) return;
    commands::check_resources(*loaded, directory, options);
    say_break_even(terminal, *loaded, placement);
  });
  const std::vector<run::KeptFile> kept = run::name_kept_files(loaded->input);
  const std::string resolved = input.resolved_toml();
  const bool changed = !until.empty() || !options.set.empty() || !options.precision.empty();
  auto engine = std::make_unique<run::Engine>(std::move(*loaded), std::move(placement));
  {
    const io::CheckpointReader reader(checkpoint, &ranks);
    comm::agree(ranks, [&] { engine->check_matches(reader); });
  }
  comm::agree(ranks, [&] {
    if (!first) return;
    io::remove_unfinished(directory);
    io::set_aside_after(directory, step);
    run::keep_files(directory, kept);
    if (changed) io::write_resolved(directory, resolved);
  });
  terminal.say("resuming from " + checkpoint);
  return commands::drive(std::move(engine), directory, options, shared, *lock, checkpoint, "",
                         at_last);
}

// The patience of ranks, in seconds, until they have read the case together: device.peer_timeout, read
// in advance. Faults of the case are ignored here, since the common reading reports them.
double early_patience(const RunOptions& options, const std::function<std::string()>& path) {
  if (comm::ranks_of_launch() <= 1) return comm::default_patience;
  try {
    config::Input input = config::Input::from_file(path(), options.set);
    const std::string system = input.system(systems::system_names());
    if (!system.empty()) input.validate(systems::schema_for(system));
    if (!system.empty() && input.is_good("device.peer_timeout"))
      return input.duration("device.peer_timeout");
  } catch (const Error&) {
  }
  return comm::default_patience;
}
}  // namespace

int command_run(const std::string& case_or_example, const RunOptions& options) {
  if (options.dry_run) return command_check(case_or_example, options);
  return launch::on_all_ranks(
      options,
      [&](comm::Communicator& world, launch::AtLast& at_last) {
        return run_case(case_or_example, options, world, at_last);
      },
      early_patience(options, [&] { return commands::resolve_case(case_or_example); }));
}

int command_resume(const std::string& directory, const std::string& until,
                   const RunOptions& options) {
  return launch::on_all_ranks(
      options,
      [&](comm::Communicator& world, launch::AtLast& at_last) {
        return resume_run(directory, until, options, world, std::nullopt, at_last);
      },
      early_patience(options, [&] { return directory + "/resolved.toml"; }));
}

}  // namespace watersmeet
