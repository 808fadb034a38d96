#pragma once
// Errors of the whole program: one exception type with a kind, from which the command line takes
// its exit status and Python its exception class. Nothing below main() calls exit() or abort().

#include <stdexcept>
#include <string>
#include <type_traits>

// nvcc 13.0 with the headers of GCC 13 finds std::iterator_traits<char*> incomplete when the first
// thing that asks for this is a copied string in a function of a template.
static_assert(std::is_object_v<char>);

namespace watersmeet {

enum class ErrorKind {
  user_input,     // exit 2: the text of a case or a command line is wrong
  unsupported,    // exit 2: right, but not possible with this build or system
  io,             // exit 3: files, disk
  resource,       // exit 3: memory, no device
  device,         // exit 3: a CUDA call failed
  communication,  // exit 1: a peer or transport failed
  diverged,       // exit 4: not a number, time step too small, solver stalled
  internal,       // exit 1: a fault of the program itself
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, const std::string& json = "")
      : std::runtime_error(message), kind_(kind), json_(json) {}
  ErrorKind kind() const { return kind_; }
  // The same for programs: a JSON list of faults with their places; empty when the message is all
  // there is.
  const std::string& json() const { return json_; }

 private:
  ErrorKind kind_;
  std::string json_;
};

// Exit status of the command line for an error of this kind (docs/reference, user interface).
int exit_status(ErrorKind kind);

// Throws an internal error naming file and line when the condition fails: for contracts between
// parts of the program, never for user input.
void require(bool condition, const char* message, const char* file = __builtin_FILE(),
             int line = __builtin_LINE());

}  // namespace watersmeet
