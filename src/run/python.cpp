#include "run/python.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "run/examples.hpp"

namespace watersmeet::run {

std::string PythonResult::last_line() const {
  std::string text = output;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.find_last_of('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

PythonResult run_python(const std::vector<std::string>& arguments) {
  PythonResult result;
  int ends[2];
  if (pipe(ends) != 0) return result;
  const std::string package =
      (std::filesystem::path(examples_directory()).parent_path() / "python").string();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    const char* const before = std::getenv("PYTHONPATH");
    setenv("PYTHONPATH", (package + (before ? std::string(":") + before : "")).c_str(), 1);
    std::vector<char*> words;
    std::string interpreter = "/usr/bin/python3";
    if (access(interpreter.c_str(), X_OK) != 0) interpreter = "python3";
    words.push_back(interpreter.data());
    std::vector<std::string> copies = arguments;
    for (std::string& a : copies) words.push_back(a.data());
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  char buffer[4096];
  while (child > 0) {
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;  // a signal that asks a run to stop
    if (n <= 0) break;
    result.output.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  pid_t ended = -1;
  while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (child > 0 && ended == child && WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (result.status == 127)
    result.output = "python3 was not found; install python3, python3-h5py and python3-matplotlib";
  return result;
}

}  // namespace watersmeet::run
