// The process that waits for MPI's launcher. Seen of the launchers of Open MPI 4.1.4 and MPICH
// 4.0.2: both hand SIGUSR1 on to their ranks and wait (Open MPI 4.1.6 did not hand it on, so the
// ranks, all on this host, are sent it as well); at SIGTERM and SIGINT that of Open MPI kills the
// ranks after a second, so neither is ever sent to stop a run. When the launcher dies, its
// ranks die with it, in both. Open MPI's exit status is that of the first rank that failed, 128
// more than the signal when one was killed; MPICH's is then the signal's number itself.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/own_program.hpp"
#include "launch/launch.hpp"

namespace watersmeet::launch {

namespace {

constexpr int cannot_start = 127;

// In the child, between fork and exec.
[[noreturn]] void become(const LaunchPlan& plan, pid_t parent, const sigset_t& mask) {
  // Ctrl-C on a terminal goes to its foreground group; only the parent is to see it, and decide.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(cannot_start);  // it died before that line
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, STDIN_FILENO);
  for (const auto& [name, value] : plan.environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : plan.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD}) std::signal(number, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execv(arguments[0], arguments.data());
  const std::string text =
      fmt::format("cannot start {}: {}\n", plan.arguments[0], std::strerror(errno));
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(cannot_start);
  _exit(cannot_start);
}

// Blocks the signals that the parent waits for, for its lifetime.
class Blocked {
 public:
  Blocked() {
    sigemptyset(&set_);
    for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD}) sigaddset(&set_, number);
    std::signal(SIGCHLD, SIG_DFL);  // ignored by the caller, no child could be waited for
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~Blocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
  const sigset_t& before() const { return before_; }
  // The next signal; 0 after `seconds` without one.
  int next(double seconds) const {
    struct timespec time {};
    time.tv_sec = static_cast<time_t>(seconds);
    time.tv_nsec = static_cast<long>((seconds - static_cast<double>(time.tv_sec)) * 1e9);
    const int number = sigtimedwait(&set_, nullptr, &time);
    return number > 0 ? number : 0;
  }

 private:
  sigset_t set_{}, before_{};
};

// The processes of this very program that descend from the launcher.
std::vector<pid_t> ranks_below(pid_t launcher) {
  namespace fs = std::filesystem;
  const fs::path program = own_program();
  std::error_code error;
  std::map<pid_t, pid_t> parents;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const pid_t process = std::atoi(it->path().filename().c_str());
    std::ifstream file(it->path() / "stat");
    std::string text;
    // "pid (name) state parent ...": the name may hold anything, also brackets.
    if (process <= 0 || !std::getline(file, text) || text.rfind(") ") == std::string::npos)
      continue;
    std::istringstream rest(text.substr(text.rfind(") ") + 2));
    std::string state;
    pid_t parent = 0;
    if (rest >> state >> parent) parents[process] = parent;
  }
  std::vector<pid_t> ranks;
  for (const auto& [process, parent] : parents) {
    pid_t above = parent;
    while (above != launcher && parents.count(above) > 0) above = parents[above];
    if (above != launcher) continue;
    std::error_code gone;
    if (fs::read_symlink("/proc/" + std::to_string(process) + "/exe", gone) == program && !gone) {
      ranks.push_back(process);
    }
  }
  return ranks;
}

void ask_to_stop(pid_t launcher) {
  kill(launcher, SIGUSR1);
  for (const pid_t rank : ranks_below(launcher)) kill(rank, SIGUSR1);
}

// Which signal ended a rank, from the launcher's status; 0 when none did.
int signal_of(int status) {
  constexpr std::array documented = {0, 1, 2, 3, 4, 5, 75};
  if (std::find(documented.begin(), documented.end(), status) != documented.end()) return 0;
  const int number = status > 128 ? status - 128 : status;
  return number <= SIGSYS ? number : 0;
}

int status_of_run(int wait_status, bool stopping, bool killing, const LaunchPlan& plan,
                  bool quiet) {
  if (killing) {
    throw Error(ErrorKind::communication,
                "the ranks were ended at once, without waiting for a checkpoint");
  }
  if (WIFSIGNALED(wait_status)) {
    throw Error(ErrorKind::communication,
                stopping ? "stopped before the ranks had begun; nothing was run"
                         : fmt::format("rank lost: the launcher {} was killed by signal {} ({})",
                                       plan.arguments[0], WTERMSIG(wait_status),
                                       strsignal(WTERMSIG(wait_status))));
  }
  const int status = WEXITSTATUS(wait_status);
  if (status == cannot_start) {
    throw Error(ErrorKind::unsupported,
                fmt::format("the launcher {} does not start; another can be named in "
                            "WATERSMEET_MPIEXEC",
                            plan.arguments[0]));
  }
  const int number = signal_of(status);
  if (number == SIGUSR1 && stopping) {
    throw Error(ErrorKind::communication,
                "stopped before the first step; there is no new checkpoint");
  }
  if (number > 0) {
    throw Error(ErrorKind::communication,
                fmt::format("rank lost: one was killed by signal {} ({}){}\n   = resume from the "
                            "newest checkpoint with  watersmeet resume DIR",
                            number, strsignal(number),
                            number == SIGKILL ? ", as happens when memory runs out" : ""));
  }
  if (status > 5 && status != 75) {
    throw Error(
        ErrorKind::communication,
        fmt::format("rank lost: the launcher {} ended with status {}", plan.arguments[0], status));
  }
  if (status == 1 && !quiet && plan.kind == LauncherKind::open_mpi) {
    // The launcher's own reasons are silenced together with its remarks on every other status.
    std::fprintf(stderr,
                 "note: if no reason is given above, run again without --quiet to see the "
                 "launcher's message\n");
  }
  return status;
}

}  // namespace

int run_launcher(const LaunchPlan& plan, bool quiet) {
  std::fflush(nullptr);
  const Blocked signals;
  const pid_t parent = getpid();
  const pid_t launcher = fork();
  if (launcher < 0) {
    throw Error(ErrorKind::resource,
                fmt::format("cannot start the ranks: {}", std::strerror(errno)));
  }
  if (launcher == 0) become(plan, parent, signals.before());

  int interrupts = 0;
  bool stopping = false;
  bool killing = false;
  constexpr int first_blow = 20;
  int quarters_left = -1;  // of a second, once the ranks are to end at once
  for (;;) {
    const int number = signals.next(quarters_left >= 0 ? 0.25 : 3600.0);
    int wait_status = 0;
    if (waitpid(launcher, &wait_status, WNOHANG) == launcher) {
      return status_of_run(wait_status, stopping, killing, plan, quiet);
    }
    if (number == SIGINT) ++interrupts;
    if (number == SIGINT && interrupts == 1 && !quiet) {
      std::printf("stopping (press Ctrl-C again to stop without a checkpoint)\n");
      std::fflush(stdout);
    }
    if (number == SIGINT || number == SIGTERM || number == SIGUSR1) {
      stopping = true;
      if (interrupts < 2) ask_to_stop(launcher);
    }
    if (interrupts >= 2 && quarters_left < 0) quarters_left = first_blow + 4;
    if (quarters_left < 0 || number != 0) continue;
    // A second later, because ranks that are at their end anyway need no blow, and Open MPI's
    // launcher crashes when it gets SIGINT while it ends. That of MPICH wants two of them, apart.
    const int needed = plan.kind == LauncherKind::hydra ? 2 : 1;
    if (quarters_left <= first_blow && quarters_left > first_blow - needed) {
      kill(launcher, SIGINT);
      killing = true;
    }
    if (quarters_left == 0) kill(launcher, SIGKILL);
    quarters_left = std::max(quarters_left - 1, 0);
  }
}

}  // namespace watersmeet::launch
