#pragma once
// Speeds of the systems on one device, as recorded in bench/results, and of the links between devices: all constants of the model of several
// ranks (rank_model.hpp, docs/scaling.md).

#include <string>

#include "core/types.hpp"

namespace watersmeet::run {

// The device of these speeds, by its name.
inline constexpr const char* recorded_device = "NVIDIA H200";

// A right-hand side in n points takes seconds + n seconds_per_point.
struct RecordedSpeed {
  const char* row;  // systems::RecordedWork
  Precision precision;
  double seconds, seconds_per_point;
};
// Null where there is none.
const RecordedSpeed* find_recorded(const std::string& row, Precision precision);

// Share of the copy bandwidth at which a system moves its bytes that has no row: the lowest of the systems that have one.
inline constexpr double unrecorded_share = 0.15;
inline constexpr double copy_bandwidth = 4.26e12;  // bytes/s, `watersmeet bench` on the device

// What messages take, in seconds.
struct Link {
  double in_turn, in_turn_per_byte;  // an exchange while nothing is computed
  double halves, halves_per_byte;    // one while the cells are computed in halves, beyond these
  double stored, stored_per_byte;    // one where stages may store the ghosts
  double further_neighbour;          // more for each beyond two
  double wait;                       // a reduction that the hosts wait for
  double reduction;                  // one between GPUs that no host waits for; 0: there is none
};
// By NCCL and NVLink: `in_turn` and `halves` are the fit of tools/scaling.py to bench/results/nvidia-h200/scaling.json. The other two are
// assumptions.
inline constexpr Link gpu_link{3.198e-5,  4.660e-12, 6.894e-5, 2.393e-12, 3.198e-5,
                               4.660e-12, 3e-6,      4e-5,     0};
// By kernels that store into the other GPU's memory, over the same wires: what an exchange takes in turn was chosen for the rows of
// bench/results/nvidia-h200/scaling-systems.json on two GPUs, and so was what ghosts take that stages store; what a byte takes in halves, for those
// before exchanges were one launch (docs/scaling.md).
inline constexpr Link peer_link{2.0e-5,  3.65e-12, 6.894e-5, 4.0e-12, 2.5e-5,
                                1.3e-12, 3e-6,     4e-5,     1.5e-5};
// Between CPU ranks of a host, an assumption: 20 us a message and 4 GB/s.
inline constexpr Link cpu_link{2e-5, 2.5e-10, 2e-5, 2.5e-10, 2e-5, 2.5e-10, 2e-5, 2e-5, 0};

}  // namespace watersmeet::run
