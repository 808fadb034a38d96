// CUDA side of core/device.hpp.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/arithmetic_lanes.hpp"
#include "core/copy_bandwidth.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "core/host_seconds.hpp"

namespace watersmeet {

namespace {
void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw Error(ErrorKind::device, fmt::format("{}: {} ({})", what, cudaGetErrorString(status),
                                               cudaGetErrorName(status)));
  }
}
cudaStream_t stream_of(const Queue& queue) { return static_cast<cudaStream_t>(queue.stream); }
}  // namespace

bool built_with_cuda() { return true; }

std::string cuda_version() {
  return fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

std::vector<DeviceInfo> cuda_devices() {
  std::vector<DeviceInfo> devices;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return devices;
  }
  int driver = 0;
  cudaDriverGetVersion(&driver);
  int current = 0;
  cudaGetDevice(&current);
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, d) != cudaSuccess) continue;
    DeviceInfo info;
    info.index = d;
    info.name = properties.name;
    for (const char byte : properties.uuid.bytes) {
      info.uuid += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    info.compute_capability = properties.major * 10 + properties.minor;
    info.multiprocessors = properties.multiProcessorCount;
    info.driver = fmt::format("{}.{}", driver / 1000, driver % 1000 / 10);
    if (cudaSetDevice(d) != cudaSuccess ||
        cudaMemGetInfo(&info.free_bytes, &info.total_bytes) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    devices.push_back(info);
  }
  cudaSetDevice(current);
  return devices;
}

void select_cuda_device(int index) { check(cudaSetDevice(index), "cannot select the device"); }

Queue make_cuda_queue(bool high_priority) {
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cannot ask for stream priorities");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                     high_priority ? highest : lowest),
        "cannot create a stream");
  Queue queue;
  queue.backend = Backend::cuda;
  queue.stream = stream;
  return queue;
}

void destroy_queue(Queue& queue) {
  if (queue.stream) cudaStreamDestroy(stream_of(queue));
  queue.stream = nullptr;
}

void synchronize(const Queue& queue) {
  if (queue.backend == Backend::cuda)
    check(cudaStreamSynchronize(stream_of(queue)), "device work failed");
}

Event::Event(const Queue& queue) {
  if (queue.backend == Backend::cuda) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cannot create an event");
    handle_ = event;
  }
}
Event::~Event() {
  if (handle_) cudaEventDestroy(static_cast<cudaEvent_t>(handle_));
}
void Event::record(const Queue& queue) {
  if (handle_)
    check(cudaEventRecord(static_cast<cudaEvent_t>(handle_), stream_of(queue)),
          "cannot record an event");
}
bool Event::ready() const {
  if (!handle_) return true;
  const cudaError_t status = cudaEventQuery(static_cast<cudaEvent_t>(handle_));
  if (status == cudaErrorNotReady) {
    cudaGetLastError();  // no error, but the next launch would find it
    return false;
  }
  check(status, "device work failed");
  return true;
}
void Event::wait() const {
  if (handle_) check(cudaEventSynchronize(static_cast<cudaEvent_t>(handle_)), "device work failed");
}
void Event::queue_waits(const Queue& queue) const {
  if (handle_ && queue.backend == Backend::cuda) {
    check(cudaStreamWaitEvent(stream_of(queue), static_cast<cudaEvent_t>(handle_), 0),
          "cannot wait for an event");
  }
}

namespace {
// Pinned arrays that are larger come page by page from many threads, which is faster than one thread of the driver, and are spread over the
// memory of all processors.
constexpr std::size_t large_pinned = std::size_t{1} << 30;

std::mutex registered_lock;
std::map<void*, std::size_t> registered;  // and their bytes

// Null where it fails.
void* register_bytes(std::size_t bytes) {
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  madvise(p, bytes, MADV_HUGEPAGE);  // a hint
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w) {
    threads.emplace_back([=] {
      constexpr std::size_t page = 4096;
      const std::size_t pages = (bytes + page - 1) / page;
      volatile char* const at = static_cast<volatile char*>(p);
      for (std::size_t k = pages * w / workers; k < pages * (w + 1) / workers; ++k)
        at[k * page] = 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (cudaHostRegister(p, bytes, cudaHostRegisterDefault) != cudaSuccess) {
    cudaGetLastError();
    munmap(p, bytes);
    return nullptr;
  }
  const std::lock_guard lock(registered_lock);
  registered[p] = bytes;
  return p;
}

void free_pinned(void* p) {
  std::size_t bytes = 0;
  {
    const std::lock_guard lock(registered_lock);
    const auto found = registered.find(p);
    if (found != registered.end()) {
      bytes = found->second;
      registered.erase(found);
    }
  }
  if (bytes == 0) {
    cudaFreeHost(p);
    return;
  }
  cudaHostUnregister(p);
  munmap(p, bytes);
}
}  // namespace

void* allocate_bytes(MemorySpace space, std::size_t bytes) {
  void* p = nullptr;
  if (bytes == 0) return p;
  cudaError_t status = cudaSuccess;
  if (space == MemorySpace::host) {
    p = host_bytes(bytes);
  } else if (space == MemorySpace::pinned) {
    if (bytes >= large_pinned) p = register_bytes(bytes);
    if (!p) status = cudaHostAlloc(&p, bytes, cudaHostAllocDefault);
  } else {
    status = cudaMalloc(&p, bytes);
  }
  if (!p || status != cudaSuccess) {
    cudaGetLastError();
    // A device that has failed refuses everything, memory too.
    if (status != cudaErrorMemoryAllocation) check(status, "cannot allocate memory");
    const char* where = space == MemorySpace::device ? "device" : "host";
    throw Error(ErrorKind::resource, fmt::format("not enough {} memory for an array of {:.3f} GiB",
                                                 where, double(bytes) / 1073741824.0));
  }
  return p;
}

void free_bytes(MemorySpace space, void* p) noexcept {
  if (!p) return;
  if (space == MemorySpace::host) std::free(p);
  if (space == MemorySpace::pinned) free_pinned(p);
  if (space == MemorySpace::device) cudaFree(p);
}

void copy_bytes(void* to, const void* from, std::size_t bytes, const Queue& queue) {
  if (bytes == 0) return;
  if (queue.backend == Backend::cpu) {
    std::memcpy(to, from, bytes);
  } else {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(queue)), "copy failed");
  }
}

void copy_rows(const Rows& to, const Rows& from, std::size_t bytes, std::size_t rows,
               std::size_t planes, const Queue& queue) {
  if (bytes == 0 || rows == 0 || planes == 0) return;
  if (queue.backend == Backend::cpu) {
    for (std::size_t k = 0; k < planes; ++k) {
      for (std::size_t j = 0; j < rows; ++j) {
        std::memcpy(to.start + (k * to.of_plane + j) * to.pitch,
                    from.start + (k * from.of_plane + j) * from.pitch, bytes);
      }
    }
    return;
  }
  // A single plane may have more rows than planes of the array do.
  const auto height = [&](const Rows& of) { return planes == 1 ? rows : of.of_plane; };
  cudaMemcpy3DParms p{};
  p.srcPtr = cudaPitchedPtr{from.start, from.pitch, bytes, height(from)};
  p.dstPtr = cudaPitchedPtr{to.start, to.pitch, bytes, height(to)};
  p.extent = cudaExtent{bytes, rows, planes};
  p.kind = cudaMemcpyDefault;
  check(cudaMemcpy3DAsync(&p, stream_of(queue)), "copy failed");
}

void fill_bytes(void* to, int value, std::size_t bytes, const Queue& queue) {
  if (bytes == 0) return;
  if (queue.backend == Backend::cpu) {
    std::memset(to, value, bytes);
  } else {
    check(cudaMemsetAsync(to, value, bytes, stream_of(queue)), "memory fill failed");
  }
}

double measure_copy_bandwidth(const Queue& queue) {
  if (queue.backend == Backend::cpu) return measure_host_copy_bandwidth(queue.threads);
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "cannot ask for device memory");
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, free / 4);
  void* from = allocate_bytes(MemorySpace::device, bytes);
  void* to = nullptr;
  try {
    to = allocate_bytes(MemorySpace::device, bytes);
  } catch (...) {
    free_bytes(MemorySpace::device, from);
    throw;
  }
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  fill_bytes(from, 0x3d, bytes, queue);
  std::array<double, 5> seconds{};
  cudaError_t status = cudaSuccess;
  for (int repeat = -1; repeat < 5; ++repeat) {
    cudaEventRecord(begin, stream_of(queue));
    for (int c = 0; c < 4; ++c) copy_bytes(to, from, bytes, queue);
    cudaEventRecord(end, stream_of(queue));
    status = cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (repeat >= 0) seconds[static_cast<std::size_t>(repeat)] = double(ms) * 1e-3 / 4;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  free_bytes(MemorySpace::device, from);
  free_bytes(MemorySpace::device, to);
  check(status, "measuring the copy bandwidth failed");
  std::sort(seconds.begin(), seconds.end());
  return 2.0 * double(bytes) / seconds[2];
}

namespace {
// An event that remembers when it was passed.
struct TimedEvent {
  cudaEvent_t handle = nullptr;
  TimedEvent() { check(cudaEventCreate(&handle), "cannot create an event"); }
  ~TimedEvent() { cudaEventDestroy(handle); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
};
}  // namespace

double seconds_of(const Queue& queue, const std::function<void()>& work) {
  if (queue.backend == Backend::cpu) return host_seconds_of(work);
  const TimedEvent begin, end;
  check(cudaEventRecord(begin.handle, stream_of(queue)), "cannot record an event");
  work();
  check(cudaEventRecord(end.handle, stream_of(queue)), "cannot record an event");
  check(cudaEventSynchronize(end.handle), "device work failed");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.handle, end.handle), "cannot read the time of an event");
  return double(ms) * 1e-3;
}

double arithmetic_peak(const Queue& queue, Precision precision) {
  if (queue.backend == Backend::cpu) return 0;
  int device = 0;
  check(cudaGetDevice(&device), "no current device");
  const auto property = [&](cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "cannot read the device");
    return value;
  };
  const int capability = property(cudaDevAttrComputeCapabilityMajor) * 10 +
                         property(cudaDevAttrComputeCapabilityMinor);
  const double lanes = single_precision_lanes(capability);
  const double single =
      2 * lanes * property(cudaDevAttrMultiProcessorCount) * 1e3 * property(cudaDevAttrClockRate);
  if (precision == Precision::single_) return single;
  return single / std::max(1, property(cudaDevAttrSingleToDoublePrecisionPerfRatio));
}

}  // namespace watersmeet
