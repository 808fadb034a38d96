#pragma once
// The ranks of a run as the host code sees them: who they are, messages between them, and the few
// collective calls that set-up, output and agreement need. Ghost cells and time steps go through a
// Transport (transport.hpp), which may be faster. Every collective call must be made by all ranks
// in the same order. Waiting has an end: a peer that stays silent for `patience` seconds is a
// SilentPeer, and within a call of a library that cannot be left it ends the process.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace watersmeet::comm {

constexpr double default_patience = 1800;  // seconds

struct Outgoing {
  int to = 0;
  const void* bytes = nullptr;
  std::size_t size = 0;
};
struct Incoming {
  int from = 0;
  void* bytes = nullptr;
  std::size_t size = 0;
};

// Another rank was lost or does not respond. Waiting for the agreement of all ranks would be in
// vain, so that agree() passes it on at once.
class SilentPeer : public Error {
 public:
  explicit SilentPeer(const std::string& text) : Error(ErrorKind::communication, text) {}
};
// What ends the process, as the message and the exit status of this error say.
using EndProcess = std::function<void(const SilentPeer&)>;

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual std::string description() const = 0;  // "Open MPI 4.1.4", "one process"

  // Starts a batch of messages; one batch at a time. Messages from one rank to another pair up in
  // the order of posting: there are no tags. The bytes must stay until finished() said true.
  virtual void begin(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  virtual bool finished() = 0;
  void finish();  // waits
  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) {
    begin(out, in);
    finish();
  }

  // Collective.
  virtual void broadcast(void* bytes, std::size_t size, int root) = 0;
  virtual void all_gather(const void* mine, std::size_t size, void* all) = 0;  // size: of one rank
  virtual void all_reduce_max(std::span<std::uint64_t> words) = 0;
  virtual void all_reduce_sum(std::span<std::int64_t> words) = 0;
  virtual void all_reduce_xor(std::span<std::uint32_t> words) = 0;
  // NaN if any value is NaN.
  void all_reduce_max(std::span<double> values);
  void barrier();
  // The same ranks once more, for a thread of its own.
  virtual std::unique_ptr<Communicator> duplicate() = 0;
  // The members by themselves, in the same order; null for the others.
  virtual std::unique_ptr<Communicator> subset(bool member) = 0;

  // Whether two threads may be inside two communicators at once.
  virtual bool concurrent() const = 0;
  // MPI_Comm of this communicator for a library that needs one (HDF5), or null.
  virtual const void* native() const { return nullptr; }
  // Ends all ranks at once: for faults that only this rank knows of.
  [[noreturn]] virtual void abort(int status) noexcept = 0;

  void set_patience(double seconds) { patience_ = seconds; }
  double patience() const { return patience_; }
  // Calls `done` until it says true, giving way to other processes. SilentPeer naming `what` was
  // waited for, and who is silent where that can be found out, when the patience ends.
  void wait_until(const std::function<bool()>& done, const char* what) const;
  // A call of a library that waits for the other ranks without a limit of its own. When the
  // patience ends, a thread carries out `end` (by default: prints the message and aborts).
  void limited(const char* what, const std::function<void()>& call) const;
  void set_end(EndProcess end) { end_ = std::move(end); }
  // Seconds that this rank has spent until now on messages of others, and on collective calls: the
  // rest of its time is its own work.
  double seconds_waited() const { return seconds_waited_; }

 protected:
  // wait_until() for other ranks.
  void wait_for_others(const std::function<bool()>& done, const char* what);
  // Patience and end of `other`.
  void inherit(const Communicator& other) {
    patience_ = other.patience_;
    end_ = other.end_;
  }

 private:
  // When a rank has waited without result, it calls all others. Those that wait too answer: here, in
  // passing, and by find_silent(), which waits a moment for the answers and returns the ranks that
  // gave none; nothing where it cannot be found out. Any thread.
  virtual void answer_call() const {}
  virtual std::optional<std::vector<int>> find_silent() const { return std::nullopt; }
  SilentPeer silence(double seconds, const char* what) const;

  double patience_ = default_patience, seconds_waited_ = 0;
  EndProcess end_;
};

// One process by itself.
std::unique_ptr<Communicator> make_self();

// The world of an MPI launch, or make_self(). Initialises MPI; call once a process, and keep the
// result until the end, when its destructor finalises MPI. Error{unsupported} when the program was
// launched in parallel but built without MPI. `patience` and `end` hold from the start on.
std::unique_ptr<Communicator> join_world(double patience = default_patience, EndProcess end = {});
bool built_with_mpi();
std::string mpi_version();       // "Open MPI v4.1.4" or "none"
bool mpi_claims_cuda();          // whether MPI, initialised, says that it moves device memory
std::string default_launcher();  // mpiexec of the MPI that this was built with, or empty

// Where the ranks are.
struct Locality {
  int local_rank = 0, local_size = 1;  // among the ranks on this host
  int host = 0, hosts = 1;             // hosts are numbered by their first rank
  int threads = 1;                     // processors of this rank: its own share of those it may use
  int processors = 1, sharing = 1;     // all that it may use, and the ranks that may use the same
  std::string host_name;
};
Locality find_locality(Communicator& world);  // collective

// The fault of one rank, known to all: every rank throws it, rank 0 alone prints it.
class AgreedError : public Error {
 public:
  using Error::Error;
};
// Runs `work` on every rank; when it throws on any of them, all throw AgreedError with the text and
// kind of the first one (named when there are several ranks and the text is not the same on all,
// but not where the fault has its place in a case: Error::json()).
// Collective; `work` may be collective too as long as it throws before or on all ranks.
void agree(Communicator& world, const std::function<void()>& work);

// A text of one rank on all ranks. Collective.
std::string broadcast_text(Communicator& world, std::string text, int root = 0);

}  // namespace watersmeet::comm
