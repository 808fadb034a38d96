#include "run/rank_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"

namespace watersmeet::run {

StepTime recorded_step(const systems::SetUp& system) {
  const systems::RecordedWork work = system.recorded_work();
  if (const RecordedSpeed* const speed = find_recorded(work.row, system.precision())) {
    return {work.passes * speed->seconds, work.passes * speed->seconds_per_point, true};
  }
  return {0, system.bytes_per_point_step() / (unrecorded_share * copy_bandwidth), false};
}

double seconds_of_messages(const comm::Traffic& traffic, const Link& link) {
  const bool queued = link.reduction > 0 && traffic.reductions > 0;
  double sum = queued ? traffic.reductions * link.reduction : traffic.waits * link.wait;
  for (const comm::Traffic::Exchanges& e : traffic.exchanges) {
    const double each = e.each.halves   ? link.halves + e.each.bytes * link.halves_per_byte
                        : e.each.stored ? link.stored + e.each.bytes * link.stored_per_byte
                                        : link.in_turn + e.each.bytes * link.in_turn_per_byte;
    sum += e.times * (each + std::max(e.each.messages - 2, 0.0) * link.further_neighbour);
  }
  return sum;
}

double points_of(const Index3& n) {
  return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
}

namespace {
Index3 largest_of(const mesh::Shares& shares) {
  Index3 largest{};
  for (const mesh::Part& part : shares.parts) {
    const Index3 n{part.box.size(0), part.box.size(1), part.box.size(2)};
    if (points_of(n) > points_of(largest)) largest = n;
  }
  return largest;
}

// Of one host, as choose_transport() has it.
bool direct(const config::Input& input, bool gpus) {
  const std::string wanted = input.text("device.transport");
  return gpus && (wanted == "auto" || wanted == "peer");
}
const Link& link_of(const config::Input& input, bool gpus) {
  if (!gpus) return cpu_link;
  return direct(input, gpus) ? peer_link : gpu_link;
}

RankTime time_on(const Case& loaded, const StepTime& step, int ranks, bool gpus, bool as_case,
                 std::size_t free_bytes) {
  const systems::SetUp& system = *loaded.system;
  RankTime result;
  if (ranks == 1) {
    result.part = system.grid().n();
    result.alone = step.of(points_of(result.part));
    return result;
  }
  mesh::Shares shares = share_equally(loaded, ranks, gpus, as_case, free_bytes);
  result.part = largest_of(shares);
  result.ranks = static_cast<int>(shares.parts.size());
  result.along = shares.ranks_along;
  int next = 0;
  for (mesh::Part& part : shares.parts) part.rank = next++;
  if (result.ranks > 1) {
    const comm::Domain domain(system.grid().cells, shares.parts, 0);
    const comm::Overlap overlap =
        comm::effective_overlap(wanted_overlap(loaded.input), gpus, direct(loaded.input, gpus));
    result.traffic =
        gpus ? system.traffic_of_gpus(domain, overlap) : system.traffic(domain, overlap);
  }
  const double points = points_of(result.part) + result.traffic.repeated;
  result.alone = step.of(points) * (gpus ? 1 : result.ranks);
  result.messages = seconds_of_messages(result.traffic, link_of(loaded.input, gpus));
  return result;
}

// Up to 8 ranks, as on one host, then powers of two: the model judges whether ranks pay, and does not search for the best number.
bool is_tried(int ranks) { return ranks <= 8 || (ranks & (ranks - 1)) == 0; }
}  // namespace

Index3 largest_part(const Case& loaded, int ranks, bool gpus, std::size_t free_bytes) {
  return ranks == 1 ? loaded.system->grid().n()
                    : largest_of(share_equally(loaded, ranks, gpus, true, free_bytes));
}

Forecast forecast(const Case& loaded, const StepTime& step, int ranks, bool gpus,
                  std::size_t free_bytes) {
  const std::size_t beside = bytes_beside(*loaded.system, loaded.input);
  const auto has_room = [&](const RankTime& time) {
    return free_bytes == 0 || fits(*loaded.system, time.part, beside, free_bytes);
  };
  Forecast result;
  result.asked = ranks;
  result.devices = gpus ? ranks : 1;
  result.one = time_on(loaded, step, 1, gpus, false, free_bytes);
  result.several = result.fastest = time_on(loaded, step, ranks, gpus, true, free_bytes);
  result.one_fits = has_room(result.one);
  for (int n = 1; n < ranks; ++n) {
    if (!is_tried(n)) continue;
    const RankTime fewer = n == 1 ? result.one : time_on(loaded, step, n, gpus, false, free_bytes);
    if (has_room(fewer) && fewer.seconds() < result.fastest.seconds()) result.fastest = fewer;
  }
  return result;
}

bool is_certain(const Case& loaded, const StepTime& step, const std::string& device, int hosts) {
  return step.recorded && device == recorded_device && hosts == 1 &&
         !loaded.input.is_set("device.schedule") && loaded.input.text("device.memory") != "stream";
}

std::optional<Loss> loss_of(const config::Input& input, const Forecast& f, bool certain) {
  if (f.fastest.ranks >= f.several.ranks || input.boolean("device.slower_ranks"))
    return std::nullopt;
  Loss loss;
  loss.refused = certain && f.one_fits && f.several.seconds() > least_loss * f.one.seconds();
  loss.text = fmt::format(
      "{} GPUs are predicted to be slower than {}: {:.3g} ms a step instead of {:.3g} ms, an "
      "efficiency of {:.0f} %",
      f.asked, f.fastest.ranks, 1e3 * f.several.seconds(), 1e3 * f.fastest.seconds(),
      100 * f.efficiency());
  return loss;
}

std::string check_break_even(const Case& loaded, const Placement& placement) {
  const int ranks = static_cast<int>(placement.devices.size());
  const DeviceChoice& device = placement.device;
  const bool alike = std::all_of(placement.devices.begin(), placement.devices.end(),
                                 [&](const std::string& d) { return d == device.description; });
  if (ranks == 1 || device.backend != Backend::cuda || device.shared || !alike) return "";
  const StepTime step = recorded_step(*loaded.system);
  const bool certain = is_certain(loaded, step, device.description, placement.place.hosts);
  const std::optional<Loss> loss =
      loss_of(loaded.input, forecast(loaded, step, ranks, true, device.free_bytes), certain);
  if (!loss) return "";
  if (!loss->refused) return loss->text + ".";
  throw Error(ErrorKind::resource,
              loss->text +
                  ".\nRun it on fewer, with --gpus or the launcher's number of ranks, or, if "
                  "that is meant, with --set device.slower_ranks=true");
}

}  // namespace watersmeet::run
