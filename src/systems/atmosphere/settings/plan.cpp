// Estimates before anything is allocated: sizes in memory, and the bytes that a step moves.
#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

std::vector<memory::BlockShape> AtmosphereSystem::shapes(const Index3& cells) const {
  memory::BlockShape shape{cells, {}};
  // x keeps its ghosts even with one cell: packs are loaded along x.
  shape.ghosts = {ghosts, cells[1] == 1 ? 0 : ghosts, ghosts};
  return {shape};
}

systems::MemoryNeed AtmosphereSystem::memory_needed(const Index3& cells) const {
  systems::MemoryNeed need;
  need.working_bytes =
      memory::State::bytes_needed(shapes(cells), n_variables, registers(), precision_);
  need.working_bytes += bytes_of_sources(cells);
  if (globe_) need.working_bytes += globe_->bytes_needed(cells[2] / globe_->levels(), precision_);
  if (split()) {
    need.working_bytes +=
        memory::State::bytes_needed(shapes(cells), elimination_values, 1, precision_);
  }
  if (diffuses()) {
    need.working_bytes +=
        memory::State::bytes_needed(shapes(cells), diffusing_values, 1, precision_);
  }
  if (!globe_ && traits_.terrain) {
    need.working_bytes += static_cast<std::size_t>((cells[0] + 71) * (cells[1] + 7)) *
                          column_values * size_of(precision_);
  }
  return need;
}

// Across y: columns stay whole, and tables by level and by x are those of the part.
systems::Streaming AtmosphereSystem::streaming(const Index3& cells) const {
  if (globe_) return {"the panels of a sphere are coupled before every stage", {}};
  if (split())
    return {"time.scheme = \"hevi\" has stages that are not computed plane by plane", {}};
  // The values that diffuse over terrain are as many as those of a register.
  static_assert(int{diffusing_values} == int{n_variables});
  stream::Demand demand =
      demand_of(shapes(cells).front(), n_variables, registers() + (diffuses() ? 1 : 0), 1);
  // Sources over terrain keep the heights and the reference in the memory of the kernels, and sides keep what the case gives beyond them.
  demand.kept_bytes = bytes_of_sources(cells);
  demand.signal_pass = true;
  return {"", demand, diffuses() ? "over terrain, physics.viscosity acts after each stage" : ""};
}

double AtmosphereSystem::bytes_per_point_step() const {
  // Every stage reads two registers and writes one. The first solution for columns reads two up and down and writes one; the second reads three up,
  // four down and writes two; what an elimination leaves is written and read.
  if (split()) {
    constexpr int registers_moved = 3 * 3 + (2 + 2 + 1) + (3 + 4 + 2);
    return (registers_moved * n_variables + 2 * 2 * elimination_values) *
           static_cast<double>(size_of(precision_));
  }
  // Its values are written and read, and the stage is read and written again.
  const int words = diffuses() ? stages() * 5 * n_variables : 0;
  return StagedSystem::bytes_per_point_step() + words * static_cast<double>(size_of(precision_));
}

double AtmosphereSystem::cell_volume() const {
  if (globe_) return globe_->area() * globe_->level_thickness();
  const mesh::Uniform& g = request_.ground.geometry;
  return g.spacing[0] * g.spacing[1] * g.spacing[2];
}

}  // namespace watersmeet::atmosphere
