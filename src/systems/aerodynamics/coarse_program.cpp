// The order of a program's operations: the cycle of multigrid.cpp.
#include "systems/aerodynamics/coarse_program.hpp"

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

}  // namespace watersmeet::aerodynamics
