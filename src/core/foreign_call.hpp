#pragma once
// Which file a library of others (HDF5, CGNS) is reading just now. Such a library may fail on a damaged file by a signal, which
// main() can then answer with a message and an exit status (watersmeet/fatal_signals.hpp).

#include <string>

namespace watersmeet {

// For the length of a call of the library; calls may be nested. `path` lives at least as long.
class ForeignCall {
 public:
  ForeignCall(const char* library, const std::string& path);
  ~ForeignCall();
  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;

  // The innermost one of this thread; null where there is none. Safe in a signal handler.
  static const ForeignCall* current();
  const char* library() const { return library_; }
  const char* path() const { return path_; }

 private:
  const char* library_;
  const char* path_;
  const ForeignCall* outer_;
};

}  // namespace watersmeet
