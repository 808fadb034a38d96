#pragma once
// The lock of a run folder: one launch of the program writes into it at a time.

#include <string>

namespace watersmeet::io {

// Holds DIR/run.lock, a text with the host and the process that write, and removes it at the end.
// The operating system's lock of that file (flock) goes with its process, so that a file left by a
// process that was killed on this host is taken over.
class RunLock {
 public:
  // Error{io} when a process of this host holds the lock, or the file names another host,
  // whose processes cannot be looked at. A folder that cannot be written is not locked: whatever
  // writes there will say so.
  explicit RunLock(const std::string& directory);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace watersmeet::io
