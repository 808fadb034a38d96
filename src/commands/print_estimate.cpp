#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands/estimate.hpp"
#include "io/message.hpp"
#include "run/memory_plan.hpp"
#include "run/other_grid.hpp"

namespace watersmeet::commands {
namespace {

using Json = nlohmann::ordered_json;

// "31 600": three digits, thousands apart.
std::string about(double count) {
  if (count >= 1e12) return fmt::format("{:.2e}", count);
  auto value = static_cast<std::int64_t>(count);
  if (const double digits = std::floor(std::log10(std::max(count, 1.0))); digits > 2) {
    const double unit = std::pow(10.0, digits - 2);
    value = static_cast<std::int64_t>(std::round(count / unit) * unit);
  }
  std::string text = std::to_string(value);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ' ');
  return text;
}

// Along the axes that have more than one cell: a plane has no dz.
std::string spacing_text(const mesh::GridDescription& grid, bool si) {
  const Index3 n = grid.n();
  const Real3 h = grid.geometry().spacing;
  const std::array<std::vector<double>, 3>& faces = grid.faces;
  const std::string unit = si ? " m" : "";
  std::vector<std::string> names, uneven;
  std::vector<double> spacings;
  for (std::size_t a = 0; a < 3; ++a) {
    if (n[a] == 1) continue;
    if (faces[a].size() > 1) {
      double least = INFINITY, most = 0;
      for (std::size_t i = 1; i < faces[a].size(); ++i) {
        least = std::min(least, faces[a][i] - faces[a][i - 1]);
        most = std::max(most, faces[a][i] - faces[a][i - 1]);
      }
      uneven.push_back(fmt::format("d{} from {} to {}{}", "xyz"[a], io::number_text(least),
                                   io::number_text(most), unit));
      continue;
    }
    names.push_back(std::string("d") + "xyz"[a]);
    spacings.push_back(h[a]);
  }
  if (spacings.empty()) {
    return uneven.empty() ? "a single one" : fmt::format("{}", fmt::join(uneven, ", "));
  }
  const std::string others = uneven.empty() ? "" : fmt::format(", {}", fmt::join(uneven, ", "));
  const auto [least, most] = std::minmax_element(spacings.begin(), spacings.end());
  if (*most - *least < 1e-9 * *most) {
    return names.size() == 3 ? fmt::format("dx = {}{} (cubic)", io::number_text(h[0]), unit)
                             : fmt::format("{} = {}{}{}", fmt::join(names, " = "),
                                           io::number_text(spacings[0]), unit, others);
  }
  std::string text;
  for (std::size_t a = 0; a < names.size(); ++a) {
    text += fmt::format("{}{} = {}", a == 0 ? "" : ", ", names[a], io::number_text(spacings[a]));
  }
  return text + unit + others;
}

std::string ranks_text(const Estimate& e) {
  return fmt::format("{} {}", e.ranks, e.gpus ? "GPUs" : "CPU ranks");
}

// Where the numbers are from.
std::string source_text(const Estimate& e) {
  if (!e.gpus) return "an assumption; steps as measured here";
  const std::string device = run::recorded_device;
  if (e.recorded) return fmt::format("all as recorded on {} (docs/scaling.md)", device);
  return e.measured ? fmt::format("as recorded on {}; steps as measured here", device)
                    : fmt::format(
                          "as recorded on {}; steps by the bytes they move, none was "
                          "recorded with these methods",
                          device);
}

void print_ranks(const run::Case& loaded, const Estimate& e) {
  if (!e.forecast) {
    fmt::print("  ranks      {}: no prediction, the trial steps failed\n", ranks_text(e));
    return;
  }
  const run::Forecast& f = *e.forecast;
  const run::RankTime& several = f.several;
  const auto& along = several.along;
  const bool blocks = loaded.system->grid().blocks != nullptr;
  fmt::print(
      "  ranks      {}{}, {}: {:.3g} ms a step, {}{:.3g} times as fast as {}, efficiency {:.0f} "
      "%\n",
      ranks_text(e),
      several.ranks < f.asked ? fmt::format(" of which {} compute", several.ranks) : "",
      blocks ? "whole blocks" : fmt::format("{} x {} x {}", along[0], along[1], along[2]),
      1e3 * e.step_seconds,
      e.stream ? fmt::format("{:.3g} ms if it stayed on the devices, ", 1e3 * several.seconds())
               : "",
      f.speed_up(), e.gpus ? "one" : "one with all threads", 100 * f.efficiency());
  const double count = several.traffic.count();
  fmt::print("             {:.3g} ms of it for {:.3g} exchanges of {} each, {}\n",
             1e3 * several.messages, count,
             io::bytes_text(count > 0 ? several.traffic.bytes() / count : 0), source_text(e));
}

}  // namespace

void print_estimate(const run::Case& loaded, const std::string& path, const Estimate& e,
                    std::size_t n_notes) {
  const config::Input& input = loaded.input;
  const systems::System& system = *loaded.system;
  const bool si = input.text("case.units") == "SI";
  fmt::print("{}: ok{}\n", path, n_notes == 0 ? "" : ", " + io::counted(n_notes, "note"));
  fmt::print("  system     {}, {} fields, {}\n", system.summary(), system.variables().size(),
             name_of(system.precision()));
  if (!system.grid().is_box()) {
    fmt::print("  grid       {}\n", run::grid_text(system.grid()));
  } else {
    fmt::print("  grid       {} = {} cells, {}\n", io::size_text(e.cells), io::count_text(e.points),
               spacing_text(system.grid(), si));
  }
  for (const auto& [key, text] : system.notes()) fmt::print("  {:<10} {}\n", key, text);
  if (loaded.start) fmt::print("  start      {}\n", loaded.start->text());
  const auto free = static_cast<double>(e.device.free_bytes);
  if (e.stream) {
    fmt::print("  memory     {}; {} on the host, {}\n", run::memory_text(*e.stream),
               io::bytes_text(e.host_memory), e.device.description);
  } else if (!e.devices_here) {
    fmt::print("  memory     {} on each GPU, {} on the host for output\n", io::bytes_text(e.memory),
               io::bytes_text(e.host_memory));
  } else if (e.device.backend == Backend::cuda) {
    fmt::print("  memory     {} on {} ({} free), {} on the host for output\n",
               io::bytes_text(e.memory), e.device.description, io::bytes_text(free),
               io::bytes_text(e.host_memory));
  } else {
    fmt::print("  memory     {} and {} for output ({} free), {}\n", io::bytes_text(e.memory),
               io::bytes_text(e.host_memory), io::bytes_text(free), e.device.description);
  }
  const std::string unit = si ? " s" : "";
  const std::string rule = input.is_set("time.dt")
                               ? "time.dt"
                               : fmt::format("CFL {}", io::number_text(input.real("time.cfl")));
  std::string end = std::isfinite(e.steps)
                        ? fmt::format("about {} step{}", about(e.steps), e.steps == 1 ? "" : "s")
                        : "a number of steps that is not known yet";
  if (input.is_set("time.end")) {
    end += fmt::format(" to t = {}{}", io::number_text(input.duration("time.end")), unit);
  }
  if (system.most_steps() > 0) {
    fmt::print("  cycles     at most {} ({})\n", about(e.steps), rule);
  } else {
    fmt::print("  time step  about {:.1e}{} ({}) -> {}\n", e.dt, unit, rule, end);
  }
  if (e.ranks > 1) print_ranks(loaded, e);
  if (e.forecast && std::isfinite(e.seconds)) {
    fmt::print("  duration   about {} on {}, as predicted\n", io::duration_text(e.seconds),
               ranks_text(e));
  } else if (e.ranks == 1 && e.seconds > 0 && std::isfinite(e.seconds)) {
    fmt::print("  duration   about {} on this machine (measured in trial steps of {} cells{})\n",
               io::duration_text(e.seconds),
               system.grid().blocks ? io::count_text(run::points_of(e.trial_cells))
                                    : io::size_text(e.trial_cells),
               e.bus > 0 ? fmt::format(", and copies of {:.1f} GB/s each way", e.bus * 1e-9) : "");
  }
  const double points = run::points_of(e.part);
  if (e.of_averages > 0) {
    fmt::print("  averages   {} of the memory{}; {}, {} together\n",
               io::bytes_text(static_cast<double>(e.of_averages) * points),
               e.stream ? " of the host" : "", io::counted(e.disk.averages, "file"),
               io::bytes_text(e.disk.average_bytes));
  }
  if (e.triggers > 0) {
    fmt::print(
        "  triggers   {}, {} of the memory{}; what they write is not in the disk use below\n",
        e.triggers, io::bytes_text(static_cast<double>(e.beside - e.of_averages) * points),
        e.stream ? " of the host" : "");
  }
  if (e.disk.parts > 0) {
    fmt::print("  parts      {}, {} together{}\n", io::counted(e.disk.parts, "file"),
               io::bytes_text(e.disk.part_bytes), e.disk.compressed ? " before compression" : "");
  }
  if (e.disk.pictures > 0) {
    fmt::print("  pictures   {}, {} together before compression\n",
               io::counted(e.disk.pictures, "file"), io::bytes_text(e.disk.picture_bytes));
  }
  if (e.disk.isosurfaces > 0) {
    fmt::print("  surfaces   {}, whose size depends on the flow and is not in the disk use below\n",
               io::counted(e.disk.isosurfaces, "file"));
  }
  fmt::print("  disk       {} x {}{}{}{} and {} checkpoints x {} = {}; free here: {}\n",
             run::snapshots_text(e.disk), io::bytes_text(e.disk.snapshot_bytes),
             e.disk.averages > 0 ? ", averages " + io::bytes_text(e.disk.average_bytes) : "",
             e.disk.parts > 0 ? ", parts " + io::bytes_text(e.disk.part_bytes) : "",
             e.disk.pictures > 0 ? ", pictures " + io::bytes_text(e.disk.picture_bytes) : "",
             input.integer("output.checkpoints_kept") + 1, io::bytes_text(e.disk.checkpoint_bytes),
             run::disk_text(e.disk.total_bytes),
             e.disk_free > 1e18 ? "not known" : io::bytes_text(e.disk_free));
}

namespace {
Json ranks_json(const Estimate& e) {
  if (!e.forecast) return {};
  const run::Forecast& f = *e.forecast;
  return {{"ranks", e.ranks},
          {"gpus", e.gpus},
          {"computing", f.several.ranks},
          {"ranks_along", f.several.along},
          {"seconds_per_step", f.several.seconds()},
          {"message_seconds_per_step", f.several.messages},
          {"exchanges_per_step", f.several.traffic.count()},
          {"bytes_per_step", f.several.traffic.bytes()},
          {"speed_up", f.speed_up()},
          {"efficiency", f.efficiency()},
          {"fastest_ranks", f.fastest.ranks},
          {"recorded", e.recorded}};
}

}  // namespace

void print_estimate_json(const run::Case& loaded, const std::string& path, const Estimate& e,
                         const std::vector<config::Fault>& notes, bool fits) {
  const Json all = {
      {"case", path},
      {"valid", true},
      {"fits", fits},
      {"system", loaded.system->name()},
      {"summary", loaded.system->summary()},
      {"cells", e.cells},
      {"grid", run::grid_text(loaded.system->grid())},
      {"precision", name_of(loaded.system->precision())},
      {"device", e.device.description},
      {"memory",
       {{"device", e.memory}, {"device_free", e.device.free_bytes}, {"host", e.host_memory}}},
      {"dt", e.dt},
      {"steps", e.steps},
      {"seconds", e.seconds > 0 ? Json(e.seconds) : Json()},
      {"seconds_per_step", e.step_seconds > 0 ? Json(e.step_seconds) : Json()},
      {"disk",
       {{"snapshots", e.disk.snapshots},
        {"snapshot_bytes", e.disk.snapshot_bytes},
        {"checkpoint_bytes", e.disk.checkpoint_bytes},
        {"averages", e.disk.averages},
        {"average_bytes", e.disk.average_bytes},
        {"parts", e.disk.parts},
        {"part_bytes", e.disk.part_bytes},
        {"pictures", e.disk.pictures},
        {"picture_bytes", e.disk.picture_bytes},
        {"isosurfaces", e.disk.isosurfaces},
        {"total_bytes", e.disk.total_bytes},
        {"free_bytes", e.disk_free}}},
      {"prediction", ranks_json(e)},
      {"notes", Json::parse(config::to_json(notes))}};
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace watersmeet::commands
