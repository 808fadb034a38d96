// A direct solve: the stages one after the other on one array of modes.
#include "solve/poisson/direct.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "solve/poisson/columns_loops.hpp"
#include "solve/poisson/dense_loops.hpp"
#include "solve/poisson/dense_modes.hpp"
#include "solve/poisson/line_plan.hpp"
#include "solve/poisson/slab_exchange.hpp"
#include "solve/poisson/stages.hpp"

namespace watersmeet::solve {

namespace {
// An axis of one cell needs no transform: its only mode is the cell.
bool transformed(const PoissonProblem& problem, int axis) {
  return problem.cells[static_cast<std::size_t>(axis)] > 1;
}

bool needs_dense(const PoissonProblem& problem, int axis) {
  if (!transformed(problem, axis)) return false;
  const std::int64_t n = problem.cells[static_cast<std::size_t>(axis)];
  return problem.stretched(axis) ||
         (n <= most_dense_cells && largest_prime_factor(n) > largest_radix);
}

std::unique_ptr<AxisTransform> make_transform(const PoissonProblem& problem, PoissonMethod method,
                                              int axis, const Index3& cells, Precision precision,
                                              const Queue& queue) {
  if (dense_along(problem, method, axis)) {
    return make_dense_transform(problem, axis, cells, precision, queue);
  }
  return make_line_transform(problem, axis, cells, precision, queue);
}

// Slabs of the whole, from the bottom to the top.
void cut_columns(ColumnPlan& plan, const comm::Domain& domain) {
  std::vector<mesh::Part> parts = domain.parts;
  std::sort(parts.begin(), parts.end(), [](const mesh::Part& a, const mesh::Part& b) {
    return a.box.lower[2] < b.box.lower[2];
  });
  plan.first = {0};
  plan.ranks.clear();
  for (std::size_t s = 0; s < parts.size(); ++s) {
    plan.first.push_back(parts[s].box.upper[2]);
    plan.ranks.push_back(parts[s].rank);
    if (parts[s].box == domain.box(0)) plan.mine = static_cast<int>(s);
  }
}

// Fewer cells are in the cache anyway, and thread blocks that wait for each other cost more than
// launches: on an H200 in double precision a step of Boussinesq convection on 128 x 128 x 64 cells
// took 0.192 ms by planes and 0.180 ms line by line (watersmeet bench boussinesq).
constexpr std::int64_t least_cells_of_planes = 4 * 1024 * 1024;

// The array of modes. On a CPU rows and planes that are apart by a multiple of 1 KiB would fall into few sets of the caches, where a line along
// y or a column pushes out itself: they are 128 bytes longer. A step of Boussinesq convection on 128^3 cells took 7 % less time with it.
struct ModeStrides {
  std::int64_t row, plane;  // elements
};
ModeStrides mode_strides(const Index3& cells, Precision precision, Backend backend) {
  const std::int64_t line = 128 / static_cast<std::int64_t>(size_of(precision));
  const auto apart = [&](std::int64_t stride) {
    return backend == Backend::cpu && stride % (8 * line) == 0 ? stride + line : stride;
  };
  const std::int64_t row = apart(mode_pitch(cells[0], precision));
  return {row, apart(row * cells[1])};
}

class DirectSolver final : public PoissonSolver {
 public:
  DirectSolver(const PoissonProblem& problem, PoissonMethod method, const PoissonPlace& place)
      : method_(method),
        queue_(place.queue),
        precision_(place.precision),
        cells_(place.domain->block(0).n) {
    std::array<std::vector<double>, 2> mu;
    for (int axis = 0; axis < 2; ++axis) {
      auto transform = make_transform(problem, method, axis, cells_, precision_, queue_);
      mu[static_cast<std::size_t>(axis)] = transform->eigenvalues();
      if (!transformed(problem, axis)) continue;
      names_ +=
          fmt::format("{}{} in {}", names_.empty() ? "" : ", ", transform->name(), "xyz"[axis]);
      transforms_.push_back(std::move(transform));
    }
    // Something must carry the values into the array of modes and back: a transform of one point.
    if (transforms_.empty()) {
      transforms_.push_back(make_line_transform(problem, 0, cells_, precision_, queue_));
    }
    if (queue_.backend == Backend::cuda && transforms_.size() == 2 &&
        cells_[0] * cells_[1] * cells_[2] >= least_cells_of_planes &&
        !dense_along(problem, method, 0) && !dense_along(problem, method, 1)) {
      plane_ = make_plane_transform(problem, cells_, precision_, queue_);
    }
    make_arrays();
    ColumnPlan plan(problem, mu[0], mu[1]);
    cut_columns(plan, *place.domain);
    columns_ = make_columns(plan, precision_, *place.team, queue_);
  }

  PoissonMethod method() const override { return method_; }
  std::string describe() const override {
    return names_.empty() ? "tridiagonal in z" : names_ + ", tridiagonal in z";
  }
  PoissonRecord record() const override {
    synchronize(queue_);
    return {};
  }
  bool takes_faces() const override { return plane_ != nullptr; }

  void solve(const PoissonFields& fields, const PoissonStop&) override {
    memory::State& state = *fields.state;
    require(state.precision() == precision_, "a solver made for another precision");
    const auto array_of = [&](int reg) {
      const BlockLayout& l = state.layout(0);
      char* const start = static_cast<char*>(state.start(reg));
      return CellArray{start + static_cast<std::size_t>(l.first) * size_of(precision_), l.stride[1],
                       l.stride[2]};
    };
    if (plane_) {
      solve_by_planes(array_of(fields.rhs), array_of(fields.solution), fields);
      return;
    }
    CellArray from = array_of(fields.rhs);
    std::size_t now = arrays_.size() - 1;  // the array that holds the modes
    const auto next = [&](const AxisTransform& transform) {
      return transform.in_place() ? now : arrays_.size() - 1 - now;
    };
    for (const auto& transform : transforms_) {
      now = next(*transform);
      transform->forward(from, arrays_[now]);
      from = arrays_[now];
    }
    columns_->solve(arrays_[now]);
    for (std::size_t t = transforms_.size(); t-- > 1;) {
      const std::size_t to = next(*transforms_[t]);
      transforms_[t]->backward(arrays_[now], arrays_[to], nullptr);
      now = to;
    }
    const CellArray phi = array_of(fields.solution);
    if (fields.clock && !transforms_[0]->in_place()) {
      const CellArray& held = arrays_[next(*transforms_[0])];
      transforms_[0]->backward(arrays_[now], held, nullptr);
      copy_if_active_cuda(held, phi, cells_, precision_, fields.clock, queue_);
    } else {
      transforms_[0]->backward(arrays_[now], phi, fields.clock);
    }
    state.set_valid_ghosts(fields.solution, 0);
  }

 private:
  void solve_by_planes(const CellArray& rhs, const CellArray& phi, const PoissonFields& fields) {
    if (fields.faces != nullptr) {
      plane_->forward(*fields.faces, arrays_[0]);
    } else {
      plane_->forward(rhs, arrays_[0]);
    }
    columns_->solve(arrays_[0]);
    plane_->backward(arrays_[0], phi, fields.clock);
    fields.state->set_valid_ghosts(fields.solution, 0);
  }

  // One array of modes, or two for transforms that do not work in place.
  void make_arrays() {
    const ModeStrides strides = mode_strides(cells_, precision_, queue_.backend);
    bool in_place = true;
    for (const auto& transform : transforms_) in_place = in_place && transform->in_place();
    for (int a = 0; a < (in_place ? 1 : 2); ++a) {
      modes_.emplace_back(
          memory::working_space(queue_.backend),
          static_cast<std::size_t>(strides.plane * cells_[2]) * size_of(precision_));
      fill_bytes(modes_.back().start(), 0, modes_.back().bytes(), queue_);
      arrays_.push_back({modes_.back().start(), strides.row, strides.plane});
    }
  }

  PoissonMethod method_;
  Queue queue_;
  Precision precision_;
  Index3 cells_;  // of this rank's part
  std::string names_;
  std::vector<memory::Buffer> modes_;
  std::vector<CellArray> arrays_;
  std::vector<std::unique_ptr<AxisTransform>> transforms_;  // forwards
  std::unique_ptr<PlaneTransform> plane_;                   // instead of two of lines
  std::unique_ptr<ColumnSolver> columns_;
};
}  // namespace

bool fast_along_both(const PoissonProblem& problem) {
  return !needs_dense(problem, 0) && !needs_dense(problem, 1);
}

bool dense_along(const PoissonProblem& problem, PoissonMethod method, int axis) {
  return method == PoissonMethod::gemm && transformed(problem, axis) &&
         (needs_dense(problem, axis) || fast_along_both(problem));
}

comm::Traffic direct_traffic(const PoissonProblem& problem, Precision precision,
                             const comm::Domain& domain) {
  std::int64_t thickest = 0;
  for (const mesh::Part& part : domain.parts) thickest = std::max(thickest, part.box.size(2));
  const std::int64_t modes = mode_pitch(problem.cells[0], precision) * problem.cells[1];
  const double others = static_cast<double>(domain.parts.size()) - 1;
  comm::Traffic traffic;
  traffic.add(1,
              {others * static_cast<double>(SlabExchange::message_bytes(
                            static_cast<std::size_t>(2 * modes + thickest) * size_of(precision))),
               others});
  return traffic;
}

std::unique_ptr<PoissonSolver> make_direct_solver(const PoissonProblem& problem,
                                                  PoissonMethod method, const PoissonPlace& place) {
  return std::make_unique<DirectSolver>(problem, method, place);
}

std::size_t direct_bytes(const PoissonProblem& problem, PoissonMethod method, const Index3& part,
                         Precision precision, Backend backend) {
  const std::size_t array =
      static_cast<std::size_t>(mode_strides(part, precision, backend).plane * part[2]);
  std::size_t tables = 0, arrays = 1, workspace = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const std::size_t n = static_cast<std::size_t>(problem.cells[static_cast<std::size_t>(axis)]);
    const bool dense = dense_along(problem, method, axis);
    tables += dense ? 2 * n * n : 8 * n;
    if (!dense || backend == Backend::cpu) continue;
    arrays = 2;
    workspace += dense_workspace_bytes;
  }
  if (backend == Backend::cuda) arrays += column_arrays_cuda(part[2]);
  return (arrays * array + tables) * size_of(precision) + workspace;
}

}  // namespace watersmeet::solve
