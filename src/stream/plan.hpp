#pragma once
// How a grid in host memory is computed by windows of planes: into how many segments a sweep over it is cut, how many steps each visit of a
// segment carries out, and what that takes in memory. Planes are those across one axis, the outermost of more than one cell unless a system
// says another.
//
// A sweep of F steps has M = F S stages (S of a step). Stage m of the segment that begins at plane z_j computes the planes
//
//     [z_j - R m, z_(j+1) - R m)         R: reach of the stencil; clipped to the grid at its ends
//
// so that all it reads was computed by the same segment or by the one before, and nothing twice. On a periodic axis of N planes stage m begins
// at R m and ends at N + R m, in the last segment; the 2 R planes there that it leaves out and the next stage reads are those from R m on as
// stage m left them in the first segment, which are kept. Every plane crosses the bus once each way a sweep.
//
// Where passes over all cells make fields before each stage, each of them counts as a stage of its own, and so do the corrections that may
// follow a stage together, each of which reads one plane beyond: a stage has L of these launches, and M = F S L.
//
// The scheme "stage" makes a sweep of every stage, M = 1, as Algorithm 1 of Wermelinger et al. (2016) does; the array that a stage reads
// beside the solution crosses the bus too. It is there for comparison. Where the host updates the solution, that comes in and rates go back.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace watersmeet::stream {

// What is known of a case.
struct Demand {
  int axis = 2;             // across which the planes lie
  std::int64_t planes = 0;  // of the part
  bool periodic = false;    // across them
  int stages = 3, reach = 3;
  int registers = 3;            // of the window
  int passes = 0;               // before each stage, each of which makes a field
  int corrections = 0;          // after each stage, at most `reach`
  bool by_stage = false;        // the scheme "stage"
  bool host_updates = false;    // with the update of each stage on the host
  bool signal_pass = false;     // after which the signal of a step is measured on the device
  std::size_t host_bytes = 0;   // of the solution, without ghosts
  std::size_t plane_bytes = 0;  // of one register, all variables
  std::size_t field_bytes = 0;  // of a plane of the field of a pass, or of the flags
  std::size_t kept_bytes = 0;   // on the device, of all planes

  int launches_of_stage() const { return 1 + passes + (corrections > 0 ? 1 : 0); }
  int fields() const { return passes + (corrections > 0 ? 1 : 0); }
  std::optional<int> segments, fused_steps;  // as the case has them
  // Else: with so many the copies of a visit take less time than its stages.
  int usual_fused_steps = 8;
};

struct Plan {
  Demand demand;  // what it was made of
  int fused_steps = 1;
  std::vector<std::int64_t>
      first;  // planes of the segments, and the end: first[0] = 0, first.back() = planes
  std::int64_t window = 0;       // planes that the window holds
  std::size_t window_bytes = 0;  // of all its registers, on the device
  std::size_t host_bytes = 0;    // of the solution, what stages read beside it, and rates
  std::int64_t returned = 0;     // planes of a segment whose rates come back, at most
  std::size_t flight_bytes = 0;  // on the host, of rates of two segments that have come back

  int segments() const { return static_cast<int>(first.size()) - 1; }
};

// Planes that the launches of a stage reach over, one after the other.
inline std::int64_t reach_of_stage(const Demand& d) {
  return std::int64_t{d.reach} * d.launches_of_stage();
}
inline std::int64_t stages_of_sweep(int fused_steps, const Demand& d) {
  return d.by_stage ? 1 : std::int64_t{d.stages} * fused_steps;
}
// Planes that are still needed behind a segment: those that later stages and passes read.
inline std::int64_t lag(int fused_steps, const Demand& d) {
  return reach_of_stage(d) * stages_of_sweep(fused_steps, d);
}
// Planes of a periodic axis that are kept for a stage of the last segment: of the solution.
inline std::int64_t kept_solution(const Demand& d) {
  return d.periodic ? 2 * reach_of_stage(d) : 0;
}
// Of the register beside it, which is read in the cells that are computed alone; corrections need `reach` planes of these more.
inline std::int64_t kept_beside(const Demand& d) {
  return d.periodic ? reach_of_stage(d) + (d.corrections > 0 ? d.reach : 0) : 0;
}
// Of all stages.
inline std::int64_t kept_planes(int fused_steps, const Demand& d) {
  return (kept_solution(d) + kept_beside(d)) * stages_of_sweep(fused_steps, d);
}
// Planes of the window behind those of a periodic axis.
inline std::int64_t planes_behind(int fused_steps, const Demand& d) {
  return d.periodic ? lag(fused_steps, d) + reach_of_stage(d) : 0;
}

// The planes of the window, so many that copies to and from its ends never touch planes in use: see sweep.cpp.
std::int64_t window_planes(std::int64_t longest_segment, int fused_steps, const Demand& d);

// Numbers of a case that its planes do not allow, and the key that holds them.
class NumbersRefused : public Error {
 public:
  NumbersRefused(const char* key, const std::string& message)
      : Error(ErrorKind::user_input, message), key_(key) {}
  const char* key() const { return key_; }

 private:
  const char* key_;
};

// The plan that fits into `device_bytes`: as the case has it, else the usual number of fused steps and 8 segments, more where the window
// would be too large, and fewer steps where it still is with segments of 16 planes or where the planes are too few. NumbersRefused naming the limit where the case's own numbers do not fit its planes; Error{resource}
// where no window fits.
Plan make_plan(const Demand& demand, double device_bytes);

// A model of the seconds of a step: a visit takes the longer of its stages and copies and some of the other, or their sum without overlap.
// resident: seconds of a step of these cells where they stay on the device; bus: bytes a second each way, both at once; host: bytes a second, read
// and written, of the host's memory, where stages are updated there.
double seconds_of_step(const Plan& plan, double resident, double bus, bool overlap,
                       double host = 0);

}  // namespace watersmeet::stream
