// The choice of a transport, the same on all ranks.
#include <algorithm>
#include <vector>

#include "comm/peer_messages.hpp"
#include "comm/transport.hpp"

namespace watersmeet::comm {

namespace {

// What one rank can do, with a text where it cannot; sent between ranks as it lies.
struct Means {
  char no_gpu[64] = "";
  char no_nccl[512] = "";
  char no_peer[256] = "";
  char no_device_messages[128] = "";
};
template <std::size_t N>
void write(char (&to)[N], const std::string& text) {
  to[text.copy(to, N - 1)] = '\0';
}

std::vector<Means> gather(Communicator& ranks, const Means& mine) {
  std::vector<Means> all(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&mine, sizeof mine, all.data());
  return all;
}

// "rank 2 of 4 computes on its CPU" of the first rank that lacks something; empty when none does.
template <std::size_t N>
std::string first_fault(const std::vector<Means>& all, char (Means::*lack)[N]) {
  for (std::size_t r = 0; r < all.size(); ++r) {
    if ((all[r].*lack)[0] == '\0') continue;
    return "rank " + std::to_string(r) + " of " + std::to_string(all.size()) + " " + all[r].*lack;
  }
  return "";
}

[[noreturn]] void refuse(const std::string& choice, const std::string& why, bool nccl = false) {
  throw AgreedError(ErrorKind::unsupported,
                    "device.transport = \"" + choice + "\" cannot be had: " + why +
                        "; possible here: \"auto\", \"mpi\"" + (nccl ? ", \"nccl\"" : ""));
}

}  // namespace

std::unique_ptr<Transport> choose_transport(Communicator& communicator, const std::string& choice,
                                            Backend backend, bool shared_device) {
  constexpr const char* choices[] = {"auto", "mpi", "mpi-device", "nccl", "peer"};
  if (std::find(std::begin(choices), std::end(choices), choice) == std::end(choices)) {
    throw AgreedError(ErrorKind::user_input,
                      "unknown transport \"" + choice +
                          "\"; known are \"auto\", \"mpi\", \"mpi-device\", \"nccl\" and "
                          "\"peer\"");
  }
  const auto messages = [&](bool device) {
    return make_message_transport(communicator, backend, device);
  };
  // One rank by itself sends no messages.
  if (choice == "mpi" || (choice == "auto" && communicator.size() == 1)) return messages(false);

  const Locality place = find_locality(communicator);
  Means mine;
  std::string why;
  if (backend == Backend::cpu) {
    write(mine.no_gpu, "computes on its CPU");
  } else {
    // Ranks that share a GPU wait for each other in turns of its scheduler: right, but slow, and so only where it is asked for.
    if (shared_device) {
      write(mine.no_nccl, "shares its GPU with another rank, and NCCL needs one GPU for each rank");
      if (choice != "peer") write(mine.no_peer, "shares its GPU with another rank");
    } else if (!nccl_available(why)) {
      write(mine.no_nccl, "has no NCCL: " + why);
    }
    if (cuda_devices().empty()) write(mine.no_peer, "has no GPU");
    if (place.hosts > 1)
      write(mine.no_peer, "is on one of " + std::to_string(place.hosts) + " hosts");
    if (communicator.size() > peer::most_ranks) {
      write(mine.no_peer, "is one of more than " + std::to_string(peer::most_ranks));
    }
  }
  std::vector<Means> all = gather(communicator, mine);
  const std::string no_gpu = first_fault(all, &Means::no_gpu);
  const std::string no_nccl = no_gpu.empty() ? first_fault(all, &Means::no_nccl) : no_gpu;
  const std::string no_peer = no_gpu.empty() ? first_fault(all, &Means::no_peer) : no_gpu;
  if (choice == "nccl" && !no_nccl.empty()) refuse(choice, no_nccl);
  if (choice == "peer" && !no_peer.empty()) refuse(choice, no_peer, no_nccl.empty());
  if (choice == "peer" || (choice == "auto" && no_peer.empty())) {
    try {
      return make_peer_transport(communicator);
    } catch (const AgreedError& fault) {
      if (choice == "peer") refuse(choice, fault.what(), no_nccl.empty());
    }
  }
  if (choice == "nccl" || (choice == "auto" && no_nccl.empty())) {
    return make_nccl_transport(communicator);
  }

  if (!no_gpu.empty()) {
    if (choice == "mpi-device") refuse(choice, no_gpu);
    return messages(false);
  }
  if (!mpi_moves_device_memory(communicator)) {
    write(mine.no_device_messages,
          "has no MPI that moves device memory (" + communicator.description() + ")");
  }
  all = gather(communicator, mine);
  const std::string no_device_messages = first_fault(all, &Means::no_device_messages);
  if (choice == "mpi-device" && !no_device_messages.empty()) {
    refuse(choice, no_device_messages, no_nccl.empty());
  }
  return messages(no_device_messages.empty());
}

}  // namespace watersmeet::comm
