#include "commands/python.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "commands/examples.hpp"
#include "core/error.hpp"

namespace watersmeet::commands {

std::string PythonResult::last_line() const {
  std::string text = output;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.find_last_of('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

namespace {
// The package of this tree or installation.
std::string package_directory() {
  return (std::filesystem::path(examples_directory()).parent_path() / "python").string();
}

// Returns only where the interpreter cannot be started.
void execute(std::string interpreter, const std::vector<std::string>& arguments,
             const std::string& package) {
  const char* const before = std::getenv("PYTHONPATH");
  setenv("PYTHONPATH", (package + (before ? std::string(":") + before : "")).c_str(), 1);
  std::vector<char*> words;
  words.push_back(interpreter.data());
  std::vector<std::string> copies = arguments;
  for (std::string& a : copies) words.push_back(a.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
}

PythonResult run_interpreter(const std::string& interpreter,
                             const std::vector<std::string>& arguments) {
  PythonResult result;
  int ends[2];
  if (pipe(ends) != 0) return result;
  const std::string package = package_directory();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execute(interpreter, arguments, package);
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
  return result;
}

constexpr const char* not_found =
    "python3 was not found; install python3, python3-h5py and python3-matplotlib";

// In the order in which they are tried: that of the environment that the program is installed into
// (python/watersmeet/program.py), Debian's own, to which Debian's packages belong, and that on PATH.
std::vector<std::string> interpreters() {
  std::vector<std::string> names;
  if (const char* const own = std::getenv("WATERSMEET_PYTHON"); own != nullptr && *own != '\0') {
    names.emplace_back(own);
  }
  names.insert(names.end(), {"/usr/bin/python3", "python3"});
  return names;
}

// The exit status of the package's own message, or an import that failed before it could print one.
bool lacks_a_package(const PythonResult& result) {
  return result.status == 3 || result.output.find("ModuleNotFoundError") != std::string::npos;
}
}  // namespace

PythonResult run_python(const std::vector<std::string>& arguments) {
  PythonResult lacking = {127, not_found};
  for (const std::string& name : interpreters()) {
    PythonResult result = run_interpreter(name, arguments);
    if (result.status == 127) continue;
    if (!lacks_a_package(result)) return result;
    if (lacking.status == 127) lacking = std::move(result);
  }
  return lacking;
}

void become_python(const std::string& module, const std::vector<std::string>& words,
                   const std::vector<std::string>& packages) {
  std::vector<std::string> probe = {"-c",
                                    "import importlib.util as u, sys; sys.exit(any(u.find_spec(p) "
                                    "is None for p in sys.argv[1:]))"};
  probe.insert(probe.end(), packages.begin(), packages.end());
  std::vector<std::string> arguments = {"-m", "watersmeet." + module};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const std::string package = package_directory();
  std::fflush(stdout);
  const std::vector<std::string> names = interpreters();
  for (const std::string& name : names) {
    if (run_interpreter(name, probe).status == 0) execute(name, arguments, package);
  }
  for (const std::string& name : names) execute(name, arguments, package);  // names what it lacks
  throw Error(ErrorKind::resource, not_found);
}

}  // namespace watersmeet::commands
