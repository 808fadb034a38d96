#pragma once
// A queue that ends with its owner, after everything that works on it.

#include "core/device.hpp"

namespace watersmeet {

struct OwnQueue {
  Queue queue;
  explicit OwnQueue(const Queue& q) : queue(q) {}
  ~OwnQueue() {
    if (queue.backend == Backend::cuda) destroy_queue(queue);
  }
  OwnQueue(const OwnQueue&) = delete;
  OwnQueue& operator=(const OwnQueue&) = delete;
};

}  // namespace watersmeet
