// What is to be started, and whether it can be: see launch.hpp. The waiting is in launcher.cpp.
#include "launch/launch.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "comm/communicator.hpp"
#include "comm/launched.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/host_limits.hpp"
#include "core/own_program.hpp"
#include "io/message.hpp"
#include "io/terminal.hpp"
#include "launch/segment_folder.hpp"

namespace watersmeet::launch {

namespace {
namespace fs = std::filesystem;

constexpr const char* status_variable = "WATERSMEET_STATUS_FILE";

// A file into which one of the ranks writes the exit status of the run.
class StatusFile {
 public:
  StatusFile() {
    std::error_code error;
    path_ = (fs::temp_directory_path(error) / "watersmeet-status-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) {
      path_.clear();  // without it, the launcher's word is taken
    } else {
      close(file);
    }
  }
  ~StatusFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  StatusFile(const StatusFile&) = delete;
  StatusFile& operator=(const StatusFile&) = delete;
  const std::string& path() const { return path_; }
  int status() const {  // 0 when nothing was written
    int status = 0;
    std::ifstream(path_) >> status;
    return status;
  }

 private:
  std::string path_;
};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// A program by its path, or by its name on PATH; empty when there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const std::string path = variable("PATH");
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string candidate = path.substr(begin, end - begin) + "/" + name;
    std::error_code error;
    if (end > begin && access(candidate.c_str(), X_OK) == 0 &&
        fs::is_regular_file(candidate, error))
      return candidate;
    begin = end + 1;
  }
  return "";
}

std::string find_launcher() {
  if (const std::string chosen = variable("WATERSMEET_MPIEXEC"); !chosen.empty()) {
    if (const std::string found = find_program(chosen); !found.empty()) return found;
    throw Error(ErrorKind::unsupported,
                "WATERSMEET_MPIEXEC is " + chosen + ", which is not a program that can be run");
  }
  for (const std::string& name :
       {comm::default_launcher(), std::string("mpiexec"), std::string("mpirun")}) {
    if (name.empty()) continue;
    if (const std::string found = find_program(name); !found.empty()) return found;
  }
  const std::string package =
      launcher_kind(comm::mpi_version()) == LauncherKind::hydra ? "mpich" : "openmpi-bin";
  throw Error(
      ErrorKind::unsupported,
      "several ranks need MPI's launcher mpiexec, which was not found: install the package " +
          package + ", or name the launcher in WATERSMEET_MPIEXEC");
}

std::string version_of(const std::string& launcher) {
  std::string text;
  FILE* const pipe = popen((shell_line({launcher, "--version"}) + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return text;
  char piece[512];
  while (std::fgets(piece, sizeof piece, pipe) != nullptr) text += piece;
  pclose(pipe);
  return text;
}

const char* name_of(LauncherKind kind) {
  return kind == LauncherKind::open_mpi ? "Open MPI" : kind == LauncherKind::hydra ? "MPICH" : "?";
}

// A launcher of another MPI would start as many runs of one rank each, all in the same folder.
LauncherKind checked_kind(const std::string& launcher) {
  const LauncherKind built = launcher_kind(comm::mpi_version());
  if (launcher == comm::default_launcher()) return built;
  const LauncherKind found = launcher_kind(version_of(launcher));
  if (found != LauncherKind::other && built != LauncherKind::other && found != built) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{} belongs to {}, but this program was built with {}: name a launcher "
                            "of that in WATERSMEET_MPIEXEC",
                            launcher, name_of(found), comm::mpi_version()));
  }
  return found;
}

// Asked in a process of its own: to ask makes a CUDA context on every GPU, which this process would
// keep for as long as it waits.
int count_gpus() {
  const pid_t child = fork();
  if (child == 0) {
    const std::size_t count = cuda_devices().size();
    _exit(static_cast<int>(std::min<std::size_t>(count, 255)));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 0;
  return WEXITSTATUS(status);
}

void check_gpus(int wanted) {
  if (!built_with_cuda()) {
    throw Error(
        ErrorKind::resource,
        fmt::format("--gpus {}: this program was built without CUDA; in its sources, with nvcc "
                    "on the path, ./wm build makes one that has it. To run on the CPU:  --ranks {}",
                    wanted, wanted));
  }
  const int answering = count_gpus();
  if (answering >= wanted) return;
  const std::string found = answering == 1 ? "1 GPU that works"
                            : answering == 0
                                ? "no GPU that works; nvidia-smi shows its GPUs and their driver"
                                : fmt::format("{} GPUs that work", answering);
  throw Error(
      ErrorKind::resource,
      fmt::format("--gpus {}: this host has {}. {}", wanted, found,
                  answering == 0 ? fmt::format("To run on the CPU:  --ranks {}", wanted)
                                 : fmt::format("Several ranks may use one GPU with  --ranks {} "
                                               "--device gpu --set device.share=true",
                                               wanted)));
}

// The flags among themselves, and with the launch that this process belongs to.
void check_flags(const CommonOptions& options, int asked, int present) {
  if (options.gpus > 0 && options.ranks > 0) {
    io::refuse_flag("--ranks",
                    "--gpus and --ranks both say how many ranks to start; give one of them",
                    fmt::format("for CPU ranks beside the GPUs:  --gpus {} --cpu-ranks {}",
                                options.gpus, std::max(options.ranks - options.gpus, 1)));
  }
  if (options.cpu_ranks > 0 && options.gpus == 0 && (present == 0 || options.ranks > 0)) {
    io::refuse_flag(
        "--cpu-ranks", "--cpu-ranks adds ranks on the CPU to those of --gpus, which is not given",
        options.ranks > 0 ? "" : fmt::format("for the CPU alone:  --ranks {}", options.cpu_ranks));
  }
  if (present > 0 && options.cpu_ranks > present) {
    io::refuse_flag("--cpu-ranks", fmt::format("--cpu-ranks {}: there are only {} ranks",
                                               options.cpu_ranks, present));
  }
  if (asked == 0) return;
  const char* const flag = options.gpus > 0 ? "--gpus" : "--ranks";
  if (present > 0 && asked != present) {
    io::refuse_flag(flag,
                    fmt::format("started as one of {} by mpirun or srun, but {} asks for {}",
                                io::counted(present, "rank"), flag, asked),
                    fmt::format("leave {} out: the launcher sets the number of ranks", flag));
  }
  if (asked > most_ranks) {
    io::refuse_flag(flag, fmt::format("{} ranks on one host; at most {}", asked, most_ranks));
  }
  if (present > 0) return;
  const std::string nodes = variable("SLURM_JOB_NUM_NODES");
  if (std::atoi(nodes.c_str()) > 1) {
    io::refuse_flag(
        flag,
        fmt::format("{} starts ranks on this host, but this Slurm job has {} hosts", flag, nodes),
        "try:  srun watersmeet ...  without it; `watersmeet slurm` writes the job script");
  }
}

std::string own_path() {
  const fs::path path = own_program();
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw Error(ErrorKind::io, "cannot find this program's own file to start the ranks");
  }
  return path.string();
}

}  // namespace

LauncherKind launcher_kind(const std::string& version) {
  const auto says = [&](const char* word) { return version.find(word) != std::string::npos; };
  if (says("Open MPI") || says("OpenRTE")) return LauncherKind::open_mpi;
  for (const char* const word : {"HYDRA", "MPICH", "MVAPICH", "Intel"}) {
    if (says(word)) return LauncherKind::hydra;
  }
  return LauncherKind::other;
}

std::vector<std::string> rank_arguments(const CommonOptions& options) {
  std::vector<std::string> arguments;
  const auto is = [](const std::string& argument, const std::string& flag) {
    return argument == flag || argument.compare(0, flag.size() + 1, flag + "=") == 0;
  };
  for (std::size_t i = 0; i < options.words.size(); ++i) {
    const std::string& argument = options.words[i];
    const bool own = is(argument, "--gpus") || is(argument, "--ranks") ||
                     (options.gpus > 0 && is(argument, "--device"));
    if (!own) arguments.push_back(argument);
    if (own && argument.find('=') == std::string::npos) ++i;  // its value
  }
  if (options.gpus > 0) {
    arguments.push_back("--device");
    arguments.push_back(options.cpu_ranks > 0 ? "auto" : "gpu");
  }
  return arguments;
}

LaunchPlan plan_launch(const std::string& launcher, LauncherKind kind, int ranks,
                       const std::string& program, const std::vector<std::string>& arguments,
                       bool as_root) {
  LaunchPlan plan;
  plan.kind = kind;
  plan.arguments = {launcher, "-n", std::to_string(ranks)};
  const auto add = [&](std::initializer_list<const char*> more) {
    plan.arguments.insert(plan.arguments.end(), more.begin(), more.end());
  };
  // Unbound: the program divides the processors of a host among its ranks itself.
  if (kind == LauncherKind::open_mpi) {
    // --quiet: without it two paragraphs follow every exit status but 0, 75 included.
    add({"--oversubscribe", "--bind-to", "none", "--quiet", "-x", "NCCL_NVLS_ENABLE"});
    if (as_root) {
      plan.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    }
  } else if (kind == LauncherKind::hydra) {
    add({"-bind-to", "none"});
  }
  // Exchanging ghost cells gains nothing from NVLink multicast, and some shared hosts forbid it.
  const std::string multicast = variable("NCCL_NVLS_ENABLE");
  plan.environment.emplace_back("NCCL_NVLS_ENABLE", multicast.empty() ? "0" : multicast);
  plan.arguments.push_back(program);
  plan.arguments.insert(plan.arguments.end(), arguments.begin(), arguments.end());
  return plan;
}

std::string shell_line(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    const bool plain =
        !argument.empty() && argument.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-+=./:,@%") == std::string::npos;
    std::string quoted = argument;
    if (!plain) {
      quoted = "'";
      for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      quoted += "'";
    }
    line += (line.empty() ? "" : " ") + quoted;
  }
  return line;
}

bool tell_status(int status) noexcept {
  const char* const path = std::getenv(status_variable);
  FILE* const file = path == nullptr ? nullptr : std::fopen(path, "r+");
  if (file == nullptr) return false;
  const bool written = std::fprintf(file, "%d\n", status) > 0;
  return std::fclose(file) == 0 && written;
}

std::optional<int> launch_ranks(const CommonOptions& options) {
  const int asked = options.gpus > 0 ? options.gpus + options.cpu_ranks : options.ranks;
  const int present = comm::ranks_of_launch();
  check_flags(options, asked, present);
  if (asked == 0 || present > 0) return std::nullopt;
  if (options.gpus > 0) check_gpus(options.gpus);
  if (asked == 1) return std::nullopt;
  if (!comm::built_with_mpi()) {
    throw Error(ErrorKind::unsupported,
                "this program was built without MPI, which several ranks need: install the "
                "packages libopenmpi-dev and openmpi-bin and build again");
  }
  const std::string launcher = find_launcher();
  LaunchPlan plan = plan_launch(launcher, checked_kind(launcher), asked, own_path(),
                                rank_arguments(options), geteuid() == 0);
  plan.environment.push_back(io::terminal_for_ranks());
  const bool quiet = options.quiet || options.json;
  if (!quiet) {
    std::printf("note: %s\n", shell_line(plan.arguments).c_str());
    std::fflush(stdout);
  }
  const StatusFile status_file;
  plan.environment.emplace_back(status_variable, status_file.path());
  const SegmentFolder segments(plan.kind);
  if (!segments.path().empty()) {
    for (const char* const variable : segment_variables) {
      plan.environment.emplace_back(variable, segments.path());
    }
  }
  const int status = run_launcher(plan, quiet);
  return status == 0 ? status_file.status() : status;
}

}  // namespace watersmeet::launch
