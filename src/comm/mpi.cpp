// The communicator of an MPI launch. The only file that sees MPI's header, so that builds with
// different MPIs share all other objects. Everything that waits is a nonblocking call that is
// tested until it is done, so that a lost peer ends the run instead of blocking it
// (MPI 3.0, chapters 3.7 and 5.12); calls without a nonblocking form have a TimeLimit.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <thread>
#if __has_include(<mpi-ext.h>) && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include "comm/communicator.hpp"
#include "comm/launched.hpp"
#include "comm/time_limit.hpp"

#ifdef MPIX_GPU_SUPPORT_CUDA
// Since MPICH 4.0; a module (comm/mpi_module.hpp) may meet an older one of the same ABI.
#pragma weak MPIX_GPU_query_support
#endif

namespace watersmeet::comm {

namespace {

constexpr std::size_t largest_message = std::size_t{1} << 30;  // counts are int

void check(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(ErrorKind::communication, std::string("MPI: ") + what + ": " + text);
}

// Which ranks of the world still answer, found out when one of them has waited without success: it sends
// every other one a message, and a rank that finds such a message while it waits does the same. No
// rank waits until the messages are received. Any thread may ask.
class RollCall {
 public:
  // A communicator of its own, on which nothing else travels.
  explicit RollCall(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  void answer(const std::vector<int>& others) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && !announced_ && announced(MPI_ANY_SOURCE)) announce(others);
  }
  // The ranks among the others that sent nothing for two seconds; a rank that waits looks at its
  // messages four times a second or more often.
  std::vector<int> silent(std::vector<int> others) {
    const std::lock_guard lock(mutex_);
    if (!announced_) announce(others);
    RunningTime waited;
    while (!others.empty() && waited.seconds() < 2) {
      std::erase_if(others, [this](int rank) { return announced(rank); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return others;
  }

 private:
  bool announced(int rank) const {
    int arrived = 0;
    return MPI_Iprobe(rank, tag, comm_, &arrived, MPI_STATUS_IGNORE) == MPI_SUCCESS && arrived != 0;
  }
  void announce(const std::vector<int>& others) {
    announced_ = true;
    for (const int rank : others) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, comm_, &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
    }
  }
  static constexpr int tag = 1;
  MPI_Comm comm_;
  std::mutex mutex_;
  bool announced_ = false;
};

class MpiCommunicator final : public Communicator {
 public:
  // Owns `comm` unless it is the world.
  MpiCommunicator(MPI_Comm comm, bool concurrent, std::shared_ptr<RollCall> roll)
      : comm_(comm), concurrent_(concurrent), roll_(std::move(roll)) {
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Group own = MPI_GROUP_NULL, world = MPI_GROUP_NULL;
    MPI_Comm_group(comm_, &own);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> ranks(static_cast<std::size_t>(size_));
    std::iota(ranks.begin(), ranks.end(), 0);
    in_world_.resize(ranks.size());
    MPI_Group_translate_ranks(own, size_, ranks.data(), world, in_world_.data());
    MPI_Group_free(&own);
    MPI_Group_free(&world);
  }
  ~MpiCommunicator() override {
    if (comm_ != MPI_COMM_WORLD) {
      MPI_Comm_free(&comm_);
      return;
    }
    limited("end of MPI", [this] { MPI_Barrier(comm_); });
    // No thread may call MPI while it ends (MPI 3.1, chapter 8.7): roll calls are not answered from here on.
    concurrent_ = false;
    limited("end of MPI", [] { MPI_Finalize(); });
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string description() const override { return mpi_version(); }

  void begin(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    require(requests_.empty(), "one batch of messages at a time");
    // Receives first: what arrives then has a place to go.
    for (const Incoming& m : in) {
      for (std::size_t at = 0; at < m.size; at += largest_message) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Irecv(static_cast<char*>(m.bytes) + at, count_from(m.size, at), MPI_BYTE, m.from,
                        tag, comm_, &request),
              "receiving");
        requests_.push_back(request);
      }
    }
    for (const Outgoing& m : out) {
      for (std::size_t at = 0; at < m.size; at += largest_message) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Isend(static_cast<const char*>(m.bytes) + at, count_from(m.size, at), MPI_BYTE,
                        m.to, tag, comm_, &request),
              "sending");
        requests_.push_back(request);
      }
    }
  }

  bool finished() override {
    if (requests_.empty()) return true;
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                      MPI_STATUSES_IGNORE),
          "messages");
    if (done != 0) requests_.clear();
    return done != 0;
  }

  void broadcast(void* bytes, std::size_t size, int root) override {
    for (std::size_t at = 0; at < size; at += largest_message) {
      collective("broadcast", [&](MPI_Request* request) {
        return MPI_Ibcast(static_cast<char*>(bytes) + at, count_from(size, at), MPI_BYTE, root,
                          comm_, request);
      });
    }
  }
  void all_gather(const void* mine, std::size_t size, void* all) override {
    require(size < largest_message, "all_gather is for small things");
    collective("all-gather", [&](MPI_Request* request) {
      const int count = static_cast<int>(size);
      return MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm_, request);
    });
  }
  // As signed words: MPICH 4.0.2 compares unsigned ones of 64 bits as if they had a sign, and Open
  // MPI 4.1.4 those of MPI_UNSIGNED_LONG.
  void all_reduce_max(std::span<std::uint64_t> words) override {
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    for (std::uint64_t& word : words) word ^= top;
    reduce(words.data(), words.size(), MPI_INT64_T, MPI_MAX);
    for (std::uint64_t& word : words) word ^= top;
  }
  void all_reduce_sum(std::span<std::int64_t> words) override {
    reduce(words.data(), words.size(), MPI_INT64_T, MPI_SUM);
  }
  void all_reduce_xor(std::span<std::uint32_t> words) override {
    reduce(words.data(), words.size(), MPI_UINT32_T, MPI_BXOR);
  }

  std::unique_ptr<Communicator> duplicate() override { return subset(true); }
  std::unique_ptr<Communicator> subset(bool member) override {
    MPI_Comm made = MPI_COMM_NULL;
    limited("splitting the ranks", [&] {
      check(MPI_Comm_split(comm_, member ? 0 : MPI_UNDEFINED, rank_, &made), "splitting the ranks");
    });
    if (made == MPI_COMM_NULL) return nullptr;
    auto result = std::make_unique<MpiCommunicator>(made, concurrent_, roll_);
    result->inherit(*this);
    return result;
  }
  bool concurrent() const override { return concurrent_; }
  const void* native() const override { return &comm_; }
  [[noreturn]] void abort(int status) noexcept override {
    std::fflush(nullptr);
    // In case that MPI waits here, too.
    const TimeLimit limit(5, [status] { std::_Exit(status); });
    MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
  }

 private:
  // Without threads within MPI only a waiting thread of its own could ask.
  void answer_call() const override {
    if (concurrent_) roll_->answer(others());
  }
  std::optional<std::vector<int>> find_silent() const override {
    if (!concurrent_) return std::nullopt;
    std::vector<int> silent;
    for (const int rank : roll_->silent(others())) {
      const auto at = std::find(in_world_.begin(), in_world_.end(), rank);
      silent.push_back(static_cast<int>(at - in_world_.begin()));
    }
    return silent;
  }
  std::vector<int> others() const {
    std::vector<int> ranks = in_world_;
    ranks.erase(ranks.begin() + rank_);
    return ranks;
  }
  static constexpr int tag = 0;
  static int count_from(std::size_t size, std::size_t at) {
    return static_cast<int>(std::min(size - at, largest_message));
  }
  template <class Start>
  void collective(const char* what, const Start& start) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(start(&request), what);
    wait_for_others(
        [&] {
          int done = 0;
          check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
          return done != 0;
        },
        what);
  }
  void reduce(void* words, std::size_t count, MPI_Datatype type, MPI_Op op) {
    if (count == 0) return;
    collective("all-reduce", [&](MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, words, static_cast<int>(count), type, op, comm_, request);
    });
  }

  MPI_Comm comm_;
  bool concurrent_;
  int rank_ = 0, size_ = 1;
  std::shared_ptr<RollCall> roll_;
  std::vector<int> in_world_;  // ranks of the members
  std::vector<MPI_Request> requests_;
};

}  // namespace

bool built_with_mpi() { return true; }

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text);
  // "Open MPI v4.1.4, package: ..." and "MPICH Version:      4.0.2\nMPICH Release date: ..."
  version = version.substr(0, version.find_first_of(",\n"));
  std::string result;
  for (const char c : version) {
    const char plain = c == '\t' ? ' ' : c;
    if (plain == ' ' && (result.empty() || result.back() == ' ')) continue;
    result += plain;
  }
  return result;
}

bool mpi_claims_cuda() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)  // Open MPI: the header's number is that of the build machine
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPIX_GPU_SUPPORT_CUDA)  // MPICH since 4.0
  int supported = 0;
  return MPIX_GPU_query_support != nullptr &&
         MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0;
#else
  return false;
#endif
}

std::string default_launcher() { return WATERSMEET_MPIEXEC; }

std::string slurm_plugin() {
#ifdef OPEN_MPI
  return "pmix";
#else
  return "pmi2";
#endif
}

std::unique_ptr<Communicator> join_world(double patience, EndProcess end) {
  if (!launched_in_parallel()) return make_self();
  int provided = MPI_THREAD_SINGLE;
  MPI_Comm for_roll_call = MPI_COMM_NULL;
  {
    const TimeLimit limit(patience, [&] {
      const SilentPeer error("waited " + std::to_string(static_cast<long>(patience)) +
                             " s for the start of the other ranks; one of them was lost, or does "
                             "not respond");
      if (end) end(error);
      std::fprintf(stderr, "%s\n", error.what());
      std::_Exit(1);
    });
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), "initialising");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &for_roll_call), "doubling the ranks");
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    throw Error(ErrorKind::unsupported,
                mpi_version() + " was built without threads (MPI_THREAD_SERIALIZED)");
  }
  auto world = std::make_unique<MpiCommunicator>(MPI_COMM_WORLD, provided == MPI_THREAD_MULTIPLE,
                                                 std::make_shared<RollCall>(for_roll_call));
  world->set_patience(patience);
  world->set_end(std::move(end));
  return world;
}

}  // namespace watersmeet::comm
