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

// What the thread blocks of all ranks found, by one reduction of words: the maximum of the first, and the sum of each other one, which is the bits of
// a rank's sum there and 0 elsewhere. So all ranks add the same numbers in the same order.
static __global__ void __launch_bounds__(measure_threads)
    share_kernel(const Measured* partial, std::uint64_t* words, int rank, int ranks) {
  const Measured mine = sum_partial(partial);
  if (threadIdx.x != 0) return;
  words[0] = exec::double_to_bits(mine.largest);
  for (int r = 0; r < ranks; ++r) words[1 + r] = r == rank ? exec::bits_of(mine.sum) : 0;
}
// By a thread block; valid in thread 0. Of this rank alone without `words`.
__device__ inline Measured total(const Measured* partial, const std::uint64_t* words, int ranks) {
  if (words == nullptr) return sum_partial(partial);
  Measured all;
  all.largest = exec::bits_to_double(words[0]);
  for (int r = 0; r < ranks; ++r) all.sum += exec::bits_to_double(words[1 + r]);
  return all;
}

static __global__ void __launch_bounds__(measure_threads)
    begin_kernel(DeviceControl* control, const Measured* partial, const std::uint64_t* words,
                 int ranks, bool singular, double volume) {
  if (!control->carried_out) return;
  const Measured right_side = total(partial, words, ranks);
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

// branch[c]: of cycle c + 1 for this residual.
struct CycleBranches {
  LoopGraph::Handle branch[most_inner_cycles] = {};
};
static __global__ void choose_cycles_kernel(const DeviceControl* control, CycleBranches branches,
                                            int count) {
  for (int c = 0; c < count; ++c)
    cudaGraphSetConditional(branches.branch[c], control->solve.inner > c + 1 ? 1 : 0);
}

static __global__ void __launch_bounds__(measure_threads)
    mean_kernel(DeviceControl* control, const Measured* partial, const std::uint64_t* words,
                int ranks, double volume) {
  if (!control->carried_out) return;
  const Measured solution = total(partial, words, ranks);
  if (threadIdx.x == 0) control->solution_mean = solution.sum / volume;
}

}  // namespace detail

namespace {

template <class R, class C>
class DeviceMultigrid final : public PoissonSolver {
 public:
  // On one rank.
  DeviceMultigrid(const Hierarchy& hierarchy, const PoissonPlace& place,
                  const MultigridOptions& options)
      : DeviceMultigrid(hierarchy, whole_level(hierarchy.levels.front()), place, options) {
    cycle_ = std::make_unique<DeviceCycle<C>>(
        hierarchy_.levels, DeviceCycleOptions{options.sweeps, options.half_sweeps, 0}, place.queue);
  }
  // On several, by these slabs.
  DeviceMultigrid(const Hierarchy& hierarchy, const std::vector<LevelCut>& slabs,
                  const PoissonPlace& place, const MultigridOptions& options)
      : DeviceMultigrid(hierarchy, own_part(slabs, place), place, options) {
    team_ = place.team;
    gathered_ = static_cast<int>(slabs.size()) - 1;
    words_ = memory::Buffer(MemorySpace::device,
                            static_cast<std::size_t>(1 + team_->size()) * sizeof(std::uint64_t));
    cycle_ = std::make_unique<DeviceCycle<C>>(
        hierarchy_.levels, slabs,
        DeviceCycleOptions{.sweeps = options.sweeps, .halos_of_caller = true}, *place.team,
        place.queue);
  }

  PoissonMethod method() const override { return PoissonMethod::mg; }

  std::string describe() const override {
    return words_of(options_.sweeps, hierarchy_, sizeof(C) < sizeof(R), gathered_) +
           cycle_->describe();
  }

  void solve(const PoissonFields& fields, const PoissonStop& stop) override {
    const LevelArrays<R> a = access_.arrays(*fields.state, fields.solution, fields.rhs);
    if (!fields.from_zero) access_.fill_ghosts(*fields.state, fields.solution);
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
    if (team_ != nullptr) {
      Event done(queue_);
      done.record(queue_);
      team_->wait(done);
    }
    copy_bytes(&control, control_.start(), sizeof control, queue_);
    synchronize(queue_);
    return record_of(control.solve);
  }

 private:
  DeviceMultigrid(const Hierarchy& hierarchy, const LevelPart& part, const PoissonPlace& place,
                  const MultigridOptions& options)
      : hierarchy_(hierarchy),
        options_(options),
        queue_(place.queue),
        access_(hierarchy_.levels.front(), part, place),
        spare_({{place.domain->block(0).n, place.domain->block(0).ghosts(1)}}, 1, 1,
               place.precision, place.queue),
        control_(MemorySpace::device, sizeof(DeviceControl)),
        partial_(MemorySpace::device, measure_blocks * sizeof(Measured)) {
    options_.most_inner = std::clamp(options.most_inner, 1, most_inner_cycles);
    DeviceControl control;
    control.solve = control_of(hierarchy_.levels.front(), place.precision, options_.most_inner);
    control.spare = access_.arrays(spare_, 0, 0).u;
    copy_bytes(control_.start(), &control, sizeof control, queue_);
    synchronize(queue_);
  }

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
    auto* const words = team_ == nullptr ? nullptr : words_.as<std::uint64_t>();
    const int ranks = team_ == nullptr ? 1 : team_->size();
    const auto launched = [] {
      exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
    };
    const auto measure = [&](const Queue& queue, bool right_side) {
      detail::queue_measure(a, access_.widths(), right_side, control, partial, queue);
      if (team_ == nullptr) return;
      detail::share_kernel<<<1, detail::measure_threads, 0, detail::stream_of(queue)>>>(
          partial, words, team_->rank(), ranks);
      launched();
      team_->all_reduce(
          {words, 1}, {reinterpret_cast<std::int64_t*>(words + 1), static_cast<std::size_t>(ranks)},
          queue);
    };
    const auto judge = [&](const Queue& queue, detail::LoopGraph::Handle loop, bool corrected) {
      if (team_ != nullptr) team_->all_reduce(control->largest, {}, queue);
      detail::judge_kernel<<<1, 1, 0, detail::stream_of(queue)>>>(control, loop, corrected);
      launched();
    };
    graph_ = std::make_unique<detail::LoopGraph>(
        [&](const Queue& queue, detail::LoopGraph::Handle loop) {
          measure(queue, true);
          detail::begin_kernel<<<1, detail::measure_threads, 0, detail::stream_of(queue)>>>(
              control, partial, words, ranks, singular, volume);
          launched();
          detail::queue_right_side(a, cycle_->finest(), cycle_->far_right_side(), largest, control,
                                   queue);
          queue_residual<false>(a, {}, queue);
          judge(queue, loop, false);
        },
        [&](const Queue& queue, detail::LoopGraph::Handle loop) {
          queue_residual<true>(a, queue_cycles(queue), queue);
          judge(queue, loop, true);
        },
        [&](const Queue& queue) {
          if (singular) {
            measure(queue, false);
            detail::mean_kernel<<<1, detail::measure_threads, 0, detail::stream_of(queue)>>>(
                control, partial, words, ranks, volume);
            launched();
          }
          detail::queue_settle(a, singular, control, queue);
        });
  }

  template <bool corrects>
  void queue_residual(const LevelArrays<R>& a, const detail::CorrectionPlaces<C>& places,
                      const Queue& queue) const {
    DeviceControl* const control = control_.as<DeviceControl>();
    auto* const largest = reinterpret_cast<unsigned long long*>(&control->largest[0]);
    if (team_ == nullptr) {
      detail::queue_residual<corrects>(a, 0, 1, cycle_->finest(), places, largest, control, queue);
    } else {
      detail::queue_residual<corrects, true>(a, 0, 1, cycle_->finest(), places, largest, control,
                                             queue, cycle_->far_right_side());
    }
  }

  // Cycles between two residuals. A kernel of a cycle that is not needed ends at once; meetings and reductions of several ranks would not, so
  // that such cycles are branches.
  detail::CorrectionPlaces<C> queue_cycles(const Queue& queue) {
    const DeviceControl* const control = control_.as<DeviceControl>();
    detail::CorrectionPlaces<C> places;
    const int most = options_.most_inner;
    detail::CycleBranches branches;
    if (team_ != nullptr) {
      for (int c = 1; c < most; ++c) branches.branch[c - 1] = detail::LoopGraph::make_handle(queue);
      detail::choose_cycles_kernel<<<1, 1, 0, detail::stream_of(queue)>>>(control, branches,
                                                                          most - 1);
      exec::check_cuda(cudaGetLastError(), "cannot launch a multigrid kernel");
    }
    for (int c = 0; c < most; ++c) {
      const auto cycle = [&](const Queue& of_cycle) {
        places.after[c] = cycle_->queue_cycle(c == 0 ? Start::zero : Start::current,
                                              {&control->solve, c}, of_cycle);
      };
      if (team_ != nullptr && c > 0) {
        detail::LoopGraph::branch(queue, branches.branch[c - 1], cycle);
      } else {
        cycle(queue);
      }
    }
    cycle_->end_cycles(queue);
    return places;
  }

  Hierarchy hierarchy_;
  MultigridOptions options_;
  Queue queue_;
  FieldAccess<R> access_;
  std::unique_ptr<DeviceCycle<C>> cycle_;
  memory::State spare_;  // phi goes to and fro between the caller's array and this
  memory::Buffer control_, partial_, words_;
  comm::Team* team_ = nullptr;  // of several ranks
  int gathered_ = -1;           // the level that all of them have whole; -1: none
  std::unique_ptr<detail::LoopGraph> graph_;
  bool solved_ = false;
};

template <class R, class C>
std::unique_ptr<PoissonSolver> make(const Hierarchy& hierarchy, const PoissonPlace& place,
                                    const MultigridOptions& options) {
  if (place.domain->parts.size() == 1)
    return std::make_unique<DeviceMultigrid<R, C>>(hierarchy, place, options);
  const comm::Transport* const transport = place.team->transport();
  if (!place.team->all_on_gpus() || !transport->direct() || !transport->recordable())
    return nullptr;
  const std::vector<LevelCut> slabs = slab_cuts(
      hierarchy.levels, cut_levels(hierarchy, boxes_of(*place.domain)), options.sweeps, sizeof(C));
  if (slabs.empty()) return nullptr;
  return std::make_unique<DeviceMultigrid<R, C>>(hierarchy, slabs, place, options);
}

}  // namespace

bool device_solver_built() { return true; }

std::unique_ptr<PoissonSolver> make_device_solver(const Hierarchy& hierarchy,
                                                  const PoissonPlace& place,
                                                  const MultigridOptions& options) {
  if (place.precision == Precision::single_) return make<float, float>(hierarchy, place, options);
  if (options.cycles == Precision::single_) return make<double, float>(hierarchy, place, options);
  return make<double, double>(hierarchy, place, options);
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
