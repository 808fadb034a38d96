// What all communicators share, the communicator of a single process, and agreement on faults.
#include "comm/communicator.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>

#include "comm/time_limit.hpp"
#include "core/host_seconds.hpp"

namespace watersmeet::comm {

void Communicator::wait_until(const std::function<bool()>& done, const char* what) const {
  RunningTime waited;
  // First without yielding the processor, for messages that take microseconds; then yielding it,
  // since ranks may share processors; a wait of seconds is for a file, and costs nothing.
  for (std::int64_t round = 0; !done(); ++round) {
    if (round < 200) continue;
    if (round % 64 != 0) {
      sched_yield();
      continue;
    }
    const double seconds = waited.seconds();
    if (seconds > patience_) throw silence(seconds, what);
    if (seconds < 1) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    answer_call();
  }
}

void Communicator::limited(const char* what, const std::function<void()>& call) const {
  if (size() == 1) {
    call();
    return;
  }
  const TimeLimit limit(
      patience_,
      [this, what] {
        const SilentPeer error = silence(patience_, what);
        if (end_) end_(error);
        std::fprintf(stderr, "%s\n", error.what());
        const_cast<Communicator*>(this)->abort(1);
      },
      [this] { answer_call(); });
  call();
}

SilentPeer Communicator::silence(double seconds, const char* what) const {
  const std::optional<std::vector<int>> silent =
      size() == 2 ? std::vector{1 - rank()} : find_silent();
  // The first rank that answers reports for all, and ends all before the others would report. It waits
  // already, for it answered, and reports when its own patience ends; with a long one they do not wait
  // for that.
  const bool first =
      !silent || static_cast<std::size_t>(std::count_if(silent->begin(), silent->end(),
                                                        [this](int r) { return r < rank(); })) ==
                     static_cast<std::size_t>(rank());
  if (!first) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(patience_, 10.0) + 5));
  }
  std::string text = "rank " + std::to_string(rank()) + " of " + std::to_string(size()) +
                     " waited " + std::to_string(static_cast<long>(seconds)) +
                     " s for the other ranks (" + what + "); ";
  if (!silent) {
    text += "one of them";
  } else if (silent->empty()) {
    return SilentPeer(text + "all of them respond, but one does not come to the same place");
  } else {
    text += silent->size() == 1 ? "rank " : "ranks ";
    for (std::size_t n = 0; n < silent->size(); ++n) {
      text += (n == 0                    ? ""
               : n + 1 == silent->size() ? " and "
                                         : ", ") +
              std::to_string((*silent)[n]);
    }
  }
  return SilentPeer(text + (silent && silent->size() > 1 ? " were lost, or do not respond"
                                                         : " was lost, or does not respond"));
}

void Communicator::wait_for_others(const std::function<bool()>& done, const char* what) {
  seconds_waited_ += host_seconds_of([&] { wait_until(done, what); });
}

void Communicator::finish() {
  wait_for_others([this] { return finished(); }, "messages");
}

namespace {
// Order of the patterns = order of the values, NaN above all.
std::uint64_t ordered_bits(double value) {
  if (std::isnan(value)) return ~std::uint64_t{0};
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double from_ordered_bits(std::uint64_t bits) {
  if (bits == ~std::uint64_t{0}) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(bits >> 63 ? bits & ~(std::uint64_t{1} << 63) : ~bits);
}
}  // namespace

void Communicator::all_reduce_max(std::span<double> values) {
  std::vector<std::uint64_t> words(values.size());
  std::transform(values.begin(), values.end(), words.begin(), ordered_bits);
  all_reduce_max(std::span<std::uint64_t>(words));
  std::transform(words.begin(), words.end(), values.begin(), from_ordered_bits);
}

void Communicator::barrier() {
  std::uint64_t nothing[1] = {0};
  all_reduce_max(std::span<std::uint64_t>(nothing));
}

namespace {
class Self final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string description() const override { return "one process"; }
  void begin(std::span<const Outgoing> out, std::span<const Incoming> in) override {
    require(out.size() == in.size(), "messages to oneself come in pairs");
    for (std::size_t m = 0; m < out.size(); ++m) {
      require(out[m].to == 0 && in[m].from == 0 && out[m].size == in[m].size,
              "messages to oneself come in pairs");
      if (out[m].size > 0) std::memmove(in[m].bytes, out[m].bytes, out[m].size);
    }
  }
  bool finished() override { return true; }
  void broadcast(void*, std::size_t, int) override {}
  void all_gather(const void* mine, std::size_t size, void* all) override {
    if (size > 0) std::memmove(all, mine, size);
  }
  void all_reduce_max(std::span<std::uint64_t>) override {}
  void all_reduce_sum(std::span<std::int64_t>) override {}
  void all_reduce_xor(std::span<std::uint32_t>) override {}
  std::unique_ptr<Communicator> duplicate() override { return make_self(); }
  std::unique_ptr<Communicator> subset(bool member) override {
    return member ? make_self() : nullptr;
  }
  bool concurrent() const override { return true; }
  [[noreturn]] void abort(int status) noexcept override { std::_Exit(status); }
};
}  // namespace

std::unique_ptr<Communicator> make_self() { return std::make_unique<Self>(); }

Locality find_locality(Communicator& world) {
  struct Place {
    char name[256];
    cpu_set_t processors;
  };
  Place mine{};
  gethostname(mine.name, sizeof mine.name - 1);
  const bool known = sched_getaffinity(0, sizeof mine.processors, &mine.processors) == 0;
  std::vector<Place> all(static_cast<std::size_t>(world.size()));
  world.all_gather(&mine, sizeof mine, all.data());

  Locality result;
  result.host_name = mine.name;
  std::vector<std::string> hosts;
  result.local_size = result.sharing = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const std::string name = all[r].name;
    auto found = std::find(hosts.begin(), hosts.end(), name);
    if (found == hosts.end()) found = hosts.insert(hosts.end(), name);
    if (name != result.host_name) continue;
    result.host = static_cast<int>(found - hosts.begin());
    if (static_cast<int>(r) < world.rank()) ++result.local_rank;
    ++result.local_size;
    result.sharing += CPU_EQUAL(&all[r].processors, &mine.processors) ? 1 : 0;
  }
  result.hosts = static_cast<int>(hosts.size());
  result.processors = std::max(1, known ? CPU_COUNT(&mine.processors)
                                        : static_cast<int>(std::thread::hardware_concurrency()));
  result.sharing = std::max(1, result.sharing);
  result.threads = std::max(1, result.processors / result.sharing);
  return result;
}

namespace {
// FNV-1a, 64 bits (Fowler, Noll, Vo): to distinguish texts of different ranks.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}
}  // namespace

void agree(Communicator& world, const std::function<void()>& work) {
  enum Outcome : int { fine, failed, agreed };
  struct Report {
    int outcome = fine, kind = 0;
    std::uint64_t length = 0, hash = 0, json_length = 0;
  } mine;
  std::string text, json;
  try {
    work();
  } catch (const AgreedError& error) {  // a nested call has informed all ranks already
    mine.outcome = agreed;
    mine.kind = static_cast<int>(error.kind());
    text = error.what();
    json = error.json();
  } catch (const SilentPeer&) {
    throw;
  } catch (const Error& error) {
    if (world.size() == 1) throw;
    mine.outcome = failed;
    mine.kind = static_cast<int>(error.kind());
    text = error.what();
    json = error.json();
  } catch (const std::exception& error) {
    if (world.size() == 1) throw;
    mine.outcome = failed;
    mine.kind = static_cast<int>(ErrorKind::internal);
    text = error.what();
  }
  if (world.size() == 1) {
    if (mine.outcome == fine) return;
    throw AgreedError(static_cast<ErrorKind>(mine.kind), text, json);
  }
  mine.length = text.size();
  mine.json_length = json.size();
  mine.hash = hash_of(text);
  std::vector<Report> all(static_cast<std::size_t>(world.size()));
  world.all_gather(&mine, sizeof mine, all.data());
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Report& r) { return r.outcome != fine; });
  if (first == all.end()) return;
  const int root = static_cast<int>(first - all.begin());
  const auto kind = static_cast<ErrorKind>(first->kind);
  const bool everywhere = std::all_of(all.begin(), all.end(), [&](const Report& r) {
    return r.outcome != fine && r.length == first->length && r.hash == first->hash;
  });
  text.resize(first->length);
  world.broadcast(text.data(), text.size(), root);
  json.resize(first->json_length);
  world.broadcast(json.data(), json.size(), root);
  // A fault with JSON has its place in the case, which is the same on all ranks.
  if (!everywhere && first->outcome == failed && json.empty()) {
    text = "rank " + std::to_string(root) + " of " + std::to_string(world.size()) + ": " + text;
  }
  throw AgreedError(kind, text, json);
}

std::string broadcast_text(Communicator& world, std::string text, int root) {
  std::uint64_t length = text.size();
  world.broadcast(&length, sizeof length, root);
  text.resize(length);
  world.broadcast(text.data(), length, root);
  return text;
}

}  // namespace watersmeet::comm
