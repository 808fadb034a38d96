#include "run/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/message.hpp"
#include "run/fit.hpp"

namespace watersmeet::run {

using config::FaultKind;

namespace {
constexpr double gib = 1073741824.0;
// Of what is free: a window, and what output, tables and the libraries take beside it.
constexpr double window_share = 0.6;
// Of the host's free memory: the solution, and what output takes beside it.
constexpr double host_share = 0.95;
// All keys of [stream].
constexpr const char *segments_key = "stream.segments", *fused_steps_key = "stream.fused_steps",
                     *scheme_key = "stream.scheme";

Index3 part_of(const systems::SetUp& system, const Placement& placement) {
  const Box mine = placement.share(system.grid().n()).mine;
  return {mine.size(0), mine.size(1), mine.size(2)};
}

// So that the sums of bytes stay below 2^63.
bool countable_cells(const Index3& part) {
  return double(part[0]) * double(part[1]) * double(part[2]) < 1e15;
}

bool fits(const systems::SetUp& system, const Placement& placement) {
  const Index3 part = part_of(system, placement);
  return countable_cells(part) &&
         system.memory_needed(part).working_bytes <= placement.device.free_bytes;
}

// Error{resource} with the largest grid that fits when a part needs more memory than its device has free.
void check_resident(const systems::SetUp& system, const Placement& placement,
                    const std::string& not_streamed) {
  const Index3 cells = system.grid().n();
  const DeviceChoice& device = placement.device;
  const Index3 part = part_of(system, placement);
  if (fits(system, placement)) return;
  const bool countable = countable_cells(part);
  const std::size_t need = countable ? system.memory_needed(part).working_bytes : 0;
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
  const Index3 largest = largest_grid(system, cells, placement.shares.ranks_along,
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

// Why the case cannot be streamed, a sentence; empty: it can.
std::string refusal_of(const systems::Streaming& streaming, int ranks) {
  if (!streaming.refusal.empty()) return streaming.refusal;
  if (ranks > 1) return "a run on several ranks keeps each part on its device";
  if (streaming.demand.planes < 2 * streaming.demand.reach) {
    return fmt::format("its {} plane{} across {} {} too few", streaming.demand.planes,
                       streaming.demand.planes == 1 ? "" : "s", "xyz"[streaming.demand.axis],
                       streaming.demand.planes == 1 ? "is" : "are");
  }
  return "";
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
}  // namespace

std::optional<stream::Plan> plan_stream(const systems::System& system, const config::Input& input,
                                        const DeviceChoice& device, const Index3& part, int ranks) {
  const std::string wanted = input.text("device.memory");
  const bool automatic = wanted == "auto";
  if (wanted == "resident" || !countable_cells(part)) return std::nullopt;
  if (automatic && (device.backend == Backend::cpu ||
                    system.memory_needed(part).working_bytes <= device.free_bytes)) {
    return std::nullopt;
  }
  systems::Streaming streaming = system.streaming(part);
  const std::string refusal = refusal_of(streaming, ranks);
  if (!refusal.empty()) {
    if (automatic) return std::nullopt;
    throw config::error_at(input.place(FaultKind::range, "device.memory"),
                           "this case cannot be streamed: " + refusal,
                           "device.memory = \"resident\"");
  }
  stream::Demand& demand = streaming.demand;
  if (input.is_set(segments_key)) demand.segments = static_cast<int>(input.integer(segments_key));
  if (input.is_set(fused_steps_key))
    demand.fused_steps = static_cast<int>(input.integer(fused_steps_key));
  demand.by_stage = input.text(scheme_key) == "stage";
  const stream::Plan plan =
      stream::make_plan(demand, window_share * static_cast<double>(device.free_bytes));
  const double host = static_cast<double>(free_host_bytes());
  const double need = static_cast<double>(plan.host_bytes) + bytes_of_spectra(system, input, part) +
                      (device.backend == Backend::cpu ? static_cast<double>(plan.window_bytes) : 0);
  if (need > host_share * host) {
    throw Error(
        ErrorKind::resource,
        fmt::format(
            "The {} cells need {:.2f} GiB of host memory to be streamed, and {:.2f} GiB are "
            "free.\nThe largest grid of this shape that can be streamed has about {:.0f} "
            "cells{}.",
            io::size_text(part), need / gib, host / gib,
            host_share * host / need * double(part[0]) * double(part[1]) * double(part[2]),
            system.precision() == Precision::double_
                ? "; precision = \"single\" needs half the memory"
                : ""));
  }
  return plan;
}

std::optional<stream::Plan> plan_memory(const systems::System& system, const Placement& placement,
                                        const config::Input& input) {
  const Index3 part = part_of(system, placement);
  const int ranks = placement.ranks->size();
  const auto plan = plan_stream(system, input, placement.device, part, ranks);
  if (plan) return plan;
  const std::string refusal =
      countable_cells(part) ? refusal_of(system.streaming(part), ranks) : "";
  check_resident(system, placement,
                 placement.device.backend == Backend::cpu || refusal.empty()
                     ? ""
                     : "\nIt cannot be streamed from host memory: " + refusal + ".");
  return std::nullopt;
}

std::vector<std::string> unused_stream_keys(const config::Input& input) {
  std::vector<std::string> set;
  for (const char* const key : {segments_key, fused_steps_key, scheme_key}) {
    if (input.is_set(key)) set.push_back(key);
  }
  return set;
}

std::string memory_text(const stream::Plan& plan) {
  std::int64_t longest = 0;
  for (std::size_t s = 1; s < plan.first.size(); ++s)
    longest = std::max(longest, plan.first[s] - plan.first[s - 1]);
  return fmt::format(
      "streamed from host memory in {} segments of up to {} planes, {} a visit, window "
      "{:.2f} GiB",
      plan.segments(), longest,
      plan.demand.by_stage    ? "1 stage"
      : plan.fused_steps == 1 ? "1 step"
                              : fmt::format("{} steps", plan.fused_steps),
      static_cast<double>(plan.window_bytes) / gib);
}

}  // namespace watersmeet::run
