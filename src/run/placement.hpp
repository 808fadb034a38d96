#pragma once
// Where a case is computed: the device of every rank, how the grid is shared out, and how the ranks
// exchange messages. Decided before anything large is allocated, by all ranks together.

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "config/input.hpp"
#include "io/share.hpp"
#include "mesh/decompose.hpp"
#include "run/case.hpp"

namespace watersmeet::run {

// Which device a rank runs on: the case's own choice and what its host has (`gpus`, all of them).
// Error{resource} when a GPU is asked for and none answers, or when ranks would have to share one
// unasked.
struct DeviceChoice {
  Backend backend = Backend::cpu;
  int index = 0, threads = 1;
  std::string description;  // "NVIDIA H200" or "CPU, 2 threads"
  std::size_t free_bytes = 0;
  bool shared = false;  // with another rank of this host
};
DeviceChoice choose_device(const config::Input& input, const comm::Locality& place,
                           const std::vector<DeviceInfo>& gpus);
DeviceChoice choose_device(const config::Input& input);  // of a process by itself
// Whether every rank of this host sees one GPU alone, and no two ranks the same, as a job manager
// binds them: then none has to choose. Collective.
bool gpus_are_bound(comm::Communicator& world, const comm::Locality& place,
                    const std::vector<DeviceInfo>& gpus);
// The choice for a rank of this world, which sees these GPUs. Collective; errors are agreed.
DeviceChoice choose_device(const config::Input& input, comm::Communicator& world,
                           const comm::Locality& place, const std::vector<DeviceInfo>& gpus);
// A remark where the CPU threads of the ranks of this host are more than its processors; else empty.
std::string crowded_processors(const DeviceChoice& device, const comm::Locality& place);

struct Placement {
  std::unique_ptr<comm::Communicator> ranks;  // those that compute; null: this rank was left out
  DeviceChoice device;
  comm::Locality place;
  mesh::Shares shares;               // parts with ranks of `ranks`
  std::vector<std::string> devices;  // of every rank that computes
  std::vector<std::string> remarks;  // sentences for the user

  io::Share share(const Index3& cells) const;  // this rank's part of the whole grid
  std::string description() const;             // "4 x NVIDIA H200" or the one device
};

// The parts that place_case() gives to ranks that are all on GPUs, or all on the CPU. `as_case`: as device.ranks_along and device.weights have
// it, which are for one number of ranks. free_bytes: of each GPU; 0: not known, all fits.
mesh::Shares share_equally(const Case& loaded, int ranks, bool gpus, bool as_case,
                           std::size_t free_bytes);

// The parts of ranks that take so many seconds a cell and stage each, all of them with a part if
// their number is that of `placement`. Collective.
mesh::Shares share_by_speed(const Case& loaded, const Placement& placement,
                            const std::vector<double>& seconds_per_cell);

// Collective. Errors are agreed: thrown by all ranks alike.
Placement place_case(const Case& loaded, comm::Communicator& world);

// device.overlap.
comm::Overlap wanted_overlap(const config::Input& input);
// Transport and overlap as the case has them; collective over placement.ranks. Null transport for one
// rank.
std::unique_ptr<comm::Team> make_team(const Placement& placement, const config::Input& input,
                                      const Queue& queue);

}  // namespace watersmeet::run
