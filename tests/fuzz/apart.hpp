#pragma once
// Files that a library of others reads are read in a process of their own: damage can leave such a library in a state that breaks the next
// call, and it may fail by a signal. The process reads several files one after the other, because to begin one costs far more than to
// read a small file.

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>

namespace watersmeet::fuzz {

// How many files such a process reads: each program of this folder has its own number.
extern const int files_of_a_process;

class ReadApart {
 public:
  // `read` reads the file that the bytes were written to. More than `bound` bytes of memory for one file are a fault. After `files` files,
  // or once it has taken a quarter of `bound`, a process ends and the next one begins.
  explicit ReadApart(std::function<void()> read, int files = files_of_a_process,
                     std::size_t bound = std::size_t{1} << 30);
  ~ReadApart();
  ReadApart(const ReadApart&) = delete;
  ReadApart& operator=(const ReadApart&) = delete;

  // Reads once; throws std::logic_error for a fault. A signal within a call of the library is answered as the program answers it
  // (src/io/fatal_signals.cpp); under the address sanitizer its report tells whose fault it is (library_fault.hpp). A loop without end in the library, which is taken for one after 0.25 s, is not this program's; 4 s elsewhere are a
  // fault. Each fault is tried again in a new process, and counts where that has it too: what earlier files left in the library is none of this file's.
  void answer();

 private:
  void begin();
  void end();
  void close_pipes();
  void repeat_what_was_said() const;
  [[noreturn]] void serve(int requests, int replies) const;
  std::string read_once();  // the fault, or nothing

  std::function<void()> read_;
  int files_;
  std::size_t bound_;
  pid_t process_ = -1;
  int requests_ = -1;
  int replies_ = -1;
  int said_ = -1;  // what the process writes to its standard error
  int served_ = 0;
  long kilobytes_ = 0;  // of memory that the process has had at most
  long first_kilobytes_ = 0;
};

}  // namespace watersmeet::fuzz
