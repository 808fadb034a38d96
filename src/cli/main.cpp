// The program: reads the arguments, calls one command, and turns every exception into one message and
// the exit status of its kind (docs/reference/command-line.md).
#include <cstdio>
#include <exception>

#include "cli/parse.hpp"
#include "watersmeet/fatal_signals.hpp"

namespace {

// What is printed must arrive: a full disk behind `watersmeet keys > file` is a failure.
int finish(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fputs("error: cannot write to the standard output (is the disk full?)\n", stderr);
  return status == 0 ? 3 : status;
}

}  // namespace

int main(int argc, char** argv) {
  watersmeet::answer_fatal_signals();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    const watersmeet::cli::Request request = watersmeet::cli::parse(arguments);
    if (request.command) return finish(request.command());
    std::fputs(request.text.c_str(), request.status == 0 ? stdout : stderr);
    return finish(request.status);
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return finish(0);  // the fault is that nothing can be printed
    const watersmeet::CommonOptions options = watersmeet::cli::message_options(arguments);
    std::fflush(stdout);  // first what came before the fault
    std::fputs(watersmeet::message_of(error, options).c_str(), options.json ? stdout : stderr);
    return finish(watersmeet::exit_status_of(error));
  }
}
