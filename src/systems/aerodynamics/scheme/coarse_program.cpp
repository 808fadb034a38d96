// The order of a program's operations: the cycle of multigrid.cpp. Where its numbers lie on a GPU.
#include "systems/aerodynamics/scheme/coarse_program.hpp"

#include <algorithm>
#include <array>

namespace watersmeet::aerodynamics {

namespace {

class Writer {
 public:
  explicit Writer(const ProgramShape& shape) : shape_(shape) {}

  void cycle(int grid, bool forced) {
    const int coarsest = shape_.grids - 1;
    if (grid == coarsest) {
      smooth(grid, forced);
      return;
    }
    for (int s = 0; s < shape_.pre; ++s) smooth(grid, forced);
    const int visits = grid + 1 < coarsest ? shape_.visits : 1;
    for (int v = 0; v < visits; ++v) {
      add(ProgramKind::residual, grid, forced, solution(grid));
      solution(grid + 1) = 0;
      add(ProgramKind::descend, grid + 1, false, solution(grid));
      add(ProgramKind::forcing, grid + 1, false, solution(grid + 1));
      cycle(grid + 1, true);
      add(ProgramKind::ascend, grid, false, solution(grid + 1));
    }
    for (int s = 0; s < shape_.post; ++s) smooth(grid, forced);
  }

  CoarseCycle result() const { return {ops_, solution_[0]}; }

 private:
  void smooth(int grid, bool forced) {
    for (int s = 0; s < CoarseProgram<double>::n_stages; ++s) {
      add(ProgramKind::stage, grid, forced, solution(grid), s);
    }
    solution(grid) = 1 - solution(grid);
  }
  int& solution(int grid) { return solution_[static_cast<std::size_t>(grid)]; }
  void add(ProgramKind kind, int grid, bool forced, int from, int stage = 0) {
    ops_.push_back({kind, static_cast<std::uint8_t>(grid), static_cast<std::uint8_t>(stage),
                    static_cast<std::uint8_t>(forced), static_cast<std::uint8_t>(solution(grid)),
                    static_cast<std::uint8_t>(from)});
  }

  ProgramShape shape_;
  std::vector<ProgramOp> ops_;
  std::array<int, most_program_grids> solution_{};
};

}  // namespace

CoarseCycle coarse_cycle(const ProgramShape& shape, bool forced) {
  Writer writer(shape);
  writer.cycle(0, forced);
  return writer.result();
}

ProgramPlan plan_program(std::span<const ProgramGridSize> grids, int directions,
                         std::size_t bytes_of_number, const ProgramRoom& room) {
  // Up to here one thread block, whose threads wait for each other alone, is as fast as a cluster.
  constexpr std::int64_t most_alone = 128;
  ProgramPlan plan;
  if (room.blocks == 0) return plan;
  plan.blocks = room.blocks;
  plan.directions = directions;
  const auto numbers = static_cast<std::size_t>(ProgramShare::area) +
                       static_cast<std::size_t>(ProgramShare::area_size * directions);
  std::size_t bytes = 0;
  const auto take = [&](std::size_t size) {
    const auto place = static_cast<std::int32_t>(bytes);
    bytes += (size + 15) / 16 * 16;
    return place;
  };
  for (const ProgramGridSize& grid : grids) {
    ProgramShare share;
    const std::int64_t parts = grid.nodes <= most_alone ? 1 : room.blocks;
    const std::int64_t chunk = std::max<std::int64_t>((grid.nodes + parts - 1) / parts, 2);
    if (chunk > std::int64_t{1} << ProgramShare::slot_bits) return {};
    share.chunk = static_cast<std::int32_t>(chunk);
    share.inverse = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / chunk + 1);
    // The longest list that a thread block has.
    std::int32_t sides = 0, surfaces = 0;
    const auto& nodes = grid.side_nodes;
    for (int block = 0; block < room.blocks; ++block) {
      const auto end = std::lower_bound(nodes.begin(), nodes.end(), (block + 1) * chunk);
      const std::int32_t first = share.first_side[block],
                         last = static_cast<std::int32_t>(end - nodes.begin());
      share.first_side[block + 1] = last;
      const auto surface = [&](std::int32_t side) {
        return grid.first_surface[static_cast<std::size_t>(side)];
      };
      sides = std::max(sides, last - first);
      surfaces = std::max(surfaces, surface(last) - surface(first));
    }
    const auto slots = static_cast<std::size_t>(chunk);
    share.numbers = take(numbers * slots * bytes_of_number);
    share.neighbours = take(slots * sizeof(ProgramNeighbours));
    share.sides = take(static_cast<std::size_t>(sides) * sizeof(ProgramSide));
    share.surfaces = take(static_cast<std::size_t>(surfaces) * sizeof(Surface));
    plan.shares.push_back(share);
  }
  plan.bytes = bytes;
  if (bytes > room.bytes) return {};
  return plan;
}

}  // namespace watersmeet::aerodynamics
