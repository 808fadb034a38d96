#pragma once
// The device as the host code sees it: which back ends this machine has, streams, events and
// copies, without a CUDA header. On the CPU back end every call is immediate and the handles are
// empty.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace watersmeet {

enum class Backend { cpu, cuda };

struct DeviceInfo {
  int index = 0;
  std::string name;
  int compute_capability = 0;  // 90 for 9.0
  std::size_t total_bytes = 0, free_bytes = 0;
  int multiprocessors = 0;
  std::string driver;
  std::string uuid;  // hexadecimal; distinguishes devices that different processes number 0
};

// CUDA devices that answer; empty without a device, a driver or a CUDA build. Never throws.
std::vector<DeviceInfo> cuda_devices();
bool built_with_cuda();
std::string cuda_version();  // "13.0" or "none"

// Makes `index` the current device of this thread. Throws Error{device}.
void select_cuda_device(int index);

// Where work is queued. Passed by value; the default is the CPU.
struct Queue {
  Backend backend = Backend::cpu;
  void* stream = nullptr;        // cudaStream_t
  int threads = 1;               // OpenMP threads of the CPU back end
  bool beside_messages = false;  // kernels of this work share the device with messages under way
};
Queue make_cuda_queue(bool high_priority = false);
void destroy_queue(Queue& queue);
void synchronize(const Queue& queue);

// A point in a queue's work that the host or another queue can wait for.
class Event {
 public:
  Event() = default;
  explicit Event(const Queue& queue);
  ~Event();
  Event(Event&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Event& operator=(Event&& other) noexcept {
    void* const mine = handle_;
    handle_ = other.handle_;
    other.handle_ = mine;
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(const Queue& queue);
  bool ready() const;                          // whether the work before it is done
  void wait() const;                           // blocks the host
  void queue_waits(const Queue& queue) const;  // blocks only later work of that queue

 private:
  void* handle_ = nullptr;
};

enum class MemorySpace { host, pinned, device };
void* allocate_bytes(MemorySpace space, std::size_t bytes);  // Error{resource} naming the size
void free_bytes(MemorySpace space, void* p) noexcept;
// Copies between any two spaces; ordered in the queue, immediate on the CPU.
void copy_bytes(void* to, const void* from, std::size_t bytes, const Queue& queue);
// Rows in memory: bytes between two of them, and how many a plane of them has.
struct Rows {
  std::byte* start = nullptr;
  std::size_t pitch = 0, of_plane = 1;
};
// Copies the first `rows` rows of so many planes, `bytes` of each row, likewise.
void copy_rows(const Rows& to, const Rows& from, std::size_t bytes, std::size_t rows,
               std::size_t planes, const Queue& queue);
void fill_bytes(void* to, int value, std::size_t bytes, const Queue& queue);

// Bandwidth of a large device copy, bytes read + bytes written per second, median of five: the
// bound that progress lines and benchmarks quote.
double measure_copy_bandwidth(const Queue& queue);

// Seconds from the beginning to the end of what `work` puts into the queue, where it is carried
// out: between two events on a device, by the clock on the CPU. Waits for the queue.
double seconds_of(const Queue& queue, const std::function<void()>& work);

// Floating-point operations per second of the queue's device at its highest clock when every lane
// does a multiply-add, counted as two. 0 where that is not known: on the CPU, whose clock depends
// on its load, and on devices newer than core/arithmetic_lanes.hpp.
double arithmetic_peak(const Queue& queue, Precision precision);

}  // namespace watersmeet
