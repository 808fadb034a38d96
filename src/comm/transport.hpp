#pragma once
// How ghost cells and the numbers of a time step travel between ranks during a step. Work is
// ordered in a queue; on a GPU the host need not wait. Implementations: host messages through a
// Communicator (any MPI, CPU and GPU, threads in tests), device messages through a CUDA-aware MPI,
// NCCL, kernels that store into the memory of the other GPUs of the host.
//
//        queue   ... pack | start        finish | unpack ...
//                            \          /                        CPU: the messages are under way
//        host              other work                            from start on. GPU, host messages:
//                                                                they leave in finish, when the
//                                                                queue has packed them. NCCL and
//                                                                stores: they are work of the queue.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/device.hpp"
#include "exec/gate.hpp"

namespace watersmeet::comm {

// Part of one message buffer, of which there is one for all messages that leave and one for all
// that arrive. At most one message each way between two ranks in an exchange.
struct Message {
  int peer = 0;
  std::size_t first = 0, size = 0;  // bytes
};

// Messages of a batch that the launches of the caller store into the memory of their receivers, and the
// gate by which they follow each other (exec/gate.hpp).
struct DirectMessages {
  std::byte* in = nullptr;  // where they arrive here
  std::vector<std::int64_t>
      far;  // where those that leave arrive, in bytes from `in` on, in the order of `sends`
  exec::Gate* gate = nullptr;
};

// Buffers of all ranks as this one reaches them: [buffer][rank], null for this rank.
using FarBuffers = std::vector<std::vector<void*>>;

// The order of the calls on one transport must be that of the work. Unless any_queue(), all of them
// name the same queue: NCCL allows no two operations of one communicator at once. The communicator
// outlives the transport; it is free for other calls but, between start() and finish(), messages.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string name() const = 0;  // "mpi", "mpi-device", "nccl", "peer"
  // Memory in which the message buffers must be. Pinned memory is for kernels and the host alike:
  // they pack into it and unpack from it over the bus.
  virtual MemorySpace buffer_space() const = 0;

  // Whether calls may name different queues of this device.
  virtual bool any_queue() const { return false; }

  // Moves a batch of messages: start() after the earlier work of `queue` has filled `out` and no
  // longer needs `in`; what is queued after finish() finds `in` filled and may fill `out` again.
  // One batch at a time, and the same calls on all ranks. Between the two calls the host may queue
  // work elsewhere. A message of no bytes is none.
  virtual void start(std::span<const Message> sends, const void* out,
                     std::span<const Message> receives, void* in, const Queue& queue) = 0;
  virtual void finish(const Queue& queue) = 0;

  // Whether launches can store into the memory of all other ranks: place() is there then.
  virtual bool direct() const { return false; }
  // Memory for a batch that is sent again and again. The caller moves it, between start() and finish() of a
  // batch without messages; one launch has it both ways. Null where no rank sends any. Collective, in the
  // same order on all ranks; of no use after the end of the transport.
  virtual std::shared_ptr<const DirectMessages> place(std::span<const Message> sends,
                                                      std::span<const Message> receives);

  // Opens buffers of device memory, of whole granules (memory/buffer.hpp) and as many on each rank, to the launches of all ranks. Null unless all
  // ranks are willing. Collective. They stay open until the end of the transport, which the buffers outlive.
  virtual const FarBuffers* reach(std::span<void* const> buffers, bool willing);

  // Maximum and sum over the ranks of words in working memory (where the kernels of `queue` run),
  // in place, ordered in the queue. Not between start() and finish().
  virtual void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                          const Queue& queue) = 0;

  // Whether messages and reductions can be recorded with the other work of a queue and repeated
  // (exec/recorded_work.hpp), on all ranks alike.
  virtual bool recordable() const { return false; }

  // Waits on the host for an event that may depend on other ranks. Error{communication} when they
  // fail or stay silent for the communicator's patience; the transport is of no use afterwards.
  virtual void wait(const Event& event) = 0;
};

// Host messages. `backend` is that of the queues to come; with `device_buffers` a CUDA-aware MPI is
// given device memory.
std::unique_ptr<Transport> make_message_transport(Communicator& communicator, Backend backend,
                                                  bool device_buffers);
// Whether this process can use NCCL: built with its header, the library found at run time. `why`
// says why not. Tried once.
bool nccl_available(std::string& why);
// Collective, on every rank after it selected its own device. Error{unsupported} where NCCL is not
// available, Error{communication} when it cannot join the ranks.
std::unique_ptr<Transport> make_nccl_transport(Communicator& communicator);
// Whether MPI moves device memory of this process by itself: asked for, and tried with a message to
// itself.
bool mpi_moves_device_memory(Communicator& communicator);

// Collective, on every rank after it selected its own device; all ranks on one host, at most
// peer::most_ranks. AgreedError{unsupported} where GPUs cannot store into each other's memory.
std::unique_ptr<Transport> make_peer_transport(Communicator& communicator);

// choice: "auto", "mpi", "mpi-device", "nccl" or "peer". auto: when all of several ranks compute on
// GPUs of their own it takes stores between GPUs where one host has all of them and they reach each
// other, else NCCL; else device messages when the probe shows on all that they work, else host
// messages. `shared_device`: another rank computes on this rank's GPU. AgreedError{unsupported}
// naming the first rank that lacks something, what it lacks and what can be had, when a choice
// cannot. Collective; each rank has selected its device.
std::unique_ptr<Transport> choose_transport(Communicator& communicator, const std::string& choice,
                                            Backend backend, bool shared_device);

}  // namespace watersmeet::comm
