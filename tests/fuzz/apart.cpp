#include "apart.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "core/foreign_call.hpp"
#include "library_fault.hpp"
#include "targets.hpp"

// The address sanitizer's, which ends the process after its report.
extern "C" void __asan_set_death_callback(void (*callback)()) __attribute__((weak));
// The counters of libFuzzer: one byte for each branch of what it was built with. This file is built without them (CMakeLists.txt): beside these
// declarations the compiler would give its own ones other names, which no linker knows, and libFuzzer would see no counters at all.
extern "C" char __start___sancov_cntrs __attribute__((weak, visibility("hidden")));
extern "C" char __stop___sancov_cntrs __attribute__((weak, visibility("hidden")));

namespace watersmeet::fuzz {
namespace {

constexpr int answered_by_library = 3;  // exit status, as the program's own

// The whole pages of the counters; they are shared by all processes that begin afterwards, so that libFuzzer sees what those reach.
struct Counters {
  char* begin = nullptr;
  std::size_t size = 0;

  Counters() {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uintptr_t>(&__start___sancov_cntrs);
    const auto last = reinterpret_cast<std::uintptr_t>(&__stop___sancov_cntrs);
    const std::uintptr_t lower = (first + page - 1) / page * page, upper = last / page * page;
    if (first == 0 || lower >= upper) return;
    begin = reinterpret_cast<char*>(lower);
    size = upper - lower;
    const std::string kept(begin, size);
    if (::mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) != begin)
      throw std::runtime_error("the counters of libFuzzer cannot be shared");
    std::memcpy(begin, kept.data(), size);
  }
};

const Counters& counters() {
  static const Counters shared;
  return shared;
}

volatile std::sig_atomic_t quarters = 0;  // of a second, that this file has taken

void answer_signal(int signal) {
  if (ForeignCall::current() != nullptr) ::_exit(answered_by_library);
  quarters = quarters + 1;
  if (signal == SIGPROF && quarters < 16) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Counts the CPU time of this process only: HDF5 1.10.8 has loops without end.
void interrupt_each_quarter(bool on) {
  quarters = 0;
  const timeval quarter{0, on ? 250000 : 0};
  const itimerval limit{quarter, quarter};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

long most_kilobytes() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

bool get(int file, void* bytes, std::size_t size) {
  ssize_t got = 0;
  do got = ::read(file, bytes, size);
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(size);
}

bool put(int file, const void* bytes, std::size_t size) {
  ssize_t written = 0;
  do written = ::write(file, bytes, size);
  while (written < 0 && errno == EINTR);
  return written == static_cast<ssize_t>(size);
}

// Waits until a process answers or ends. One that computes nothing for 10 s is ended: what a library does to memory can stop the address
// sanitizer within its own report.
void wait_for_answer(pid_t process, int replies) {
  clockid_t clock{};
  ::clock_getcpuclockid(process, &clock);
  pollfd answer{replies, POLLIN, 0};
  for (double before = -1;;) {
    const int ready = ::poll(&answer, 1, 10000);
    if (ready > 0) return;
    timespec used{};
    ::clock_gettime(clock, &used);
    const double now = static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
    if (ready == 0 && now - before < 0.01) ::kill(process, SIGKILL);
    before = now;
  }
}

}  // namespace

ReadApart::ReadApart(std::function<void()> read, int files, std::size_t bound)
    : read_(std::move(read)), files_(files), bound_(bound) {}

ReadApart::~ReadApart() { end(); }

void ReadApart::serve(int requests, int replies) const {
  // What is said to the standard error is for the case of a fault.
  static int standard_error = -1;
  standard_error = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  ::dup2(said_, STDERR_FILENO);
  for (const int signal : {SIGABRT, SIGPROF}) std::signal(signal, answer_signal);
  if (__asan_set_death_callback != nullptr) {  // which reports the other signals with their stacks
    keep_reports();
    __asan_set_death_callback([] {
      const std::string kind = fault_of_library();
      if (kind.empty()) return;
      const std::string line = "fault of a library: " + kind + "\n";
      put(standard_error, line.data(), line.size());
      ::_exit(answered_by_library);
    });
  } else {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, answer_signal);
  }
  long kilobytes = most_kilobytes();
  put(replies, &kilobytes, sizeof kilobytes);
  for (char word = 0; get(requests, &word, 1);) {
    interrupt_each_quarter(true);
    try {
      answered(read_);
    } catch (const std::exception& fault) {
      std::fprintf(stderr, "%s\n", fault.what());
      ::_exit(1);
    }
    interrupt_each_quarter(false);
    kilobytes = most_kilobytes();
    put(replies, &kilobytes, sizeof kilobytes);
  }
  ::_exit(0);
}

void ReadApart::begin() {
  counters();
  int requests[2], replies[2];
  if (::pipe2(requests, O_CLOEXEC) != 0 || ::pipe2(replies, O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe to a process that reads files");
  said_ = ::memfd_create("said", MFD_CLOEXEC);
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no process to read a file in");
  if (process_ == 0) {
    ::close(requests[1]);
    ::close(replies[0]);
    serve(requests[0], replies[1]);
  }
  ::close(requests[0]);
  ::close(replies[1]);
  requests_ = requests[1];
  replies_ = replies[0];
  served_ = 0;
  get(replies_, &kilobytes_, sizeof kilobytes_);
  first_kilobytes_ = kilobytes_;
}

void ReadApart::end() {
  if (process_ < 0) return;
  const pid_t ending = process_;
  close_pipes();
  while (::waitpid(ending, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void ReadApart::close_pipes() {
  ::close(requests_);
  ::close(replies_);
  ::close(said_);
  process_ = -1;
}

void ReadApart::repeat_what_was_said() const {
  char part[4096];
  ssize_t got = 0;
  for (off_t at = 0; (got = ::pread(said_, part, sizeof part, at)) > 0; at += got)
    put(STDERR_FILENO, part, static_cast<std::size_t>(got));
}

std::string ReadApart::read_once() {
  if (process_ < 0) begin();
  ++served_;
  long kilobytes = 0;
  int status = 0;
  const char word = 0;
  const bool asked = put(requests_, &word, 1);
  if (asked) wait_for_answer(process_, replies_);
  if (!asked || !get(replies_, &kilobytes, sizeof kilobytes)) {
    rusage used{};
    while (::wait4(process_, &status, 0, &used) < 0 && errno == EINTR) {
    }
    const bool fault = !WIFEXITED(status) || WEXITSTATUS(status) != answered_by_library;
    if (fault) repeat_what_was_said();
    close_pipes();
    kilobytes = used.ru_maxrss;
    // What a library fails on is no input to make others from: libFuzzer is not to see what it reached.
    if (counters().size > 0) std::memset(counters().begin, 0, counters().size);
    if (fault) return "the reading of a file ended with status " + std::to_string(status);
  }
  const auto more = static_cast<std::size_t>(std::max(0L, kilobytes - kilobytes_)) * 1024;
  kilobytes_ = kilobytes;
  return more > bound_ ? "reading a file took " + std::to_string(more) + " bytes of memory" : "";
}

void ReadApart::answer() {
  std::string fault = read_once();
  if (!fault.empty()) {
    end();
    fault = read_once();
  }
  const auto taken = static_cast<std::size_t>(kilobytes_ - first_kilobytes_) * 1024;
  if (!fault.empty() || served_ >= files_ || taken > bound_ / 4) end();
  if (!fault.empty()) throw std::logic_error(fault);
}

}  // namespace watersmeet::fuzz
