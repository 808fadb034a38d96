// The program: reads the arguments, calls one command, and turns every exception into one message and
// the exit status of its kind (docs/reference/command-line.md).
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "cli/parse.hpp"
#include "watersmeet/fatal_signals.hpp"

namespace {

// Output that cannot be written is a failure, for instance a full disk behind `watersmeet keys > file`.
int finish(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fputs("error: cannot write to the standard output (is the disk full?)\n", stderr);
  return status == 0 ? 3 : status;
}

#if defined(__x86_64__)
// Says that this processor lacks instructions which the program was compiled for: a package is compiled for many
// processors, a build of the sources for the one it was built on. Runs before the constants of all
// files, which need them too.
[[gnu::constructor(101)]] void require_instructions() {
  const char* missing = nullptr;
  __builtin_cpu_init();
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) missing = "AVX-512";
#elif defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) missing = "AVX2 and FMA";
#endif
  if (missing == nullptr) return;
  std::fprintf(
      stderr,
      "error: this program was compiled for processors with %s, which this one lacks; build "
      "it from the sources on this machine:  ./wm build\n",
      missing);
  _exit(2);
}
#endif

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
