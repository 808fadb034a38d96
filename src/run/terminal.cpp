#include "run/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "run/run_directory.hpp"

namespace watersmeet::run {

Terminal::Terminal(bool quiet) : quiet_(quiet) {
  const char* const kind = std::getenv("TERM");
  interactive_ = !quiet && isatty(STDOUT_FILENO) && kind && std::string(kind) != "dumb";
}

void Terminal::open_log(const std::string& path) {
  log_.open(path, std::ios::app);
  for (const std::string& line : kept_) log_ << line << std::flush;
  kept_.clear();
}

std::size_t Terminal::width() const {
  struct winsize size {};
  // The last column stays free: some terminals break the line as soon as it is filled.
  if (interactive_ && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    return size.ws_col - std::size_t{1};
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
  if (log_.is_open()) {
    log_ << logged << std::flush;
  } else {
    kept_.push_back(logged);
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

}  // namespace watersmeet::run
