// The bed and the initial state on the mesh: point values at the centres of cells.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "memory/rounded.hpp"
#include "systems/shallow_water/system.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::shallow_water {

namespace {

// A cell of a box by its number.
Index3 cell_of(const Box& box, std::size_t number) {
  const auto at = static_cast<std::int64_t>(number);
  const std::int64_t row = box.size(0), plane = row * box.size(1);
  return {box.lower[0] + at % row, box.lower[1] + at / row % box.size(1),
          box.lower[2] + at / plane};
}

}  // namespace

ShallowWaterSystem::Cells ShallowWaterSystem::cells_of_plane(const systems::GridCoordinates& grid,
                                                             const Index3& first,
                                                             int threads) const {
  Cells cells;
  cells.count = grid.x.size() * grid.y.size();
  cells.tabulate = [this, grid, threads](const std::string& expression, double* values) {
    systems::tabulate(expression, constants_, grid, threads, values);
  };
  cells.name = [grid, first](std::size_t cell) {
    const std::size_t i = cell % grid.x.size(), j = cell / grid.x.size();
    return fmt::format("cell ({}, {}), x = {:g}, y = {:g}", static_cast<std::int64_t>(i) + first[0],
                       static_cast<std::int64_t>(j) + first[1], grid.x[i], grid.y[j]);
  };
  return cells;
}

ShallowWaterSystem::Cells ShallowWaterSystem::cells_of_sphere(const mesh::PanelGrid& grid,
                                                              const Box& box) const {
  struct Places {
    std::vector<double> lon, lat;
  };
  const auto places = std::make_shared<Places>();
  Cells cells;
  cells.count = static_cast<std::size_t>(box.count());
  for (std::size_t cell = 0; cell < cells.count; ++cell) {
    const auto [i, j, panel] = cell_of(box, cell);
    const mesh::LonLat at = grid.place(static_cast<int>(panel), i, j);
    places->lon.push_back(at.lon);
    places->lat.push_back(at.lat);
  }
  cells.tabulate = [this, places](const std::string& text, double* values) {
    config::Expression expression(text, {"lon", "lat"}, constants_);
    const double* const columns[2] = {places->lon.data(), places->lat.data()};
    expression.evaluate_row(places->lon.size(), columns, values);
  };
  cells.name = [places, box](std::size_t cell) {
    const Index3 at = cell_of(box, cell);
    return fmt::format("cell ({}, {}) of panel {}, lon = {:g}, lat = {:g}", at[0], at[1], at[2],
                       places->lon[cell], places->lat[cell]);
  };
  return cells;
}

std::vector<double> ShallowWaterSystem::values_of(const Cells& cells, const config::Fault& key,
                                                  const std::string& expression) const {
  std::vector<double> values(cells.count);
  cells.tabulate(expression.empty() ? "0" : expression, values.data());
  systems::require_finite(key, values, cells.name);
  return values;
}

ShallowWaterSystem::Fields ShallowWaterSystem::given_fields(const Cells& cells) const {
  Fields f;
  f.bed = values_of(cells, bed_place_, bed_text_);
  const bool by_depth = !depth_text_.empty();
  f.surface = values_of(cells, surface_place_, by_depth ? depth_text_ : surface_text_);
  f.u = values_of(cells, velocity_place_, velocity_text_[0]);
  f.v = values_of(cells, velocity_place_, velocity_text_[1]);
  for (std::size_t p = 0; by_depth && p < cells.count; ++p) f.surface[p] += f.bed[p];
  return f;
}

ShallowWaterSystem::Fields ShallowWaterSystem::plane_fields(const Cells& cells) const {
  Fields f = given_fields(cells);
  settle_fields(f, cells);
  return f;
}

ShallowWaterSystem::Fields ShallowWaterSystem::sphere_fields(const mesh::PanelGrid& grid,
                                                             const Box& box) const {
  const Cells cells = cells_of_sphere(grid, box);
  Fields f;
  if (sphere_state_) {
    for (std::vector<double>* const values : {&f.bed, &f.surface, &f.u, &f.v})
      values->resize(cells.count);
  } else {
    f = given_fields(cells);
  }
#pragma omp parallel for num_threads(queue_.threads) schedule(static)
  for (std::size_t p = 0; p < cells.count; ++p) {
    const auto [i, j, k] = cell_of(box, p);
    const int panel = static_cast<int>(k);
    if (sphere_state_) {
      const mesh::LonLat at = grid.place(panel, i, j);
      const SphereValues v = sphere_state_->at(at.lon, at.lat, 0);
      f.bed[p] = v.bed;
      f.surface[p] = v.bed + v.depth;
      f.u[p] = v.east;
      f.v[p] = v.north;
    }
    const auto u = grid.components(panel, i, j, f.u[p], f.v[p]);
    f.u[p] = u[0];
    f.v[p] = u[1];
  }
  settle_fields(f, cells);
  return f;
}

ShallowWaterSystem::Cells ShallowWaterSystem::cells_of_rows(const Box& rows) const {
  systems::GridCoordinates grid = systems::coordinates_of(domain_->mesh, domain_->here[0]);
  grid.y = {grid.y.begin() + rows.lower[1], grid.y.begin() + rows.upper[1]};
  Index3 first = domain_->block(0).origin;
  first[1] += rows.lower[1];
  return cells_of_plane(grid, first, queue_.threads);
}

void ShallowWaterSystem::for_each_slab(const std::function<void(const Box&)>& work) const {
  constexpr std::int64_t cells_at_once = std::int64_t{1} << 22;
  const Box part = domain_->block(0).interior();
  const std::int64_t rows =
      sphere_ ? part.size(1) : std::max<std::int64_t>(1, cells_at_once / part.size(0));
  for (std::int64_t j = 0; j < part.upper[1]; j += rows) {
    Box slab = part;
    slab.lower[1] = j;
    slab.upper[1] = std::min(j + rows, part.upper[1]);
    work(slab);
  }
}

void ShallowWaterSystem::settle_fields(Fields& f, const Cells& cells) const {
  const bool single = precision_ == Precision::single_, by_depth = !depth_text_.empty();
  for (std::size_t p = 0; p < f.bed.size(); ++p) {
    // As stored: a depth that rounding takes away is no depth.
    if (single) {
      f.bed[p] = static_cast<float>(f.bed[p]);
      f.surface[p] = static_cast<float>(f.surface[p]);
    }
    const double depth = f.surface[p] - f.bed[p];
    if (traits_.wet_dry) {
      if (by_depth && depth < 0) {
        throw config::error_at(surface_place_,
                               fmt::format("{} is {:g} at {}", surface_key_, depth, cells.name(p)),
                               "a depth must be 0 or more");
      }
      f.surface[p] = std::max(f.surface[p], f.bed[p]);
      if (f.surface[p] - f.bed[p] <= flow_.dry_depth) f.u[p] = f.v[p] = 0;
    } else if (!(depth > 0)) {
      throw config::error_at(surface_place_,
                             fmt::format("the initial depth is {:g} at {}: the bed there is at "
                                         "{:g}, and the surface is at {:g}",
                                         depth, cells.name(p), f.bed[p], f.surface[p]),
                             sphere_ ? "give a surface above the bed"
                                     : "give a surface above the bed, or set numerics.wet_dry = "
                                       "true, which allows dry cells");
    }
  }
}

void ShallowWaterSystem::initialise(const config::Input&) {
  memory::State& solution = state();
  memory::Buffer staging;
  for_each_slab([&](const Box& box) {
    Fields f = sphere_ ? sphere_fields(sphere_->grid(), domain_->box(0))
                       : plane_fields(cells_of_rows(box));
    memory::store_rounded(solution, 0, s_eta, f.surface, queue_, box, &staging);
    for (std::size_t p = 0; p < f.u.size(); ++p) {
      const double depth = f.surface[p] - f.bed[p];
      f.u[p] *= depth;
      f.v[p] *= depth;
    }
    memory::store_rounded(solution, 0, s_hu, f.u, queue_, box, &staging);
    memory::store_rounded(solution, 0, s_hv, f.v, queue_, box, &staging);
  });
  beginning_.reset();
}

// The bed is that of this grid: water that another one had below it is not there, and land that it had dry may lie lower here.
void ShallowWaterSystem::adopt_state(bool same_cells) {
  memory::State& solution = state();
  memory::Buffer staging;
  for_each_slab([&](const Box& box) {
    const Cells cells =
        sphere_ ? cells_of_sphere(sphere_->grid(), domain_->box(0)) : cells_of_rows(box);
    std::vector<double> bed = sphere_ ? sphere_fields(sphere_->grid(), domain_->box(0)).bed
                                      : values_of(cells, bed_place_, bed_text_);
    std::array<std::vector<double>, n_variables> stored;
    for (int v = 0; v < n_variables; ++v)
      stored[static_cast<std::size_t>(v)] = memory::box_as_doubles(solution, 0, v, box, queue_);
    for (std::size_t p = 0; p < bed.size(); ++p) {
      if (precision_ == Precision::single_) bed[p] = static_cast<float>(bed[p]);
      const double depth = stored[s_eta][p] - bed[p];
      if (!traits_.wet_dry && !(depth > 0)) {
        throw config::error_at(
            surface_place_,
            fmt::format("the depth is {:g} at {}: the bed there is at {:g}, and the surface of "
                        "start.from at {:g}",
                        depth, cells.name(p), bed[p], stored[s_eta][p]),
            "give a bed below that surface, or set numerics.wet_dry = true");
      }
      if (depth < 0) stored[s_eta][p] = bed[p];
      const bool dry = depth <= (same_cells ? 0.0 : flow_.dry_depth);
      if (traits_.wet_dry && dry && depth != 0) stored[s_hu][p] = stored[s_hv][p] = 0;
    }
    for (int v = 0; v < n_variables; ++v)
      memory::store_rounded(solution, 0, v, stored[static_cast<std::size_t>(v)], queue_, box,
                            &staging);
  });
}

// The bed, which no stage changes, with its ghosts on the device.
void ShallowWaterSystem::fill_bed() {
  if (flat()) return;
  memory::Buffer staging;
  for_each_slab([&](const Box& box) {
    const std::vector<double> values = sphere_
                                           ? sphere_fields(sphere_->grid(), domain_->box(0)).bed
                                           : values_of(cells_of_rows(box), bed_place_, bed_text_);
    memory::store_rounded(fixed_, 0, 0, values, queue_, box, &staging);
  });
  if (streamed()) return;
  make_exchange(fixed_).fill(fixed_, 0, queue_);
  exec::Launch l = launch(0, 0);
  if (sphere_) {
    sphere_->couple(*loops_, l, true);
  } else {
    l.registers.layout = &fixed_.layout(0);
    l.registers.out = fixed_.start(0);
    loops_->fill_bed(l, tables_.sides());
  }
  synchronize(queue_);
}

// By a look at some cells; waves on a coarse sphere are as fast as those of the fine one.
double ShallowWaterSystem::estimate_step(const config::Input&) const {
  double largest = 0;
  const auto look = [&](const Fields& f, const auto& flow, const auto& place_of) {
    for (std::size_t p = 0; p < f.bed.size(); ++p) {
      const double h = f.surface[p] - f.bed[p];
      const Conserved<double> stored{{f.surface[p], h * f.u[p], h * f.v[p]}};
      largest = std::max(largest, flow.signal(stored, f.bed[p], place_of(p)));
    }
  };
  if (sphere_) {
    const std::int64_t n = std::min<std::int64_t>(sphere_->n(), 24);
    const Box box{{0, 0, 0}, {n, n, mesh::panels}};
    const mesh::AngleTable table = mesh::angle_table(n, 0.5, 0, 0);
    Flow<double, Traits{.sphere = true, .general = true}> flow{flow_, case_.panel};
    flow.mesh.tables.tan_centre = {table.tan.data()};
    flow.mesh.tables.cos2_centre = {table.cos2.data()};
    look(sphere_fields(mesh::PanelGrid(n), box), flow, [&](std::size_t p) {
      const Index3 at = cell_of(box, p);
      return exec::PlanePlace{static_cast<int>(at[0]), static_cast<int>(at[1]), 0};
    });
  } else {
    const Flow<double, Traits{.general = true, .wet_dry = true}> flow{flow_, case_.plane};
    const auto coarse = systems::coarse_coordinates(systems::coordinates_of(grid_.cells, 0), 48);
    look(plane_fields(cells_of_plane(coarse, {0, 0, 0}, 1)), flow,
         [](std::size_t) { return exec::PlanePlace{}; });
  }
  return step_of(largest);
}

}  // namespace watersmeet::shallow_water
