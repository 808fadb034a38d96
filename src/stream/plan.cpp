#include "stream/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace watersmeet::stream {

namespace {

// Segments of fewer planes than the shortest cost more than fewer steps a visit do.
constexpr int usual_segments = 8, shortest_segment = 16;

// The first segment holds what its stages fall back by, and what a boundary condition behind it reads.
std::int64_t shortest_first(int fused_steps, const Demand& d) {
  return (d.periodic ? 0 : lag(fused_steps, d)) + d.reach;
}

// A visit of a periodic grid goes around it once at most.
std::int64_t fewest_planes(int fused_steps, const Demand& d) {
  const std::int64_t around = d.periodic ? std::max(lag(fused_steps, d), kept_solution(d)) : 0;
  return std::max(shortest_first(fused_steps, d) + d.reach, around);
}
bool long_enough(int fused_steps, const Demand& d) {
  return d.planes >= fewest_planes(fused_steps, d);
}

// Segments that take equally long: each stage of the first one ends further before its end, and each of the last one further behind it, or
// begins further before it. So the first segment is longer than the others and the last one shorter by the mean of that over the stages, as
// far as the last one has the planes.
std::vector<std::int64_t> cut(int segments, int fused_steps, const Demand& d) {
  if (segments == 1) return {0, d.planes};
  const std::int64_t others = segments - 1, across = lag(fused_steps, d) + reach_of_stage(d);
  std::int64_t more = d.periodic ? across : across / 2;
  const std::int64_t head = std::clamp(d.planes / segments + more, shortest_first(fused_steps, d),
                                       d.planes - others * d.reach);
  const std::int64_t rest = d.planes - head;
  if (others > 1) more = std::min(more, (rest - others * d.reach) / (others - 1));
  std::vector<std::int64_t> first = {0};
  for (int s = 1; s < segments; ++s) first.push_back(head + (rest + more) * (s - 1) / others);
  first.push_back(d.planes);
  return first;
}

int most_segments(int fused_steps, const Demand& d) {
  return static_cast<int>(1 + (d.planes - shortest_first(fused_steps, d)) / d.reach);
}

std::int64_t longest(const std::vector<std::int64_t>& first, int fused_steps, const Demand& d) {
  std::int64_t most = 0;
  for (std::size_t s = 1; s < first.size(); ++s) {
    const std::int64_t behind = s + 1 == first.size() ? planes_behind(fused_steps, d) : 0;
    most = std::max(most, first[s] - first[s - 1] + behind);
  }
  return most;
}

Plan plan_of(int segments, int fused_steps, const Demand& d) {
  Plan plan;
  plan.demand = d;
  plan.fused_steps = fused_steps;
  plan.first = cut(segments, fused_steps, d);
  plan.window = window_planes(longest(plan.first, fused_steps, d), fused_steps, d);
  const std::int64_t planes = plan.window + 2 * d.reach;
  const std::int64_t kept = d.periodic ? kept_planes(fused_steps, d) + 2 * d.reach : 0;
  plan.window_bytes = d.plane_bytes * static_cast<std::size_t>(planes * d.registers + kept) +
                      d.field_bytes * static_cast<std::size_t>(planes * d.fields()) + d.kept_bytes;
  plan.host_bytes = d.host_bytes * (d.by_stage ? 2 : 1);
  if (d.host_updates) {
    const std::size_t plane = d.host_bytes / static_cast<std::size_t>(d.planes);
    plan.returned = longest(plan.first, fused_steps, d) + lag(fused_steps, d);
    plan.flight_bytes = 2 * plane * static_cast<std::size_t>(plan.returned);
    plan.host_bytes += plan.flight_bytes;
  }
  return plan;
}

void check_keys(const Demand& d) {
  const int fused = d.fused_steps.value_or(1);
  if (d.by_stage && fused > 1) {
    throw NumbersRefused(
        "stream.fused_steps",
        fmt::format("stream.fused_steps = {}: stream.scheme = \"stage\" carries out one "
                    "stage a visit; the scheme \"skew\" fuses steps",
                    fused));
  }
  if (!long_enough(fused, d)) {
    throw NumbersRefused(
        "stream.fused_steps",
        fmt::format("{} planes are too few to be streamed with stream.fused_steps = {}: "
                    "their stages reach over {}",
                    d.planes, fused, fewest_planes(fused, d)));
  }
  if (d.segments && *d.segments > most_segments(fused, d)) {
    throw NumbersRefused(
        "stream.segments",
        fmt::format("stream.segments = {}: {} planes can be cut into {} segments at most "
                    "with stream.fused_steps = {}",
                    *d.segments, d.planes, most_segments(fused, d), fused));
  }
}

}  // namespace

std::int64_t window_planes(std::int64_t longest_segment, int fused_steps, const Demand& d) {
  const std::int64_t live = lag(fused_steps, d) + d.reach;
  return 2 * live + 4 * longest_segment;
}

Plan make_plan(const Demand& d, double device_bytes) {
  check_keys(d);
  int fused = d.fused_steps.value_or(d.by_stage ? 1 : d.usual_fused_steps);
  const auto too_many = [&] {
    return !long_enough(fused, d) || (d.segments && *d.segments > most_segments(fused, d));
  };
  while (!d.fused_steps && fused > 1 && too_many()) --fused;
  Plan plan;
  const auto too_large = [&] { return static_cast<double>(plan.window_bytes) > device_bytes; };
  for (;; --fused) {
    int most = std::max(2, most_segments(fused, d));
    if (!d.segments && !d.fused_steps && fused > 1)
      most = std::clamp(static_cast<int>(d.planes / shortest_segment), 2, most);
    int segments = std::min(d.segments.value_or(usual_segments), most);
    plan = plan_of(segments, fused, d);
    while (!d.segments && segments < most && too_large()) {
      segments = std::min(most, 2 * segments);
      plan = plan_of(segments, fused, d);
    }
    if (d.fused_steps || fused == 1 || !too_large()) break;
  }
  if (too_large()) {
    throw Error(ErrorKind::resource,
                fmt::format("A window of {} planes needs {:.2f} GiB, and {:.2f} GiB are free for "
                            "it: more stream.segments, "
                            "fewer stream.fused_steps or smaller planes need less.",
                            plan.window, static_cast<double>(plan.window_bytes) / 1073741824.0,
                            device_bytes / 1073741824.0));
  }
  return plan;
}

// What copies and stages that run together cost each other: a share of the shorter of both. Steps of 512^3 cells on an H100 took 14, 20, 15,
// 10 and 7 % longer than the longer of both where they were limited by the stages or nearly (docs/streaming.md).
constexpr double share_of_shorter = 0.15;

double seconds_of_step(const Plan& plan, double resident, double bus, bool overlap, double host) {
  const Demand& d = plan.demand;
  if (d.by_stage) {
    // All stages but the first bring two arrays in, all but the last take two out, one after the other. Rates and solution are one array each; the
    // host reads both and the one beside them and writes two, but reads none beside in the first stage and writes one in the last.
    const double array = static_cast<double>(d.host_bytes);
    const double copy = (d.host_updates ? d.stages : 2.0 * d.stages - 1) * array / bus;
    const double update = d.host_updates ? (5.0 * d.stages - 2) * array / host : 0;
    // Nothing overlaps the first segment's way in and the last one's way out, and its update.
    const double ends = (2 * copy + update) / plan.segments();
    const double signal = d.host_updates && d.signal_pass ? array / bus : 0;  // the way in
    return signal +
           (overlap ? std::max({resident, copy, update}) + ends : resident + 2 * copy + update);
  }
  const double copy = static_cast<double>(plan.host_bytes) / bus / plan.fused_steps;
  return overlap ? std::max(resident, copy) + share_of_shorter * std::min(resident, copy)
                 : resident + 2 * copy;
}

}  // namespace watersmeet::stream
