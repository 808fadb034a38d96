#pragma once
// Work that is queued again and again with the same arguments, recorded once as a CUDA graph: the
// host then launches all its kernels by one call, and the gaps between them on the device are
// shorter. Only for queues of a GPU (can_record()).

#include <functional>
#include <memory>

#include "core/device.hpp"

namespace watersmeet::exec {

class RecordedWork {
 public:
  RecordedWork();
  ~RecordedWork();
  RecordedWork(RecordedWork&&) noexcept;
  RecordedWork& operator=(RecordedWork&&) noexcept;

  bool empty() const { return graph_ == nullptr; }
  // Records what `work` puts into the queue without carrying it out. `work` may neither wait nor
  // allocate; it should have run once before, so that no kernel is loaded meanwhile. Error{device}.
  void record(const Queue& queue, const std::function<void()>& work);
  // Queues what was recorded; not when empty(). Error{device}.
  void replay(const Queue& queue) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

// Whether work for this queue can be recorded.
bool can_record(const Queue& queue);

}  // namespace watersmeet::exec
