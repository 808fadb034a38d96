#include "run/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "io/message.hpp"
#include "run/fit.hpp"
#include "run/sampling/average_case.hpp"
#include "run/sampling/trigger_case.hpp"
#include "run/solution_copy.hpp"

namespace watersmeet::run {

using config::FaultKind;

namespace {
constexpr double gib = 1073741824.0;
// The share of the device's free memory for a window; the rest is for output, tables and the libraries.
constexpr double window_share = 0.6;
// The share of the host's free memory for the solution and for output.
constexpr double host_share = 0.95;
// All keys of [stream].
constexpr const char *segments_key = "stream.segments", *fused_steps_key = "stream.fused_steps",
                     *scheme_key = "stream.scheme", *update_key = "stream.update";

Index3 part_of(const systems::SetUp& system, const Placement& placement) {
  const Box mine = placement.share(system.grid().n()).mine;
  return {mine.size(0), mine.size(1), mine.size(2)};
}

// Error{resource} with the largest grid that fits when a part needs more memory than its device has free.
void check_resident(const systems::System& system, const Placement& placement, std::size_t beside,
                    const std::string& not_streamed) {
  const Index3 cells = system.grid().n();
  const DeviceChoice& device = placement.device;
  const Index3 part = part_of(system, placement);
  if (fits(system, part, beside, device.free_bytes)) return;
  const bool countable = is_countable(part);
  const std::size_t need = countable ? working_bytes(system, part, beside) : 0;
  if (!system.grid().is_box()) {
    const auto all = [&](const Index3& n) { return double(n[0]) * double(n[1]) * double(n[2]); };
    const char* const what = system.grid().blocks ? "nodes" : "cells";
    throw Error(ErrorKind::resource,
                fmt::format("The grid does not fit into the memory of {}: its {:.0f} {}{} need "
                            "{:.2f} GiB, and {:.2f} GiB are free. Use fewer {}, more ranks{}.",
                            device.description, all(part), what,
                            all(part) < all(cells) ? fmt::format(" of {:.0f}", all(cells)) : "",
                            double(need) / gib, double(device.free_bytes) / gib, what,
                            system.precision() == Precision::double_
                                ? ", or precision = \"single\", which needs half as much"
                                : ""));
  }
  const Index3 largest = largest_grid(system, cells, placement.shares.ranks_along, beside,
                                      static_cast<double>(device.free_bytes));
  throw Error(
      ErrorKind::resource,
      fmt::format(
          "The {} cells{} {} on {}, where {:.2f} GiB are free.\nThe largest grid of this "
          "shape that fits is {}{}.{}",
          io::size_text(cells),
          placement.ranks->size() > 1
              ? fmt::format(" on {} ranks, {} each,", placement.ranks->size(), io::size_text(part))
              : "",
          countable ? fmt::format("need {:.2f} GiB", double(need) / gib)
                    : "are more than any machine holds: they do not fit",
          device.description, double(device.free_bytes) / gib, io::size_text(largest),
          system.precision() == Precision::double_
              ? "; precision = \"single\" needs half the memory"
              : "",
          not_streamed));
}

// Why a part of `cells` cannot be streamed, a sentence; empty: it can.
std::string refusal_of(const systems::Streaming& streaming, const systems::System& system,
                       const config::Input& input) {
  if (!streaming.refusal.empty()) return streaming.refusal;
  if (input.integer("device.verify_every") > 0)
    return "device.verify_every keeps two copies of the solution on the device, which has "
           "room for a window of planes alone";
  const Index3 cells = system.grid().n();
  const int axis = streaming.demand.axis;
  if (streaming.demand.planes < cells[static_cast<std::size_t>(axis)]) {
    return fmt::format(
        "its ranks cut the grid across {}, along which planes are streamed: "
        "device.ranks_along needs 1 along {}, and more than one cell along another "
        "axis",
        "xyz"[axis], "xyz"[axis]);
  }
  if (streaming.demand.planes < 2 * streaming.demand.reach) {
    return fmt::format("its {} across {} {} too few", io::counted(streaming.demand.planes, "plane"),
                       "xyz"[streaming.demand.axis], streaming.demand.planes == 1 ? "is" : "are");
  }
  return "";
}

// Bytes for each cell that averages and triggers take.
std::size_t bytes_of_output(const systems::System& system, const config::Input& input) {
  return averages_of(input, system).bytes_per_cell(system.precision()) +
         triggers_of(input, system).fields.bytes_per_cell(system.precision());
}

// Bytes of the host that spectra of a streamed solution need: half a grid of complex numbers and its power; before that fields that are no
// stored variables, as they are evaluated and in double.
double bytes_of_spectra(const systems::System& system, const config::Input& input,
                        const Index3& part) {
  if (!input.is_set("output.spectra_every") && !input.is_set("output.spectra_every_steps"))
    return 0;
  const double cell = system.further_spectra().empty() ? 12 : 48;
  return cell * double(part[0]) * double(part[1]) * double(part[2]);
}

bool must_stream(const systems::System& system, const config::Input& input,
                 const DeviceChoice& device, const Index3& part) {
  const std::string wanted = input.text("device.memory");
  if (wanted == "resident" || !is_countable(part)) return false;
  return wanted == "stream" ||
         (device.backend == Backend::cuda &&
          !fits(system, part, bytes_beside(system, input), device.free_bytes));
}

// What the case asks for; nothing where it cannot be streamed and need not be.
std::optional<stream::Demand> demand_of(const systems::System& system, const config::Input& input,
                                        const Index3& part) {
  systems::Streaming streaming = system.streaming(part);
  const std::string refusal = refusal_of(streaming, system, input);
  if (!refusal.empty()) {
    if (input.text("device.memory") == "auto") return std::nullopt;
    throw config::error_at(input.place(FaultKind::range, "device.memory"),
                           "this case cannot be streamed: " + refusal,
                           "device.memory = \"resident\"; several GPUs hold more cells, "
                           "precision = \"single\" twice as many as \"double\"");
  }
  stream::Demand& demand = streaming.demand;
  if (input.is_set(segments_key)) demand.segments = static_cast<int>(input.integer(segments_key));
  if (input.is_set(fused_steps_key))
    demand.fused_steps = static_cast<int>(input.integer(fused_steps_key));
  demand.by_stage = input.text(scheme_key) == "stage";
  demand.host_updates = input.text(update_key) == "host";
  if (demand.host_updates) {
    demand.registers = std::max(demand.registers, 3);  // the solution, one beside, and rates
    const std::string why =
        demand.by_stage
            ? streaming.no_host_updates
            : "the host updates the solution between stages, and a visit of stream.scheme = "
              "\"skew\" computes all stages of a step on the device";
    if (!why.empty()) {
      throw config::error_at(input.place(FaultKind::range, update_key),
                             "stream.update = \"host\" cannot be had: " + why,
                             demand.by_stage
                                 ? "stream.update = \"device\""
                                 : "stream.update = \"device\", or stream.scheme = \"stage\"");
    }
  }
  return demand;
}

// A refusal has the place of its key in the case, else of the one that asks for streaming.
stream::Plan plan_of(const stream::Demand& demand, const config::Input& input,
                     const DeviceChoice& device) {
  try {
    return stream::make_plan(demand, window_share * static_cast<double>(device.free_bytes));
  } catch (const stream::NumbersRefused& refused) {
    const char* const key = input.is_set(refused.key()) ? refused.key() : "device.memory";
    if (!input.is_set(key)) throw;
    throw config::error_at(input.place(FaultKind::range, key), refused.what());
  }
}

void check_host(const systems::System& system, const config::Input& input,
                const DeviceChoice& device, const Index3& part, const stream::Plan& plan,
                int ranks_here) {
  const double host = static_cast<double>(free_host_bytes()) / ranks_here;
  const double output = static_cast<double>(bytes_of_output(system, input)) * double(part[0]) *
                        double(part[1]) * double(part[2]);
  const double need = static_cast<double>(plan.host_bytes) + bytes_of_spectra(system, input, part) +
                      output +
                      (device.backend == Backend::cpu ? static_cast<double>(plan.window_bytes) : 0);
  if (need <= host_share * host) return;
  throw Error(
      ErrorKind::resource,
      fmt::format("The {} cells{} need {:.2f} GiB of host memory to be streamed, and {:.2f} GiB "
                  "are free{}.\nThe largest grid of this shape that can be streamed has about "
                  "{:.0f} cells{}{}.",
                  io::size_text(part), ranks_here > 1 ? " of a rank" : "", need / gib, host / gib,
                  ranks_here > 1 ? " for each rank of this host" : "",
                  host_share * host / need * double(part[0]) * double(part[1]) * double(part[2]),
                  ranks_here > 1 ? " a rank" : "",
                  system.precision() == Precision::double_
                      ? "; precision = \"single\" needs half the memory"
                      : ""));
}

// Where any rank has to stream, all do, with the same segments and steps a visit.
std::optional<stream::Plan> plan_together(const systems::System& system, const Placement& placement,
                                          const config::Input& input, const Index3& part) {
  comm::Communicator& ranks = *placement.ranks;
  const DeviceChoice& device = placement.device;
  const auto largest = [&](std::uint64_t mine) {
    ranks.all_reduce_max(std::span<std::uint64_t>(&mine, 1));
    return mine;
  };
  if (largest(must_stream(system, input, device, part) ? 1 : 0) == 0) return std::nullopt;
  std::optional<stream::Demand> demand;
  comm::agree(ranks, [&] { demand = demand_of(system, input, part); });
  if (largest(demand ? 0 : 1) != 0) return std::nullopt;
  stream::Plan plan;
  const auto make = [&] { comm::agree(ranks, [&] { plan = plan_of(*demand, input, device); }); };
  make();
  constexpr std::uint64_t many = 1u << 20;
  demand->fused_steps =
      static_cast<int>(many - largest(many - static_cast<std::uint64_t>(plan.fused_steps)));
  make();
  demand->segments = static_cast<int>(largest(static_cast<std::uint64_t>(plan.segments())));
  make();
  comm::agree(ranks,
              [&] { check_host(system, input, device, part, plan, placement.place.local_size); });
  return plan;
}
}  // namespace

std::size_t bytes_beside(const systems::System& system, const config::Input& input) {
  return bytes_of_output(system, input) +
         (input.integer("device.verify_every") > 0 ? 2 * SolutionCopy::bytes_per_cell(system) : 0);
}

std::optional<stream::Plan> plan_stream(const systems::System& system, const config::Input& input,
                                        const DeviceChoice& device, const Index3& part, int ranks) {
  if (!must_stream(system, input, device, part)) return std::nullopt;
  const std::optional<stream::Demand> demand = demand_of(system, input, part);
  if (!demand) return std::nullopt;
  const stream::Plan plan = plan_of(*demand, input, device);
  check_host(system, input, device, part, plan, ranks);
  return plan;
}

std::optional<stream::Plan> plan_memory(const systems::System& system, const Placement& placement,
                                        const config::Input& input) {
  const Index3 part = part_of(system, placement);
  const auto plan = plan_together(system, placement, input, part);
  if (plan) return plan;
  const std::string refusal =
      is_countable(part) ? refusal_of(system.streaming(part), system, input) : "";
  check_resident(system, placement, bytes_beside(system, input),
                 placement.device.backend == Backend::cpu || refusal.empty()
                     ? ""
                     : "\nIt cannot be streamed from host memory: " + refusal + ".");
  return std::nullopt;
}

std::vector<std::string> unused_stream_keys(const config::Input& input) {
  std::vector<std::string> changed;
  for (const char* const key : {segments_key, fused_steps_key, scheme_key, update_key}) {
    if (input.is_changed(key)) changed.push_back(key);
  }
  return changed;
}

std::string memory_text(const stream::Plan& plan) {
  std::int64_t longest = 0;
  for (std::size_t s = 1; s < plan.first.size(); ++s)
    longest = std::max(longest, plan.first[s] - plan.first[s - 1]);
  return fmt::format(
      "streamed from host memory in {} segments of up to {} planes, {} a visit{}, window "
      "{:.2f} GiB",
      plan.segments(), longest,
      plan.demand.by_stage    ? "1 stage"
      : plan.fused_steps == 1 ? "1 step"
                              : fmt::format("{} steps", plan.fused_steps),
      plan.demand.host_updates
          ? fmt::format(" that the host updates with {:.2f} GiB for rates in flight",
                        static_cast<double>(plan.flight_bytes) / gib)
          : "",
      static_cast<double>(plan.window_bytes) / gib);
}

}  // namespace watersmeet::run
