#include "io/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "comm/launched.hpp"
#include "io/atomic_file.hpp"
#include "io/run_directory.hpp"

namespace watersmeet::io {

namespace {
constexpr const char* variable =
    "WATERSMEET_TERMINAL";  // columns of stdout, a colon, those of stderr
constexpr int unknown_width = 1000000;
}  // namespace

int terminal_columns(int descriptor) {
  if (comm::launched_in_parallel()) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return 0;
    const std::string columns(text);
    const std::size_t colon = columns.find(':');
    if (descriptor == STDOUT_FILENO) return std::atoi(columns.substr(0, colon).c_str());
    return colon == std::string::npos ? 0 : std::atoi(columns.substr(colon + 1).c_str());
  }
  if (!isatty(descriptor)) return 0;
  struct winsize size {};
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : unknown_width;
}

std::pair<std::string, std::string> terminal_for_ranks() {
  return {variable, std::to_string(terminal_columns(STDOUT_FILENO)) + ":" +
                        std::to_string(terminal_columns(STDERR_FILENO))};
}

Terminal::Terminal(bool quiet) : quiet_(quiet) {
  const char* const kind = std::getenv("TERM");
  interactive_ =
      !quiet && terminal_columns(STDOUT_FILENO) > 0 && kind && std::string(kind) != "dumb";
}

void Terminal::open_log(const std::string& path) {
  if (std::filesystem::is_symlink(path)) system_fault("write", path, ELOOP);
  log_.open(path, std::ios::app);
  if (!log_.is_open()) system_fault("write", path, errno);
  log_path_ = path;
  for (const std::string& line : kept_) write_log(line);
  kept_.clear();
}

// What cannot be logged ends no run; what it keeps elsewhere is tried by itself.
void Terminal::write_log(const std::string& text) {
  if (!log_.is_open()) return;
  errno = 0;
  log_ << text << std::flush;
  if (log_) return;
  log_.close();
  clear_status();
  std::fprintf(stderr, "%s cannot be written any more%s%s; the run continues without it\n",
               log_path_.c_str(), errno == 0 ? "" : ": ", errno == 0 ? "" : std::strerror(errno));
}

std::size_t Terminal::width() const {
  const int columns = interactive_ ? terminal_columns(STDOUT_FILENO) : 0;
  // The last column stays free: some terminals break the line as soon as it is filled.
  if (columns > 1 && columns < unknown_width) return static_cast<std::size_t>(columns) - 1;
  return std::numeric_limits<std::size_t>::max();
}

void Terminal::clear_status() {
  if (status_width_ > 0) std::printf("\r%*s\r", static_cast<int>(status_width_), "");
  status_width_ = 0;
}

void Terminal::say(const std::string& text) {
  if (!quiet_) {
    clear_status();
    std::fputs((text + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  log(text);
}

void Terminal::log(const std::string& text) {
  clear_status();
  const std::string stamp = utc_now() + "  ";
  std::string logged;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    logged += stamp;
    logged.append(text, begin, end - begin);
    logged += '\n';
    begin = end + 1;
  }
  if (log_path_.empty()) {
    kept_.push_back(logged);
  } else {
    write_log(logged);
  }
}

void Terminal::status(const std::string& line) {
  if (!interactive_) return;
  clear_status();
  // A line that wraps could not be overwritten.
  const std::string shown = line.substr(0, width());
  std::fputs(shown.c_str(), stdout);
  std::fflush(stdout);
  status_width_ = shown.size();
}

}  // namespace watersmeet::io
