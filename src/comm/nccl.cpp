// Messages and reductions as work of a GPU's queue, by NCCL. The library is opened when a run needs
// it, so that the program also starts where it is missing. NCCL User Guide: "Point-to-point
// communication" (all messages of an exchange in one group, so that their order among peers cannot
// lock), "Fault tolerance" (the asynchronous error is watched, a broken communicator is aborted).
//
// The communicator is a blocking one: the calls return once the work is queued. A non-blocking one
// starts a thread for every group (ncclGroupEnd in group.cc of NCCL 2.28), which would cost each
// exchange more than its messages take on small blocks. Calls that wait for other ranks have the time
// limit of Communicator::limited(), a thread too: the start, the end, and the end of a group that
// connects ranks for the first time, which NCCL does there. Later groups only queue work.
#include <dlfcn.h>
#include <nccl.h>

#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "comm/transport.hpp"

namespace watersmeet::comm {

namespace {

// The functions of the library that are called here, with the types of its header.
struct Library {
  decltype(&ncclGetVersion) get_version = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
  decltype(&ncclGetLastError) last_error = nullptr;
  decltype(&ncclGetUniqueId) unique_id = nullptr;
  decltype(&ncclCommInitRank) join = nullptr;
  decltype(&ncclCommGetAsyncError) async_error = nullptr;
  decltype(&ncclCommDestroy) destroy = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;
  int version = 0;
  std::string fault;  // why it cannot be used
};

Library open_library() {
  Library l;
  // NVLink multicast (NVLS) speeds up large collectives, which we have none of, and some shared
  // hosts forbid it. A user's own setting stays.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  void* const handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const reason = dlerror();
    l.fault = std::string("the library cannot be opened: ") + (reason ? reason : "libnccl.so.2");
    return l;
  }
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (function == nullptr && l.fault.empty()) {
      l.fault = std::string("the library libnccl.so.2 is too old: it has no ") + name;
    }
  };
  find(l.get_version, "ncclGetVersion");
  find(l.error_string, "ncclGetErrorString");
  find(l.last_error, "ncclGetLastError");
  find(l.unique_id, "ncclGetUniqueId");
  find(l.join, "ncclCommInitRank");
  find(l.async_error, "ncclCommGetAsyncError");
  find(l.destroy, "ncclCommDestroy");
  find(l.abort, "ncclCommAbort");
  find(l.group_start, "ncclGroupStart");
  find(l.group_end, "ncclGroupEnd");
  find(l.send, "ncclSend");
  find(l.receive, "ncclRecv");
  find(l.all_reduce, "ncclAllReduce");
  if (l.fault.empty() && l.get_version(&l.version) != ncclSuccess) {
    l.fault = "the library does not report its version";
  }
  return l;
}

// Stays open to the end of the process: NCCL has threads of its own.
const Library& library() {
  static const Library opened = open_library();
  return opened;
}

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(Communicator& ranks) : nccl_(library()), ranks_(ranks) {
    ncclUniqueId id{};
    agree(ranks_, [&] {
      if (ranks_.rank() == 0) check(nccl_.unique_id(&id), "no identifier for the ranks");
    });
    ranks_.broadcast(&id, sizeof id, 0);
    try {
      agree(ranks_, [&] {
        ranks_.limited("start of NCCL", [&] {
          check(nccl_.join(&comm_, ranks_.size(), id, ranks_.rank()), "cannot join the ranks");
        });
      });
    } catch (...) {
      give_up();
      throw;
    }
  }
  NcclTransport(const NcclTransport&) = delete;
  NcclTransport& operator=(const NcclTransport&) = delete;

  // An orderly end waits for the other ranks; when this one leaves because of a fault, they may not
  // come.
  ~NcclTransport() override {
    if (comm_ == nullptr) return;
    if (std::uncaught_exceptions() > exceptions_) {
      nccl_.abort(comm_);
    } else {
      ranks_.limited("end of NCCL", [this] { nccl_.destroy(comm_); });
    }
  }

  std::string name() const override { return "nccl"; }
  MemorySpace buffer_space() const override { return MemorySpace::device; }

  void start(std::span<const Message> sends, const void* out, std::span<const Message> receives,
             void* in, const Queue& queue) override {
    require(!started_, "one batch of messages at a time");
    bool connects = false;
    for (const Message& m : sends) connects = (m.size > 0 && first_use(sent_, m.peer)) || connects;
    for (const Message& m : receives) {
      connects = (m.size > 0 && first_use(received_, m.peer)) || connects;
    }
    group("exchange of ghost cells", connects, [&] {
      for (const Message& m : sends) {
        if (m.size == 0) continue;
        check(nccl_.send(static_cast<const char*>(out) + m.first, m.size, ncclInt8, m.peer, comm_,
                         stream_of(queue)),
              "sending");
      }
      for (const Message& m : receives) {
        if (m.size == 0) continue;
        check(nccl_.receive(static_cast<char*>(in) + m.first, m.size, ncclInt8, m.peer, comm_,
                            stream_of(queue)),
              "receiving");
      }
    });
    started_ = true;
  }
  // The messages are work of the queue: what comes after them finds them done.
  void finish(const Queue&) override {
    require(started_, "no batch of messages was started");
    started_ = false;
  }

  void all_reduce(std::span<std::uint64_t> maxima, std::span<std::int64_t> sums,
                  const Queue& queue) override {
    require(!started_, "a reduction within a batch of messages");
    group("reduction", !std::exchange(reduced_, true), [&] {
      if (!maxima.empty()) {
        check(nccl_.all_reduce(maxima.data(), maxima.data(), maxima.size(), ncclUint64, ncclMax,
                               comm_, stream_of(queue)),
              "largest of all ranks");
      }
      if (!sums.empty()) {
        check(nccl_.all_reduce(sums.data(), sums.data(), sums.size(), ncclInt64, ncclSum, comm_,
                               stream_of(queue)),
              "sum over all ranks");
      }
    });
  }

  void wait(const Event& event) override {
    try {
      ranks_.wait_until(
          [&] {
            if (event.ready()) return true;
            if (comm_ == nullptr) throw broken("it was given up earlier");
            ncclResult_t state = ncclSuccess;
            check(nccl_.async_error(comm_, &state), "no state of the connections");
            if (state != ncclInProgress) check(state, "the connections broke");
            return false;
          },
          "messages by NCCL");
    } catch (...) {
      give_up();
      throw;
    }
  }

 private:
  static cudaStream_t stream_of(const Queue& queue) {
    require(queue.backend == Backend::cuda, "NCCL works on queues of a GPU");
    return static_cast<cudaStream_t>(queue.stream);
  }
  Error broken(const std::string& text) const {
    return Error(ErrorKind::communication, "rank " + std::to_string(ranks_.rank()) + " of " +
                                               std::to_string(ranks_.size()) + ": NCCL: " + text);
  }
  void check(ncclResult_t status, const char* what) const {
    if (status == ncclSuccess) return;
    std::string text = std::string(what) + ": " + nccl_.error_string(status);
    const char* const last = nccl_.last_error(comm_);
    if (last != nullptr && *last != '\0') text += std::string(" (") + last + ")";
    throw broken(text);
  }
  static bool first_use(std::vector<bool>& peers, int peer) {
    const std::size_t at = static_cast<std::size_t>(peer);
    const bool first = !peers[at];
    peers[at] = true;
    return first;
  }
  // connects: the first time with one of these ranks.
  template <class Calls>
  void group(const char* what, bool connects, const Calls& calls) {
    if (comm_ == nullptr) throw broken("it was given up earlier");
    try {
      check(nccl_.group_start(), what);
      try {
        calls();
      } catch (...) {
        ranks_.limited(what, [this] { nccl_.group_end(); });
        throw;
      }
      if (connects) {
        ranks_.limited(what, [&] { check(nccl_.group_end(), what); });
      } else {
        check(nccl_.group_end(), what);
      }
    } catch (...) {
      give_up();
      throw;
    }
  }
  // Also ends the kernels that wait for other ranks on the device.
  void give_up() {
    if (comm_ != nullptr) nccl_.abort(std::exchange(comm_, nullptr));
  }

  const Library& nccl_;
  Communicator& ranks_;
  ncclComm_t comm_ = nullptr;
  bool started_ = false;
  std::vector<bool> sent_ = std::vector<bool>(static_cast<std::size_t>(ranks_.size()));
  std::vector<bool> received_ = sent_;  // with which ranks there were messages
  bool reduced_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

bool nccl_available(std::string& why) {
  why = library().fault;
  return why.empty();
}

std::unique_ptr<Transport> make_nccl_transport(Communicator& communicator) {
  std::string why;
  if (!nccl_available(why)) throw Error(ErrorKind::unsupported, "no NCCL: " + why);
  return std::make_unique<NcclTransport>(communicator);
}

}  // namespace watersmeet::comm
