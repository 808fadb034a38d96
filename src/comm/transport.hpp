#pragma once
// How ghost cells and the numbers of a time step travel between ranks during a step. Work is
// ordered in a queue; on a GPU the host need not wait. Implementations: host messages through a
// Communicator (any MPI, CPU and GPU, threads in tests), device messages through a CUDA-aware MPI,
// NCCL.

#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "core/device.hpp"

namespace watersmeet::comm {

// Part of one message buffer, of which there is one for all messages that leave and one for all
// that arrive. At most one message each way between two ranks in an exchange.
struct Message {
  int peer = 0;
  std::size_t first = 0, size = 0;  // bytes
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string name() const = 0;  // "mpi", "mpi-device", "nccl"
  // Memory in which the message buffers must be.
  virtual MemorySpace buffer_space() const = 0;

  // Moves a batch of messages: start() after the earlier work of `queue` has filled `out`; what is
  // queued after finish() finds `in` filled. One batch at a time, and the same calls on all ranks.
  // Between the two calls the host may queue work elsewhere.
  virtual void start(std::span<const Message> sends, const void* out,
                     std::span<const Message> receives, void* in, const Queue& queue) = 0;
  virtual void finish(const Queue& queue) = 0;

  // Maximum and sum over the ranks of words in working memory (where the kernels of `queue` run),
  // in place, ordered in the queue.
  virtual void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                          const Queue& queue) = 0;

  // Waits on the host for an event that may depend on other ranks. Error{communication} when they
  // fail or stay silent.
  virtual void wait(const Event& event) = 0;
};

// Host messages. `backend` is that of the queues to come; with `device_buffers` a CUDA-aware MPI is
// given device memory.
std::unique_ptr<Transport> make_message_transport(Communicator& communicator, Backend backend,
                                                  bool device_buffers);
// Collective. Null when this build or machine has no NCCL (`why` says so on this rank alone; the
// caller agrees with the other ranks first).
bool nccl_available(std::string& why);
std::unique_ptr<Transport> make_nccl_transport(Communicator& communicator);
// Whether MPI moves device memory by itself: asked for, and tried with a message to itself.
bool mpi_moves_device_memory(Communicator& communicator);

// choice: "auto", "mpi", "mpi-device" or "nccl". auto takes NCCL when all ranks compute on GPUs of
// their own, else device messages when the probe shows that they work, else host messages. Error
// {unsupported} naming what is missing when a choice cannot be had. Collective.
std::unique_ptr<Transport> choose_transport(Communicator& communicator, const std::string& choice,
                                            Backend backend, bool shared_device);

}  // namespace watersmeet::comm
