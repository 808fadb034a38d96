#include "watersmeet/fatal_signals.hpp"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "core/foreign_call.hpp"

namespace watersmeet {
namespace {

// Only calls that are allowed in a handler.
void answer(int signal) {
  const ForeignCall* const call = ForeignCall::current();
  if (call == nullptr) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  for (const char* const part :
       {"error: the library ", call->library(), " failed on ", call->path(),
        ": the file is damaged or was made to do harm, or there is not enough host memory\n"}) {
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  ::_exit(3);
}

}  // namespace

void answer_fatal_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, answer);
}

}  // namespace watersmeet
