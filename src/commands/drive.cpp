#include "commands/drive.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "commands/movie.hpp"
#include "commands/python.hpp"
#include "commands/run_launch.hpp"
#include "core/error.hpp"
#include "io/checkpoint.hpp"
#include "io/run_directory.hpp"
#include "run/driver.hpp"

namespace watersmeet::commands {

namespace {
namespace fs = std::filesystem;

// Picture and movies, then the example's own judgement. None can spoil a finished run.
void afterwards(const std::string& directory, bool overview, const std::vector<std::string>& movies,
                const std::string& check, io::Terminal& terminal) {
  if (overview) {
    const PythonResult plot = run_python({"-m", "watersmeet.plot", directory});
    terminal.say(plot.status == 0
                     ? "see        " + plot.last_line()
                     : "no picture: " + plot.last_line() +
                           "\n           to draw it later:  watersmeet plot " + directory);
  }
  for (const std::string& name : movies) {
    const std::string line = make_movie(directory, name);
    if (!line.empty()) terminal.say(line);
  }
  if (!check.empty()) {
    const PythonResult judged = run_python({check, directory});
    terminal.say("checks     " + fs::path(check).parent_path().filename().string() + "\n" +
                 judged.output);
  }
  terminal.say("3-D view   paraview " + directory + "/fields.xmf");
}

}  // namespace

void print_json(const std::string& directory, int status, std::int64_t step, double t,
                const std::string& checkpoint, std::optional<bool> converged) {
  using Json = nlohmann::ordered_json;
  const Json result = {{"directory", directory},
                       {"exit_status", status},
                       {"step", step},
                       {"t", t},
                       {"checkpoint", checkpoint},
                       {"converged", converged ? Json(*converged) : Json()}};
  fmt::print("{}\n", result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

Lock lock_folder(const std::string& directory, comm::Communicator& ranks) {
  Lock lock;
  comm::agree(ranks, [&] {
    if (ranks.rank() == 0) lock = std::make_shared<io::RunLock>(directory);
  });
  return lock;
}

int drive(std::unique_ptr<run::Engine> engine, const std::string& directory,
          const RunOptions& options, const std::shared_ptr<io::Terminal>& terminal,
          const Lock& lock, const std::string& checkpoint, const std::string& check,
          launch::AtLast& at_last) {
  const auto signals = std::make_shared<run::SignalWatch>();
  run::Engine& running = *engine;
  const bool first = running.first();
  const bool steady = running.system().most_steps() > 0;
  comm::agree(running.team().communicator(), [&] {
    if (!first) return;
    terminal->open_log(directory + "/log.txt");
    // A STOP file that a launch before this one did not see must not end this one.
    std::error_code ignored;
    fs::remove(directory + "/STOP", ignored);
    io::record_start(
        directory, io::run_id_of(directory),
        launch_of(options, running.placement(), running.system().name(),
                  checkpoint.empty() ? 0 : io::CheckpointReader(checkpoint).integer("step")));
  });
  try {
    run::Driver driver(std::move(engine), directory, options, *terminal, checkpoint);
    const int status = driver.run();
    if (!first) return status;
    std::vector<std::string> movies;
    for (std::size_t p = 0; p < running.input().count("output.picture"); ++p)
      movies.push_back(running.input().text(fmt::format("output.picture[{}].name", p)));
    for (std::size_t p = 0; p < running.input().count("output.isosurface"); ++p) {
      const std::string surface = fmt::format("output.isosurface[{}].", p);
      if (running.input().is_set(surface + "view"))
        movies.push_back(running.input().text(surface + "name"));
    }
    at_last = [=, overview = running.input().boolean("output.overview"), json = options.json,
               step = running.clock().step, t = running.clock().t, last = driver.last_checkpoint(),
               converged = driver.converged(), held = std::tuple(signals, lock)] {
      if (status == 0) afterwards(directory, overview, movies, check, *terminal);
      if (json) print_json(directory, status, step, t, last, converged);
    };
    return status;
  } catch (const std::exception& error) {
    if (first) {
      terminal->log(std::string("error: ") + error.what());
      try {
        io::record_end(directory, exit_status_of(error),
                       steady ? std::optional(false) : std::nullopt);
      } catch (const Error&) {
        // The disk may be what failed; the fault that ended the run is the one to report.
      }
    }
    throw;
  }
}

}  // namespace watersmeet::commands
