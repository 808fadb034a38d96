#include "run/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/message.hpp"
#include "io/surface_view.hpp"
#include "run/sampling/average_case.hpp"
#include "run/sampling/isosurface_case.hpp"
#include "run/sampling/part_case.hpp"
#include "run/sampling/picture_case.hpp"
#include "run/sampling/schedule.hpp"

namespace watersmeet::run {

namespace {
constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::max();
}  // namespace

std::int64_t last_step(const systems::SetUp& system, const config::Input& input) {
  if (input.is_set("time.steps")) return input.integer("time.steps");
  return system.most_steps() > 0 ? system.most_steps() : no_step;
}

StepEstimate estimate_steps(const systems::SetUp& system, const config::Input& input) {
  const std::int64_t most = last_step(system, input);
  StepEstimate steps;
  steps.dt = system.estimate_step(input);
  steps.count =
      most == no_step ? std::numeric_limits<double>::infinity() : static_cast<double>(most);
  if (input.is_set("time.end") && steps.dt > 0)
    steps.count = std::min(steps.count, std::ceil(input.duration("time.end") / steps.dt));
  return steps;
}

std::string names_of(const std::vector<systems::QuantityInfo>& fields) {
  std::string names;
  for (const systems::QuantityInfo& q : fields) names += (names.empty() ? "" : ", ") + q.name;
  return names;
}

std::vector<systems::QuantityInfo> fields_named(const systems::Observation& system,
                                                const std::vector<std::string>& names) {
  std::vector<systems::QuantityInfo> fields;
  for (const std::string& name : names) {
    for (const systems::QuantityInfo& q : system.quantities()) {
      if (q.name == name) fields.push_back(q);
    }
  }
  return fields;
}

std::vector<systems::QuantityInfo> snapshot_fields(const systems::Observation& system,
                                                   const config::Input& input) {
  return fields_named(system, input.is_good("output.fields") ? input.texts("output.fields")
                                                             : system.default_fields());
}

DiskPlan plan_disk(systems::System& system, const config::Input& input, const StepEstimate& steps) {
  DiskPlan plan;
  const double points = static_cast<double>(system.grid().cells.block(0).interior().count());
  const std::string kept = input.text("output.precision");
  const double word = kept == "single"   ? 4
                      : kept == "double" ? 8
                                         : static_cast<double>(size_of(system.precision()));
  for (const systems::QuantityInfo& q : snapshot_fields(system, input))
    plan.snapshot_bytes += points * word * q.components;
  plan.checkpoint_bytes =
      points * static_cast<double>(size_of(system.precision()) *
                                   (system.variables().size() + system.further_arrays().size()));
  const Schedule schedule = Schedule::from(input, "output.");
  // The number of steps may end the run long before time.end.
  double end = input.is_set("time.end") ? input.duration("time.end")
                                        : std::numeric_limits<double>::infinity();
  const std::int64_t most = last_step(system, input);
  if (most != no_step && steps.dt > 0) end = std::min(end, static_cast<double>(most) * steps.dt);
  double count = 2;  // first and last state
  if (schedule.every > 0 && std::isfinite(end)) count = std::ceil(end / schedule.every - 1e-9) + 1;
  if (schedule.every_steps > 0 && std::isfinite(steps.count))
    count += std::floor(steps.count / double(schedule.every_steps));
  // The first state and one after each step at most, however short the time between snapshots.
  if (most != no_step) count = std::min(count, static_cast<double>(most) + 1);
  plan.snapshots = static_cast<std::int64_t>(std::min(count, 1e18));
  const AverageCases averages = averages_of(input, system);
  plan.checkpoint_bytes += points * static_cast<double>(averages.checkpoint_bytes_per_cell());
  for (const AverageCase& one : averages.cases) {
    if (!one.fields) continue;
    std::size_t components = 0;
    for (const AverageTerm& term : one.terms) components += term.sums.size();
    const bool counted = one.every > 0 && std::isfinite(end);
    const double windows =
        counted ? std::max(0.0, std::ceil((end - one.from) / one.every - 1e-9)) : 1;
    plan.averages += static_cast<std::int64_t>(std::min(windows, 1e18));
    plan.average_bytes += windows * points * word * static_cast<double>(components);
  }
  const auto files_at = [&](const Schedule& times) {
    double files = 1;  // of the first state
    if (times.every > 0 && std::isfinite(end)) files += std::floor(end / times.every + 1e-9);
    if (times.every_steps > 0 && std::isfinite(steps.count))
      files += std::floor(steps.count / double(times.every_steps));
    return most == no_step ? files : std::min(files, static_cast<double>(most) + 1);
  };
  for (const PartCase& part : parts_of(input, system)) {
    const double files = files_at(part.schedule);
    const double of_value = part.precision == "single"   ? 4
                            : part.precision == "double" ? 8
                                                         : double(size_of(system.precision()));
    plan.parts += static_cast<std::int64_t>(std::min(files, 1e18));
    plan.compressed = plan.compressed || part.deflate > 0;
    plan.part_bytes += files * part.values() * of_value;
  }
  const auto add_pictures = [&](double files, int width, int height, int bytes_per_pixel) {
    const io::PictureSize size = io::picture_size(width, height);
    plan.pictures += static_cast<std::int64_t>(std::min(files, 1e18));
    plan.picture_bytes += files * double(size.width) * double(size.height) * bytes_per_pixel;
  };
  for (const PictureCase& picture : pictures_of(input, system))
    add_pictures(files_at(picture.part.schedule), picture.width, picture.height, 1);
  for (const IsosurfaceCase& surface : isosurfaces_of(input, system)) {
    const double files = files_at(surface.part.schedule);
    plan.isosurfaces += static_cast<std::int64_t>(std::min(files, 1e18));
    if (surface.picture) add_pictures(files, io::view_width, io::view_height, 3);
  }
  plan.total_bytes =
      count * plan.snapshot_bytes + plan.average_bytes + plan.part_bytes + plan.picture_bytes +
      (static_cast<double>(input.integer("output.checkpoints_kept")) + 1) * plan.checkpoint_bytes;
  return plan;
}

std::string snapshots_text(const DiskPlan& plan) { return io::counted(plan.snapshots, "snapshot"); }

std::string disk_text(double bytes) {
  return bytes > 1e18 ? "more than any disk holds" : io::bytes_text(bytes);
}

}  // namespace watersmeet::run
