#include "run/terminal.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

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
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
  status_width_ = line.size();
}

}  // namespace watersmeet::run
