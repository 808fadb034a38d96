// The bed and the initial state on the grid: point values at the centres of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "memory/rounded.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::shallow_water {

namespace {

std::string place_of(const systems::GridCoordinates& grid, std::size_t p, const Index3& origin) {
  const std::size_t nx = grid.x.size(), i = p % nx, j = p / nx;
  return fmt::format("cell ({}, {}), x = {:g}, y = {:g}", static_cast<std::int64_t>(i) + origin[0],
                     static_cast<std::int64_t>(j) + origin[1], grid.x[i], grid.y[j]);
}

}  // namespace

ShallowWaterSystem::Fields ShallowWaterSystem::initial_fields(const mesh::Mesh& mesh, int block,
                                                              const Index3& origin, int threads,
                                                              std::size_t most) const {
  const systems::GridCoordinates all = systems::coordinates_of(mesh, block);
  const systems::GridCoordinates grid = most > 0 ? systems::coarse_coordinates(all, most) : all;
  const std::size_t cells = grid.x.size() * grid.y.size();
  Fields f;
  const auto fill = [&](const config::Fault& key, const std::string& text) {
    std::vector<double> values(cells);
    systems::tabulate(text.empty() ? "0" : text, constants_, grid, threads, values.data());
    require_finite(key, values, [&](std::size_t p) { return place_of(grid, p, origin); });
    return values;
  };
  f.bed = fill(bed_place_, bed_text_);
  const bool by_depth = !depth_text_.empty();
  f.surface = fill(surface_place_, by_depth ? depth_text_ : surface_text_);
  f.u = fill(velocity_place_, velocity_text_[0]);
  f.v = fill(velocity_place_, velocity_text_[1]);
  for (std::size_t p = 0; by_depth && p < cells; ++p) f.surface[p] += f.bed[p];
  settle_fields(f, [&](std::size_t p) { return place_of(grid, p, origin); });
  return f;
}

void ShallowWaterSystem::require_finite(const config::Fault& key, const std::vector<double>& values,
                                        const std::function<std::string(std::size_t)>& place) {
  for (std::size_t p = 0; p < values.size(); ++p) {
    if (std::isfinite(values[p])) continue;
    throw config::error_at(
        key, fmt::format("{} is {} at {}", key.key, config::shown(values[p]), place(p)),
        "finite numbers");
  }
}

void ShallowWaterSystem::settle_fields(Fields& f,
                                       const std::function<std::string(std::size_t)>& place) const {
  const bool single = precision_ == Precision::single_, by_depth = !depth_text_.empty();
  for (std::size_t p = 0; p < f.bed.size(); ++p) {
    // As stored: a depth that rounding takes away is no depth.
    if (single) {
      f.bed[p] = static_cast<float>(f.bed[p]);
      f.surface[p] = static_cast<float>(f.surface[p]);
    }
    const double depth = f.surface[p] - f.bed[p];
    if (flow_.wet_dry) {
      if (by_depth && depth < 0) {
        throw config::error_at(surface_place_,
                               fmt::format("{} is {:g} at {}", surface_key_, depth, place(p)),
                               "a depth must be 0 or more");
      }
      f.surface[p] = std::max(f.surface[p], f.bed[p]);
      if (f.surface[p] - f.bed[p] <= flow_.dry_depth) f.u[p] = f.v[p] = 0;
    } else if (!(depth > 0)) {
      throw config::error_at(surface_place_,
                             fmt::format("the initial depth is {:g} at {}: the bed there is at "
                                         "{:g}, and the surface is at {:g}",
                                         depth, place(p), f.bed[p], f.surface[p]),
                             sphere_ ? "give a surface above the bed"
                                     : "give a surface above the bed, or set numerics.wet_dry = "
                                       "true, which allows dry cells");
    }
  }
}

void ShallowWaterSystem::initialise(const config::Input&) {
  Fields f = sphere_ ? sphere_fields(*sphere_, domain_->box(0))
                     : initial_fields(domain_->mesh, domain_->here[0], domain_->block(0).origin,
                                      queue_.threads, 0);
  memory::store_rounded(state_, 0, s_eta, f.surface, queue_);
  for (std::size_t p = 0; p < f.u.size(); ++p) {
    const double depth = f.surface[p] - f.bed[p];
    f.u[p] *= depth;
    f.v[p] *= depth;
  }
  memory::store_rounded(state_, 0, s_hu, f.u, queue_);
  memory::store_rounded(state_, 0, s_hv, f.v, queue_);
  beginning_.reset();
}

// The bed with its ghosts: it never changes.
void ShallowWaterSystem::allocate_bed() {
  if (flat()) return;
  const mesh::Block& block = domain_->block(0);
  bed_ = memory::State(shapes(block.n), 1, 1, precision_, queue_);
  if (sphere_) {
    memory::store_rounded(bed_, 0, 0, sphere_bed(), queue_);
    make_exchange(bed_).fill(bed_, 0, queue_);
    sphere_->couple(*sphere_loops_, launch(0, 0), true);
    synchronize(queue_);
    return;
  }
  const systems::GridCoordinates grid = systems::coordinates_of(domain_->mesh, domain_->here[0]);
  std::vector<double> values(grid.x.size() * grid.y.size());
  systems::tabulate(bed_text_, constants_, grid, queue_.threads, values.data());
  require_finite(bed_place_, values,
                 [&](std::size_t p) { return place_of(grid, p, block.origin); });
  memory::store_rounded(bed_, 0, 0, values, queue_);
  make_exchange(bed_).fill(bed_, 0, queue_);
  exec::Launch l = launch(0, 0);
  l.registers.layout = &bed_.layout(0);
  l.registers.out = bed_.start(0);
  plane_loops_->fill_bed(l, tables_.sides());
  synchronize(queue_);
}

double ShallowWaterSystem::estimate_step(const config::Input&) const {
  if (sphere_) return estimate_sphere_step();
  const Fields f = initial_fields(*mesh_, 0, {0, 0, 0}, 1, 48);
  Flow<double, Variant::general> flow{flow_};
  exec::Clock clock;
  for (std::size_t p = 0; p < f.bed.size(); ++p) {
    const double h = f.surface[p] - f.bed[p];
    const double signal =
        flow.signal(State<double>{{f.surface[p], h * f.u[p], h * f.v[p]}}, f.bed[p]);
    clock.signal = std::max(clock.signal, signal);
  }
  exec::begin_step(clock, rule_, 1e300, true);
  return clock.dt;
}

}  // namespace watersmeet::shallow_water
