#pragma once
// Several ranks from one command: outside any launch, `--gpus N` and `--ranks N` start MPI's
// launcher on this very program and wait for it. The process that was called stays, so that
// signals, the exit status and the end of the run are those that its caller expects of one process.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "watersmeet/commands.hpp"

namespace watersmeet::launch {

enum class LauncherKind { open_mpi, hydra, other };  // hydra: MPICH and its relatives
// From what `mpiexec --version` or comm::mpi_version() says.
LauncherKind launcher_kind(const std::string& version);

struct LaunchPlan {
  LauncherKind kind = LauncherKind::other;
  std::vector<std::string> arguments;  // the launcher, its flags, the program and its own
  std::vector<std::pair<std::string, std::string>> environment;  // set beside what is inherited
};

// The arguments that each rank is started with: without --gpus and --ranks, and with the device that
// --gpus means.
std::vector<std::string> rank_arguments(const CommonOptions& options);

// `as_root`: Open MPI refuses to run as root unless it is allowed twice.
LaunchPlan plan_launch(const std::string& launcher, LauncherKind kind, int ranks,
                       const std::string& program, const std::vector<std::string>& arguments,
                       bool as_root);

// One line that a shell would take.
std::string shell_line(const std::vector<std::string>& arguments);

// Starts the plan and waits for its end. SIGTERM, SIGINT and SIGUSR1 to this process reach the
// ranks as SIGUSR1, which makes a run stop with a checkpoint; a second SIGINT ends them at once.
// When this process is killed, so is the launcher. Returns the exit status of the run;
// Error{communication} when a rank was lost, Error{unsupported} when the launcher cannot be
// started.
int run_launcher(const LaunchPlan& plan, bool quiet);

// A rank reports how the run ended to the process that started it. Whether one waits for it: its ranks
// can end with status 0 then. The launcher's own status is not enough, as that of MPICH 4.0.2 is mostly
// 0 after it was sent a signal; and after any status but 0 the launcher of Open MPI 4.1.4 waits 1 to 2 s
// for the other ranks.
bool tell_status(int status) noexcept;

// The exit status when the options ask for ranks and this process started and awaited them; empty
// when it is to do the work itself: nothing was asked for, it is one of the ranks, or one is all.
// Refuses (Error{user_input} and {unsupported}) what cannot be started.
std::optional<int> launch_ranks(const CommonOptions& options);

}  // namespace watersmeet::launch
