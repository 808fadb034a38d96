#pragma once
// What a run says: to the terminal and, with the time of day, to log.txt. Nothing is written to the
// file before the folder exists; what was said until then is kept and written first.

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace watersmeet::io {

// Columns of the terminal behind descriptor 1 or 2; 0 where there is none. A rank's descriptors are
// its launcher's (Open MPI makes each a pseudo-terminal, even where all ends in a file), so there
// the process that started the launcher passes on what is behind its own.
int terminal_columns(int descriptor);
// The environment variable by which it passes that on: its name and value.
std::pair<std::string, std::string> terminal_for_ranks();

class Terminal {
 public:
  explicit Terminal(bool quiet);
  void open_log(const std::string& path);
  // One or more whole lines.
  void say(const std::string& text);
  // For log.txt alone: what the caller's caller prints, such as the fault that ends a run.
  void log(const std::string& text);
  // Overwritten by what follows; shown on a terminal only.
  void status(const std::string& line);
  // Characters that fit into a line; no limit (the largest number) where this is no terminal.
  std::size_t width() const;

 private:
  void clear_status();
  void write_log(const std::string& text);
  bool quiet_, interactive_;
  std::size_t status_width_ = 0;
  std::ofstream log_;
  std::string log_path_;  // once it is open
  std::vector<std::string> kept_;
};

}  // namespace watersmeet::io
