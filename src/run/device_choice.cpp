// The device of a rank; how ranks share the grid is in placement.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "io/message.hpp"
#include "run/placement.hpp"

namespace watersmeet::run {

namespace {

std::string no_gpu_text(std::int64_t wanted, std::size_t count) {
  if (count == 0) {
    return "this host has no GPU that works; nvidia-smi shows its GPUs and their driver. To run on "
           "the CPU:  --device cpu";
  }
  return fmt::format(
      "there is no GPU with index {}: this host has {}, counted from 0 (`watersmeet info` "
      "lists them). Give another device.index, or run on the CPU with --device cpu",
      wanted, io::counted(count, "GPU"));
}

}  // namespace

// The first number of OMP_NUM_THREADS, which users and job scripts set, as libgomp reads it; else a
// rank's share of the processors. libgomp reports values that are not numbers.
int threads_unless_given(const comm::Locality& place) {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  int count = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), count);
  return count > 0 ? count : place.threads;
}

DeviceChoice choose_device(const config::Input& input, const comm::Locality& place,
                           const std::vector<DeviceInfo>& gpus) {
  std::string kind = input.text("device.kind");
  // One rank is left to a GPU, also where fewer ranks resume a run than began it.
  const int on_cpu =
      std::min(static_cast<int>(input.integer("device.cpu_ranks")), place.local_size - 1);
  const int on_gpu = place.local_size - on_cpu;
  if (on_cpu > 0 && place.local_rank >= on_gpu) kind = "cpu";
  DeviceChoice choice;
  choice.threads = input.is_set("device.threads")
                       ? static_cast<int>(input.integer("device.threads"))
                       : threads_unless_given(place);
  if (kind != "cpu") {
    const bool one_chosen = input.is_set("device.index");
    const std::int64_t first = one_chosen ? input.integer("device.index") : 0;
    const int count = static_cast<int>(gpus.size());
    const bool share = input.boolean("device.share");
    const bool shared = count > 0 && on_gpu > 1 && (one_chosen || on_gpu > count);
    if (shared && !share) {
      throw Error(ErrorKind::resource,
                  fmt::format("{} ranks on {} would share {}. Try --gpus {}, --device cpu, or, if "
                              "that is meant, --set device.share=true",
                              on_gpu, place.host_name,
                              one_chosen ? fmt::format("GPU {}", first) : io::counted(count, "GPU"),
                              count));
    }
    const std::int64_t wanted =
        one_chosen || count == 0 ? first : static_cast<std::int64_t>(place.local_rank % count);
    for (const DeviceInfo& d : gpus) {
      if (d.index != wanted) continue;
      choice.backend = Backend::cuda;
      choice.index = d.index;
      choice.description = d.name;
      choice.shared = shared;
      const int sharing = choice.shared ? (one_chosen ? on_gpu : (on_gpu + count - 1) / count) : 1;
      choice.free_bytes = d.free_bytes / static_cast<std::size_t>(sharing);
      return choice;
    }
    if (kind == "gpu" || (one_chosen && !gpus.empty())) {
      throw Error(
          ErrorKind::resource,
          built_with_cuda()
              ? no_gpu_text(wanted, gpus.size())
              : "this program was built without CUDA; in its sources, with nvcc on the path, ./wm "
                "build makes one that has it. To run on the CPU:  --device cpu");
    }
  }
  choice.description = "CPU, " + io::counted(choice.threads, "thread");
  choice.free_bytes = free_host_bytes() / static_cast<std::size_t>(place.local_size);
  return choice;
}

DeviceChoice choose_device(const config::Input& input) {
  return choose_device(input, comm::find_locality(*comm::make_self()), cuda_devices());
}

}  // namespace watersmeet::run
