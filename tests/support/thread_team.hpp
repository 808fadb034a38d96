#pragma once
// Ranks as threads of one process, for tests: every message goes through a queue per pair of ranks
// and pairs up with the receives in the order of posting, without tags, as NCCL pairs them. What
// depends on tags fails here at once.

#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "comm/communicator.hpp"

namespace watersmeet::test {

class ThreadTeam;

class ThreadCommunicator final : public comm::Communicator {
 public:
  ThreadCommunicator(ThreadTeam& team, int rank, int group)
      : team_(team), rank_(rank), group_(group) {}
  int rank() const override { return rank_; }
  int size() const override;
  std::string description() const override { return "threads"; }
  void begin(std::span<const comm::Outgoing> out, std::span<const comm::Incoming> in) override;
  bool finished() override;
  void broadcast(void* bytes, std::size_t size, int root) override;
  void all_gather(const void* mine, std::size_t size, void* all) override;
  void all_reduce_max(std::span<std::uint64_t> words) override {
    reduce<std::uint64_t>(words, [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; });
  }
  void all_reduce_sum(std::span<std::int64_t> words) override {
    reduce<std::int64_t>(words, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void all_reduce_xor(std::span<std::uint32_t> words) override {
    reduce<std::uint32_t>(words, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
  }
  std::unique_ptr<Communicator> duplicate() override { return subset(true); }
  std::unique_ptr<Communicator> subset(bool member) override;
  bool concurrent() const override { return true; }
  [[noreturn]] void abort(int) noexcept override { std::terminate(); }

 private:
  template <class T, class F>
  void reduce(std::span<T> words, F combine) {
    std::vector<T> all(words.size() * static_cast<std::size_t>(size()));
    all_gather(words.data(), words.size() * sizeof(T), all.data());
    for (std::size_t r = 0; r < static_cast<std::size_t>(size()); ++r) {
      for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = r == 0 ? all[i] : combine(words[i], all[r * words.size() + i]);
      }
    }
  }
  ThreadTeam& team_;
  int rank_, group_;
  std::vector<comm::Incoming> pending_;
};

// Owns the queues. Groups are communicators: 0 the world, others made by subset() and duplicate().
class ThreadTeam {
 public:
  explicit ThreadTeam(int ranks) : sizes_{ranks} {}

  // Runs `work(communicator)` once a rank, each in a thread; rethrows the first exception.
  template <class Work>
  static void run(int ranks, const Work& work) {
    ThreadTeam team(ranks);
    std::vector<std::thread> threads;
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
      threads.emplace_back([&, r] {
        ThreadCommunicator communicator(team, r, 0);
        communicator.set_patience(60);
        try {
          work(static_cast<comm::Communicator&>(communicator));
        } catch (...) {
          thrown[static_cast<std::size_t>(r)] = std::current_exception();
        }
      });
    }
    for (std::thread& t : threads) t.join();
    for (const std::exception_ptr& e : thrown) {
      if (e) std::rethrow_exception(e);
    }
  }

  void put(int group, int from, int to, const void* bytes, std::size_t size) {
    const std::lock_guard lock(mutex_);
    const auto* const b = static_cast<const unsigned char*>(bytes);
    queues_[{group, from, to}].emplace_back(b, b + size);
  }
  bool take(int group, int from, int to, void* bytes, std::size_t size) {
    const std::lock_guard lock(mutex_);
    auto& queue = queues_[{group, from, to}];
    if (queue.empty()) return false;
    if (queue.front().size() != size) {
      throw Error(ErrorKind::communication, "rank " + std::to_string(to) + " expects " +
                                                std::to_string(size) + " bytes from rank " +
                                                std::to_string(from) + ", which sent " +
                                                std::to_string(queue.front().size()));
    }
    if (size > 0) std::memcpy(bytes, queue.front().data(), size);
    queue.pop_front();
    return true;
  }
  int size_of(int group) {
    const std::lock_guard lock(mutex_);
    return sizes_[static_cast<std::size_t>(group)];
  }
  int new_group(int size) {
    const std::lock_guard lock(mutex_);
    sizes_.push_back(size);
    return static_cast<int>(sizes_.size()) - 1;
  }

 private:
  std::mutex mutex_;
  std::map<std::array<int, 3>, std::deque<std::vector<unsigned char>>> queues_;
  std::vector<int> sizes_;
};

inline int ThreadCommunicator::size() const { return team_.size_of(group_); }

inline void ThreadCommunicator::begin(std::span<const comm::Outgoing> out,
                                      std::span<const comm::Incoming> in) {
  require(pending_.empty(), "one batch of messages at a time");
  for (const comm::Outgoing& o : out) team_.put(group_, rank_, o.to, o.bytes, o.size);
  pending_.assign(in.begin(), in.end());
}

inline bool ThreadCommunicator::finished() {
  while (!pending_.empty()) {
    const comm::Incoming& i = pending_.front();
    if (!team_.take(group_, i.from, rank_, i.bytes, i.size)) return false;
    pending_.erase(pending_.begin());
  }
  return true;
}

inline void ThreadCommunicator::broadcast(void* bytes, std::size_t size, int root) {
  std::vector<comm::Outgoing> out;
  std::vector<comm::Incoming> in;
  if (rank_ == root) {
    for (int r = 0; r < this->size(); ++r) {
      if (r != root) out.push_back({r, bytes, size});
    }
  } else {
    in.push_back({root, bytes, size});
  }
  exchange(out, in);
}

inline void ThreadCommunicator::all_gather(const void* mine, std::size_t size, void* all) {
  std::vector<comm::Outgoing> out;
  std::vector<comm::Incoming> in;
  for (int r = 0; r < this->size(); ++r) {
    out.push_back({r, mine, size});
    in.push_back({r, static_cast<unsigned char*>(all) + static_cast<std::size_t>(r) * size, size});
  }
  exchange(out, in);
}

inline std::unique_ptr<comm::Communicator> ThreadCommunicator::subset(bool member) {
  std::vector<int> members(static_cast<std::size_t>(size()));
  const int mine = member ? 1 : 0;
  all_gather(&mine, sizeof mine, members.data());
  int count = 0, place = 0;
  for (int r = 0; r < size(); ++r) {
    if (r == rank_) place = count;
    count += members[static_cast<std::size_t>(r)];
  }
  int group = rank_ == 0 ? team_.new_group(count) : 0;
  broadcast(&group, sizeof group, 0);
  if (!member) return nullptr;
  auto result = std::make_unique<ThreadCommunicator>(team_, place, group);
  result->set_patience(patience());
  return result;
}

}  // namespace watersmeet::test
