#include "run/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <sstream>

#include "core/error.hpp"
#include "io/message.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "run/engine.hpp"
#include "run/fit.hpp"
#include "run/memory_plan.hpp"

namespace watersmeet::run {

using config::FaultKind;

namespace {
// Several names as "3 x NVIDIA H200 + CPU, 2 threads".
std::string counted(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, int>> groups;
  for (const std::string& name : names) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& group) { return group.first == name; });
    if (found == groups.end()) {
      groups.emplace_back(name, 1);
    } else {
      ++found->second;
    }
  }
  std::string text;
  for (const auto& [name, count] : groups) {
    text += (text.empty() ? "" : " + ") + (count > 1 ? fmt::format("{} x ", count) : "") + name;
  }
  return text;
}

std::vector<std::string> gather_texts(comm::Communicator& ranks, const std::string& mine) {
  struct Text {
    char characters[256];
  } text{};
  mine.copy(text.characters, sizeof text.characters - 1);
  std::vector<Text> all(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&text, sizeof text, all.data());
  std::vector<std::string> result;
  for (const Text& t : all) result.emplace_back(t.characters);
  return result;
}

void broadcast_shares(comm::Communicator& world, mesh::Shares& shares) {
  std::uint64_t count = shares.parts.size();
  world.broadcast(&count, sizeof count, 0);
  shares.parts.resize(count);
  world.broadcast(shares.parts.data(), count * sizeof(mesh::Part), 0);
  world.broadcast(&shares.ranks_along, sizeof shares.ranks_along, 0);
  std::string remarks;
  for (const std::string& remark : shares.remarks) remarks += remark + '\n';
  std::istringstream lines(comm::broadcast_text(world, remarks));
  shares.remarks.clear();
  for (std::string line; std::getline(lines, line);) shares.remarks.push_back(line);
}

// Seconds a cell and stage of this device, from some steps of the case on a small grid of its own.
double measure_speed(const Case& loaded, const DeviceChoice& device) {
  const mesh::GridDescription& grid = loaded.system->grid();
  Index3 n = grid.n();
  // As the case counts the levels of panels that are stacked.
  if (grid.levels > 1) n[2] = grid.levels;
  // Cells of unequal width may be a list, of as many as there are.
  for (std::size_t a = 0; a < 3; ++a) {
    if (grid.faces[a].empty()) n[a] = std::min<std::int64_t>(n[a], 128);
  }
  SimulationOptions options;
  options.device = device.backend == Backend::cuda ? "gpu" : "cpu";
  options.threads = device.threads;
  options.set = {fmt::format("grid.cells=[{},{},{}]", n[0], n[1], n[2]),
                 fmt::format("device.index={}", device.index), "device.cpu_ranks=0",
                 "device.memory=resident"};
  // Under its own name: files that the case names are looked for beside it.
  Engine trial(
      load_case_text(loaded.input.resolved_toml(), loaded.input.name(), options, Start::skip));
  seconds_of_steps(trial, 2);
  double best = 1e300;
  double spent = 0;
  for (int sample = 0; sample < 5 && spent < 1.0; ++sample) {
    const double seconds = seconds_of_steps(trial, 4) / 4;
    best = std::min(best, seconds);
    spent += 4 * seconds;
  }
  return best / (trial.points() * trial.system().stages());
}

// Keys that say how several ranks share the grid, where a single one has it all: a note, since the
// case may be meant for more ranks than this run has.
std::vector<std::string> notes_of_one_rank(const config::Input& input) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& key, const std::string& what) {
    notes.push_back(fmt::format("{} ({}) {} and is not used: this run has one rank", key,
                                input.origin(key), what));
  };
  if (input.is_set("device.ranks_along") &&
      input.integers3("device.ranks_along") != Index3{1, 1, 1})
    note("device.ranks_along", "cuts the grid for several ranks");
  if (input.is_set("device.weights") && input.reals("device.weights").size() != 1)
    note("device.weights", "shares the grid among several ranks");
  return notes;
}

// What --set would put in the place of ranks along the axes that do not fit, such as those of a run
// that is resumed with another number of them.
std::string chosen_instead(mesh::SharingOut request) {
  request.ranks_along.reset();
  request.may_leave_out = false;
  try {
    const auto along = mesh::share_out(request).ranks_along;
    return fmt::format("--set device.ranks_along=[{},{},{}], or remove it", along[0], along[1],
                       along[2]);
  } catch (const Error&) {
    return "remove it";
  }
}

// A guess of what messages cost, for the choice of a decomposition. It need only order the cuts; rank_model.cpp has what was measured.
mesh::StageCost guess_cost(const Case& loaded, bool gpus, bool mixed) {
  mesh::StageCost cost;
  const systems::SetUp& system = *loaded.system;
  cost.bytes_per_cell =
      static_cast<double>(size_of(system.precision()) * system.variables().size());
  const double bytes_per_stage = system.bytes_per_point_step() / system.stages();
  if (gpus && !mixed) {
    cost.seconds_per_cell = bytes_per_stage / 3e12;
    cost.latency = 1e-5;
    cost.bandwidth = 2e11;
  } else {
    cost.seconds_per_cell = gpus ? bytes_per_stage / 3e12 : 5e-9;
    cost.latency = 2e-5;
    cost.bandwidth = 4e9;
  }
  // Panels are coupled before their cells are computed.
  cost.overlap =
      loaded.input.text("device.overlap") != "off" && system.grid().cutting.loose_axis < 0;
  return cost;
}

// How the grid may be cut, by equal ranks as long as the request has no weights. `as_case`: along the axes that the case names.
mesh::SharingOut sharing_of(const Case& loaded, bool gpus, bool mixed, bool as_case) {
  const mesh::GridDescription& grid = loaded.system->grid();
  const config::Input& input = loaded.input;
  mesh::SharingOut request{grid.cutting};
  request.cells = grid.n();
  for (int a = 0; a < 3; ++a) {
    request.periodic[static_cast<std::size_t>(a)] =
        !grid.cells.links(0, {a, mesh::Side::lower}).empty();
  }
  request.cost = guess_cost(loaded, gpus, mixed);
  if (as_case && input.is_set("device.ranks_along")) {
    const Index3 along = input.integers3("device.ranks_along");
    request.ranks_along = {static_cast<int>(along[0]), static_cast<int>(along[1]),
                           static_cast<int>(along[2])};
  } else if (grid.cutting.usual_axis >= 0) {
    for (int a = 0; a < 3; ++a) request.whole[a] = a != grid.cutting.usual_axis;
  }
  return request;
}

mesh::Shares share_grid(const Case& loaded, const mesh::SharingOut& request) {
  const mesh::GridDescription& grid = loaded.system->grid();
  if (grid.blocks)
    return mesh::share_blocks(*grid.blocks, static_cast<int>(request.weights.size()));
  try {
    return mesh::share_out(request);
  } catch (const Error& error) {
    // An axis that a system names by itself is no key of the case.
    if (!request.ranks_along || error.kind() != ErrorKind::user_input) throw;
    const auto& along = *request.ranks_along;
    throw config::error_at(loaded.input.place(FaultKind::range, "device.ranks_along"),
                           fmt::format("device.ranks_along = [{}, {}, {}]: {}", along[0], along[1],
                                       along[2], error.what()),
                           chosen_instead(request));
  }
}

// The same, and planes that are streamed from host memory stay whole: where the case says so, and where a part does not fit otherwise.
// free_of(rank): bytes where its kernels run.
mesh::Shares share_by_memory(const Case& loaded, const mesh::SharingOut& request,
                             const std::function<std::size_t(int rank)>& free_of) {
  const systems::SetUp& system = *loaded.system;
  const std::string memory = loaded.input.text("device.memory");
  if (memory == "resident" || !is_countable(system.grid().n())) return share_grid(loaded, request);
  const systems::Streaming streaming = system.streaming(system.grid().n());
  if (!streaming.refusal.empty() || request.ranks_along) return share_grid(loaded, request);
  mesh::SharingOut whole_planes = request;
  whole_planes.whole[static_cast<std::size_t>(streaming.demand.axis)] = true;
  if (memory == "stream") return share_grid(loaded, whole_planes);
  mesh::Shares shares = share_grid(loaded, request);
  const bool all_fit =
      std::all_of(shares.parts.begin(), shares.parts.end(), [&](const mesh::Part& part) {
        const Box& box = part.box;
        return fits(system, {box.size(0), box.size(1), box.size(2)}, 0, free_of(part.rank));
      });
  return all_fit ? shares : share_grid(loaded, whole_planes);
}

// Whether any of the ranks computes on a GPU, and another on the CPU.
struct Kinds {
  bool any_gpu = false, mixed = false;
};
Kinds kinds_of(comm::Communicator& ranks, const DeviceChoice& device) {
  std::uint64_t there[2] = {device.backend == Backend::cuda, device.backend == Backend::cpu};
  ranks.all_reduce_max(std::span<std::uint64_t>(there));
  return {there[0] != 0, there[0] + there[1] == 2};
}

// By rank 0 for all: other hosts might round the model differently.
mesh::Shares share_together(const Case& loaded, const mesh::SharingOut& request,
                            comm::Communicator& ranks, const DeviceChoice& device) {
  // What does not fit a GPU may be streamed; a CPU has no other memory than that.
  const std::uint64_t free_bytes = device.backend == Backend::cuda ? device.free_bytes : SIZE_MAX;
  std::vector<std::uint64_t> free_of(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&free_bytes, sizeof free_bytes, free_of.data());
  mesh::Shares shares;
  io::on_first(&ranks, [&] {
    shares = share_by_memory(loaded, request,
                             [&](int rank) { return free_of[static_cast<std::size_t>(rank)]; });
  });
  broadcast_shares(ranks, shares);
  return shares;
}

}  // namespace

bool gpus_are_bound(comm::Communicator& world, const comm::Locality& place,
                    const std::vector<DeviceInfo>& gpus) {
  // Host number and device, empty for a rank that sees none or several.
  std::string mine = fmt::format("{}:", place.host);
  if (gpus.size() == 1) mine += gpus[0].uuid;
  const std::string host = mine.substr(0, mine.find(':') + 1);
  std::vector<std::string> here;
  for (const std::string& text : gather_texts(world, mine)) {
    if (text.rfind(host, 0) == 0) here.push_back(text);
  }
  std::sort(here.begin(), here.end());
  return here.front() != host && std::adjacent_find(here.begin(), here.end()) == here.end();
}

io::Share Placement::share(const Index3& cells) const {
  if (!ranks || ranks->size() == 1) return io::whole_share(cells);
  for (const mesh::Part& part : shares.parts) {
    if (part.rank == ranks->rank()) return {ranks.get(), cells, part.box};
  }
  require(false, "a rank without a part");
  return {};
}

std::string Placement::description() const { return counted(devices); }

DeviceChoice choose_device(const config::Input& input, comm::Communicator& world,
                           const comm::Locality& place, const std::vector<DeviceInfo>& gpus) {
  comm::Locality choosing = place;
  if (gpus_are_bound(world, place, gpus) && input.text("device.kind") != "cpu" &&
      input.integer("device.cpu_ranks") == 0) {
    choosing.local_rank = 0;
    choosing.local_size = 1;
  }
  DeviceChoice choice;
  comm::agree(world, [&] { choice = choose_device(input, choosing, gpus); });
  return choice;
}

mesh::Shares share_equally(const Case& loaded, int ranks, bool gpus, bool as_case,
                           std::size_t free_bytes) {
  mesh::SharingOut request = sharing_of(loaded, gpus, false, as_case);
  request.weights.assign(static_cast<std::size_t>(ranks), 1.0);
  if (as_case && loaded.input.is_set("device.weights")) {
    const std::vector<double> weights = loaded.input.reals("device.weights");
    if (std::ssize(weights) == ranks) request.weights = weights;
  }
  return share_by_memory(loaded, request,
                         [&](int) { return !gpus || free_bytes == 0 ? SIZE_MAX : free_bytes; });
}

mesh::Shares share_by_speed(const Case& loaded, const Placement& placement,
                            const std::vector<double>& seconds_per_cell) {
  comm::Communicator& ranks = *placement.ranks;
  const Kinds kinds = kinds_of(ranks, placement.device);
  mesh::SharingOut request = sharing_of(loaded, kinds.any_gpu, kinds.mixed, true);
  const double least = *std::min_element(seconds_per_cell.begin(), seconds_per_cell.end());
  for (const double seconds : seconds_per_cell) request.weights.push_back(least / seconds);
  request.cost.seconds_per_cell = least;
  request.may_leave_out = false;
  return share_together(loaded, request, ranks, placement.device);
}

std::string crowded_processors(const DeviceChoice& device, const comm::Locality& place) {
  if (device.backend != Backend::cpu || device.threads * place.sharing <= place.processors)
    return "";
  const std::string threads = io::counted(device.threads, "thread");
  return fmt::format("{} take turns on {}, which is slower than one thread a processor",
                     place.sharing == 1
                         ? threads
                         : fmt::format("{} of {}", io::counted(place.sharing, "rank"), threads),
                     io::counted(place.processors, "processor"));
}

Placement place_case(const Case& loaded, comm::Communicator& world) {
  Placement result;
  result.place = comm::find_locality(world);
  const config::Input& input = loaded.input;
  result.device = choose_device(input, world, result.place, cuda_devices());
  const std::string crowded = crowded_processors(result.device, result.place);
  const mesh::GridDescription& grid = loaded.system->grid();
  const mesh::Mesh& whole = grid.cells;
  if (world.size() == 1) {
    result.ranks = world.duplicate();
    result.shares.parts = {{0, whole.block(0).interior(), 0}};
    result.devices = {result.device.description};
    result.remarks = notes_of_one_rank(input);
    if (result.device.backend == Backend::cpu && input.is_set("device.index"))
      result.remarks.push_back(
          fmt::format("device.index ({}) chooses a GPU and is not used: this run "
                      "is on the CPU",
                      input.origin("device.index")));
    if (!crowded.empty()) result.remarks.push_back(crowded);
    return result;
  }
  require(whole.blocks().size() == 1, "only boxes can be divided among ranks");
  const std::vector<std::string> all_devices = gather_texts(world, result.device.description);
  const Kinds kinds = kinds_of(world, result.device);
  const bool differ = std::adjacent_find(all_devices.begin(), all_devices.end(),
                                         std::not_equal_to<>()) != all_devices.end();

  mesh::SharingOut request = sharing_of(loaded, kinds.any_gpu, kinds.mixed, true);
  comm::agree(world, [&] {
    if (!input.is_set("device.weights")) return;
    request.weights = input.reals("device.weights");
    request.may_leave_out = false;
    if (static_cast<int>(request.weights.size()) != world.size()) {
      // A run may be resumed with another number of ranks, and its case still holds the weights of
      // before.
      throw config::error_at(
          input.place(FaultKind::range, "device.weights"),
          fmt::format(
              "device.weights has {} numbers for {} ranks; one number for each rank is needed",
              request.weights.size(), world.size()),
          fmt::format("for equal ones --set device.weights=[{}]",
                      fmt::join(std::vector<int>(static_cast<std::size_t>(world.size()), 1), ",")));
    }
  });
  std::string measured;
  if (request.weights.empty()) {
    request.weights.assign(all_devices.size(), 1.0);
    if (differ && !grid.blocks) {
      double mine = 0;
      comm::agree(world, [&] { mine = measure_speed(loaded, result.device); });
      std::vector<double> seconds(all_devices.size());
      world.all_gather(&mine, sizeof mine, seconds.data());
      request.cost.seconds_per_cell = *std::min_element(seconds.begin(), seconds.end());
      for (std::size_t r = 0; r < seconds.size(); ++r) {
        request.weights[r] = request.cost.seconds_per_cell / seconds[r];
        measured +=
            fmt::format("{}{:.2g}", r == 0 ? "; measured speeds: " : " ", request.weights[r]);
      }
    }
  }
  result.shares = share_together(loaded, request, world, result.device);
  result.remarks = result.shares.remarks;
  if (!crowded.empty()) result.remarks.push_back(crowded);
  // Ranks are renumbered without those that were left out.
  std::vector<int> number(all_devices.size(), -1);
  for (const mesh::Part& part : result.shares.parts)
    number[static_cast<std::size_t>(part.rank)] = 0;
  int next = 0;
  for (std::size_t r = 0; r < number.size(); ++r) {
    if (number[r] < 0) continue;
    number[r] = next++;
    result.devices.push_back(all_devices[r]);
  }
  for (mesh::Part& part : result.shares.parts)
    part.rank = number[static_cast<std::size_t>(part.rank)];
  result.ranks = world.subset(number[static_cast<std::size_t>(world.rank())] >= 0);
  if (differ || input.is_set("device.weights")) {
    std::string text = "cells a rank:";
    for (const mesh::Part& part : result.shares.parts) {
      text += fmt::format(" {}", part.box.count());
    }
    result.remarks.push_back(text + measured);
  }
  return result;
}

}  // namespace watersmeet::run
