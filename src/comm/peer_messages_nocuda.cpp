// Messages between GPUs in a build without CUDA: never called, because no such queue can be made.
#include "comm/peer_messages.hpp"
#include "core/error.hpp"

namespace watersmeet::comm::peer {

void move_messages(std::span<const Item>, std::span<const Item>, const Side*, const int*,
                   const Queue&) {
  require(false, "no CUDA back end in this build");
}
void reduce_words(std::span<std::uint64_t>, std::span<std::int64_t>, int, int, const Side*,
                  const int*, const Queue&) {
  require(false, "no CUDA back end in this build");
}
void wait_for_device() {}
Handle share_memory(void*) {
  require(false, "no CUDA back end in this build");
  return {};
}
void* open_memory(const Handle&, std::string& why) {
  why = "this build has no CUDA back end";
  return nullptr;
}
void close_memory(void*) noexcept {}

}  // namespace watersmeet::comm::peer
