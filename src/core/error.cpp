#include "core/error.hpp"

namespace watersmeet {

int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::user_input:
    case ErrorKind::unsupported:
      return 2;
    case ErrorKind::io:
    case ErrorKind::resource:
    case ErrorKind::device:
      return 3;
    case ErrorKind::diverged:
      return 4;
    case ErrorKind::communication:
    case ErrorKind::internal:
      return 1;
  }
  return 1;
}

void require(bool condition, const char* message, const char* file, int line) {
  if (!condition) {
    throw Error(ErrorKind::internal,
                std::string(message) + " [" + file + ":" + std::to_string(line) + "]");
  }
}

}  // namespace watersmeet
