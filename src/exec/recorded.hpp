#pragma once
// Work of a queue that is recorded once and then repeated with one call: a CUDA graph. A long row
// of small kernels, as a cycle over coarse grids is, costs a launch each otherwise.

#include <functional>
#include <memory>

#include "core/device.hpp"

namespace watersmeet::exec {

class Recorded {
 public:
  // `work` queues what is to be recorded on the queue that it is given, and nothing that waits;
  // nothing is carried out yet. Queues of CUDA only: Error{unsupported} in a build without.
  explicit Recorded(const std::function<void(const Queue&)>& work);
  ~Recorded();
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  void run(const Queue& queue) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace watersmeet::exec
