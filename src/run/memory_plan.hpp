#pragma once
// Where the solution of a case is kept: on the device, or in host memory, from which it is computed by windows of planes
// (stream/plan.hpp). Decided before anything large is allocated.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "run/placement.hpp"
#include "stream/plan.hpp"

namespace watersmeet::run {

// Bytes for each cell of a part that averages in time and triggers take on the device, of a streamed solution on the host.
std::size_t bytes_beside(const systems::System& system, const config::Input& input);

// How a part of `part` cells is streamed by one of so many ranks of a host; nothing: it stays on the device, whether or not that has the
// memory. Faults as below.
std::optional<stream::Plan> plan_stream(const systems::System& system, const config::Input& input,
                                        const DeviceChoice& device, const Index3& part, int ranks);

// Nothing: it stays on the device. By the keys device.memory and stream.*; "auto" streams what does not fit a GPU. Error{user_input} where
// a case is to be streamed that cannot be; Error{resource} with the largest grid that fits where neither way has the memory. Collective over
// placement.ranks; what follows from memory is the same on all of them.
std::optional<stream::Plan> plan_memory(const systems::System& system, const Placement& placement,
                                        const config::Input& input);

// "streamed from host memory in 16 segments of up to 64 planes, 2 steps a visit, window 3.2 GiB".
std::string memory_text(const stream::Plan& plan);

// For a solution that is not streamed: the keys of [stream] that the case changes nevertheless, and what to say of them.
inline constexpr const char* stream_key_unused =
    "not used: the solution is not streamed from host memory";
std::vector<std::string> unused_stream_keys(const config::Input& input);

}  // namespace watersmeet::run
