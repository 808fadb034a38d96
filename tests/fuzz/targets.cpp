// What the targets share.
#include "targets.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/error.hpp"
#include "core/foreign_call.hpp"

namespace watersmeet::fuzz {
namespace {

void write(const std::string& name, std::string_view bytes) {
  std::ofstream(name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

const std::map<std::string, Target>& targets() {
  static const std::map<std::string, Target> all = {{"case_file", case_file},
                                                    {"cgns", cgns},
                                                    {"checkpoint", checkpoint},
                                                    {"command_line", command_line},
                                                    {"expression", expression},
                                                    {"mesh_file", mesh_file},
                                                    {"neutral_map", neutral_map},
                                                    {"plot3d", plot3d},
                                                    {"run_record", run_record},
                                                    {"series", series},
                                                    {"site", site},
                                                    {"snapshot", snapshot},
                                                    {"table", table}};
  return all;
}

void answered(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal)
      throw;  // exit 1: a fault of the program by its own account
    if (*error.what() == '\0') throw std::logic_error("an error without a message");
  }
}

namespace {
void answer_signal(int signal) {
  if (ForeignCall::current() != nullptr) ::_exit(3);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}
}  // namespace

// The address sanitizer's, which ends the process after its report.
extern "C" void __asan_set_death_callback(void (*callback)()) __attribute__((weak));

void answered_apart(const std::function<void()>& read, std::size_t bound) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process to read a file in");
  if (child == 0) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGPROF})
      std::signal(signal, answer_signal);
    if (__asan_set_death_callback != nullptr) {
      __asan_set_death_callback([] {
        if (ForeignCall::current() != nullptr) ::_exit(3);
      });
    }
    const itimerval limit{{0, 0}, {4, 0}};  // of its own time: HDF5 1.10.8 has loops without end
    ::setitimer(ITIMER_PROF, &limit, nullptr);
    try {
      answered(read);
    } catch (const std::exception& fault) {
      std::fprintf(stderr, "%s\n", fault.what());
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const bool ended = WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
  if (!ended)
    throw std::logic_error("the reading of a file ended with status " + std::to_string(status));
  rusage mine{};
  ::getrusage(RUSAGE_SELF, &mine);
  const auto more = static_cast<std::size_t>(std::max(0L, used.ru_maxrss - mine.ru_maxrss)) * 1024;
  if (more > bound)
    throw std::logic_error("reading a file took " + std::to_string(more) + " bytes of memory");
}

std::string file_of(std::string_view bytes, const std::string& name) {
  write(name, bytes);
  return name;
}

void enter_folder(const std::string& parent) {
  std::filesystem::create_directories(parent);
  std::filesystem::current_path(parent);
  // Two blocks of 3 x 3 x 2 nodes, side by side along i.
  std::string blocks = "2\n3 3 2\n3 3 2\n";
  for (int b = 0; b < 2; ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < 3; ++j) {
          for (int i = 0; i < 3; ++i) {
            const int place[] = {i + 2 * b, j, k};
            blocks += std::to_string(place[axis]) + " ";
          }
        }
      }
    }
    blocks += "\n";
  }
  write("blocks.xyz", blocks);
}

}  // namespace watersmeet::fuzz
