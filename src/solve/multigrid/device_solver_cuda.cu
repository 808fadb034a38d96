// The solve as a graph, and the one-thread kernels that decide.
#include <algorithm>

#include "core/error.hpp"
#include "exec/clock_access.hpp"
#include "solve/multigrid/device_cycle.hpp"
#include "solve/multigrid/device_solver.hpp"
#include "solve/multigrid/field_access.hpp"
#include "solve/multigrid/graph_cuda.hpp"
#include "solve/multigrid/host_control.hpp"
#include "solve/multigrid/outer_cuda.hpp"

namespace watersmeet::solve {

#if CUDART_VERSION >= 12040

namespace detail {

// What this solve is about. A solve that does not happen leaves the record of the one before.
static __global__ void aim_kernel(DeviceControl* control, void* solution, void* right_side,
                                  double limit, int most_cycles, bool from_zero,
                                  const exec::Clock* clock) {
  control->solution = solution;
  control->right_side = right_side;
  control->in_spare = 0;
  control->from_zero = from_zero ? 1 : 0;
  control->carried_out = clock == nullptr || clock->active != 0 ? 1 : 0;
  control->solve.running = 0;
  if (!control->carried_out) return;
  control->solve.limit = limit;
  control->solve.most_cycles = most_cycles;
}

static __global__ void __launch_bounds__(measure_threads)
    begin_kernel(DeviceControl* control, const Measured* partial, bool singular, double volume) {
  if (!control->carried_out) return;
  const Measured right_side = sum_partial(partial);
  if (threadIdx.x != 0) return;
  SolveControl& c = control->solve;
  begin_solve(c, c.limit, c.most_cycles, singular ? right_side.sum / volume : 0.0,
              right_side.largest);
  control->largest[0] = control->largest[1] = 0;
}

// corrected: the residual is that of phi in the other array.
static __global__ void judge_kernel(DeviceControl* control, LoopGraph::Handle loop,
                                    bool corrected) {
  SolveControl& c = control->solve;
  if (c.running) {
    if (corrected) {
      control->in_spare = 1 - control->in_spare;
      control->from_zero = 0;
    }
    judge(c, exec::bits_to_double(control->largest[0]), exec::bits_to_double(control->largest[1]));
    control->largest[0] = control->largest[1] = 0;
  }
  cudaGraphSetConditional(loop, unsigned(c.running));
}

static __global__ void __launch_bounds__(measure_threads)
    mean_kernel(DeviceControl* control, const Measured* partial, double volume) {
  if (!control->carried_out) return;
  const Measured solution = sum_partial(partial);
  if (threadIdx.x == 0) control->solution_mean = solution.sum / volume;
}

}  // namespace detail

namespace {

template <class R, class C>
class DeviceMultigrid final : public PoissonSolver {
 public:
  DeviceMultigrid(const Hierarchy& hierarchy, const PoissonPlace& place,
                  const MultigridOptions& options)
      : hierarchy_(hierarchy),
        options_(options),
        queue_(place.queue),
        access_(hierarchy_.levels.front(), whole_level(hierarchy_.levels.front()), place),
        cycle_(hierarchy_.levels, {options.sweeps, options.half_sweeps, 0}, place.queue),
        spare_({{place.domain->block(0).n, place.domain->block(0).ghosts(1)}}, 1, 1,
               place.precision, place.queue),
        control_(MemorySpace::device, sizeof(DeviceControl)),
        partial_(MemorySpace::device, measure_blocks * sizeof(Measured)) {
    DeviceControl control;
    control.solve = control_of(hierarchy_.levels.front(), place.precision,
                               std::clamp(options.most_inner, 1, most_inner_cycles));
    control.spare = access_.arrays(spare_, 0, 0).u;
    copy_bytes(control_.start(), &control, sizeof control, queue_);
    synchronize(queue_);
  }

  PoissonMethod method() const override { return PoissonMethod::mg; }

  std::string describe() const override {
    return words_of(options_.sweeps, hierarchy_, sizeof(C) < sizeof(R)) + cycle_.describe();
  }

  void solve(const PoissonFields& fields, const PoissonStop& stop) override {
    const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
    if (!graph_) record_graph(a);
    detail::aim_kernel<<<1, 1, 0, detail::stream_of(queue_)>>>(control_.as<DeviceControl>(), a.u,
                                                               a.f, stop.limit, stop.most_cycles,
                                                               fields.from_zero, fields.clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
    graph_->launch(queue_);
    fields.state->set_valid_ghosts(fields.solution, 0);
    solved_ = true;
  }

  PoissonRecord record() const override {
    if (!solved_) return {};
    DeviceControl control;
    copy_bytes(&control, control_.start(), sizeof control, queue_);
    synchronize(queue_);
    return record_of(control.solve);
  }

 private:
  // The shape of `a` is that of all later solves; its places are taken from the control.
  void record_graph(const LevelArrays<R>& a) {
    const LevelArrays<R> spare = access_.arrays(spare_, 0, 0);
    require(std::equal(spare.stride, spare.stride + 3, a.stride),
            "fields of a Poisson solve have one ghost layer");
    DeviceControl* const control = control_.as<DeviceControl>();
    Measured* const partial = partial_.as<Measured>();
    auto* const largest = reinterpret_cast<unsigned long long*>(&control->largest[0]);
    const bool singular = hierarchy_.levels.front().problem.singular();
    const double volume = access_.volume();
    const auto judge = [&](const Queue& queue, detail::LoopGraph::Handle loop, bool corrected) {
      detail::judge_kernel<<<1, 1, 0, detail::stream_of(queue)>>>(control, loop, corrected);
      exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
    };
    graph_ = std::make_unique<detail::LoopGraph>(
        [&](const Queue& queue, detail::LoopGraph::Handle loop) {
          detail::queue_measure(a, access_.widths(), true, control, partial, queue);
          detail::begin_kernel<<<1, detail::measure_threads, 0, detail::stream_of(queue)>>>(
              control, partial, singular, volume);
          exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
          detail::queue_right_side(a, cycle_.finest(), largest, control, queue);
          detail::queue_residual<false>(a, 0, 1, cycle_.finest(), detail::CorrectionPlaces<C>{},
                                        largest, control, queue);
          judge(queue, loop, false);
        },
        [&](const Queue& queue, detail::LoopGraph::Handle loop) {
          detail::CorrectionPlaces<C> places;
          for (int c = 0; c < std::clamp(options_.most_inner, 1, most_inner_cycles); ++c) {
            places.after[c] = cycle_.queue_cycle(c == 0 ? Start::zero : Start::current,
                                                 {&control->solve, c}, queue);
          }
          detail::queue_residual<true>(a, 0, 1, cycle_.finest(), places, largest, control, queue);
          judge(queue, loop, true);
        },
        [&](const Queue& queue) {
          if (singular) {
            detail::queue_measure(a, access_.widths(), false, control, partial, queue);
            detail::mean_kernel<<<1, detail::measure_threads, 0, detail::stream_of(queue)>>>(
                control, partial, volume);
            exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
          }
          detail::queue_settle(a, singular, control, queue);
        });
  }

  Hierarchy hierarchy_;
  MultigridOptions options_;
  Queue queue_;
  FieldAccess<R> access_;
  DeviceCycle<C> cycle_;
  memory::State spare_;  // phi goes to and fro between the caller's array and this
  memory::Buffer control_, partial_;
  std::unique_ptr<detail::LoopGraph> graph_;
  bool solved_ = false;
};

}  // namespace

bool device_solver_built() { return true; }

std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy& hierarchy,
                                                  const PoissonPlace& place,
                                                  const MultigridOptions& options) {
  if (place.precision == Precision::single_) {
    return std::make_unique<DeviceMultigrid<float, float>>(hierarchy, place, options);
  }
  if (options.cycles == Precision::single_) {
    return std::make_unique<DeviceMultigrid<double, float>>(hierarchy, place, options);
  }
  return std::make_unique<DeviceMultigrid<double, double>>(hierarchy, place, options);
}

std::size_t device_solver_bytes(const Hierarchy& hierarchy, Precision precision,
                                const MultigridOptions& options) {
  const bool single = precision == Precision::single_ || options.cycles == Precision::single_;
  const Level& finest = hierarchy.levels.front();
  const std::size_t spare =
      memory::State::bytes_needed({block_shape(finest, whole_level(finest))}, 1, 1, precision);
  return spare + (single ? DeviceCycle<float>::bytes(hierarchy.levels)
                         : DeviceCycle<double>::bytes(hierarchy.levels));
}

#else

bool device_solver_built() { return false; }
std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy&, const PoissonPlace&,
                                                  const MultigridOptions&) {
  require(false, "this CUDA version has no conditional graph nodes");
  return nullptr;
}
std::size_t device_solver_bytes(const Hierarchy&, Precision, const MultigridOptions&) { return 0; }

#endif

}  // namespace watersmeet::solve
