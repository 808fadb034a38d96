#pragma once
// The face forms as a launch an axis with a thread a cell, on CUDA (exec/strategy.hpp): the
// strategies as template parameters of one kernel. The first launch of a stage leaves the rates in
// `out`, the others add to them, and the last one updates, so that the bits are those of every
// other schedule.
//
// A form is what exec/plane_axis_cuda.hpp and exec/face_axis_cuda.hpp make of a scheme:
//   static constexpr int axes, variables, states, edge_values, records
//   Vec<R, states> state(arrays, load, place) const        from memory, `load` being Load below
//   EdgeValues<Vec<R, edge_values>> edges<axis>(state of the cell below, its own, above, place,
//                                      other) const, where other(place) is the state of any cell
//   Vec<R, records> flux<axis>(upper edge below, lower edge above, R dt, place above) const
//   void add<axis>(rate, lower record, upper record, edges, state, place) const
//   R close(arrays, update, rate, state, place, R dt) const            the signal, or 0
//
// Needs all axes of the scheme active, and ghosts two cells deep.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "exec/axis_tuning.hpp"
#include "exec/cell_map_cuda.hpp"
#include "exec/check_cuda.hpp"
#include "exec/face.hpp"
#include "schemes/edge_values.hpp"

namespace watersmeet::exec {

template <class R>
__device__ __forceinline__ std::int64_t offset_of(const CellArrays<R>& a, Place at) {
  return at.i + at.j * a.stride_j + at.k * a.stride_k;
}

namespace detail {

template <int axis>
__device__ __forceinline__ Place moved(Place at, int cells) {
  (axis == 0 ? at.i : axis == 1 ? at.j : at.k) += cells;
  return at;
}

// How values come from memory: nothing writes them during a launch.
template <bool read_only>
struct Load {
  template <class R>
  __device__ __forceinline__ R operator()(const R* from) const {
    if constexpr (read_only) return __ldg(from);
    return *from;
  }
};

}  // namespace detail

template <class R, class Form, class Shape, int axis>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    axis_kernel(const __grid_constant__ CellArrays<R> a,
                const __grid_constant__ StageUpdate<R> update, const __grid_constant__ Form form,
                Clock* const clock, const __grid_constant__ AxisPlan plan) {
  constexpr bool closes = axis == Form::axes - 1;
  using Edge = Vec<R, Form::edge_values>;
  if (!clock->active) return;
  const R dt = R(clock->dt);

  const int thread = int(threadIdx.x);
  const AxisCell mine = axis_cell<Shape, axis>(plan, a.lower, a.upper, int(blockIdx.x), thread);
  const Place at{mine.at[0], mine.at[1], mine.at[2]};

  const auto state = [&](Place where) {
    return form.state(a, detail::Load<Shape::tuned>{}, where);
  };
  const auto neighbour = [&](int cells) { return state(detail::moved<axis>(at, cells)); };
  const Vec<R, Form::states> below = neighbour(-1), here = state(at), above = neighbour(1);
  const schemes::EdgeValues<Edge> own = form.template edges<axis>(below, here, above, at, state);
  const auto edge_below = [&] {
    const Place there = detail::moved<axis>(at, -1);
    return form.template edges<axis>(neighbour(-2), below, here, there, state).upper;
  };
  const auto edge_above = [&] {
    const Place there = detail::moved<axis>(at, 1);
    return form.template edges<axis>(here, above, neighbour(2), there, state).lower;
  };

  Edge from_below, from_above;
  if constexpr (Shape::source == NeighbourSource::none) {
    from_below = edge_below();
    from_above = edge_above();
  } else if constexpr (Shape::source == NeighbourSource::shuffle) {
#pragma unroll
    for (int v = 0; v < Form::edge_values; ++v) {
      from_below[v] = __shfl_up_sync(0xffffffffu, own.upper[v], Shape::beside);
      from_above[v] = __shfl_down_sync(0xffffffffu, own.lower[v], Shape::beside);
    }
    if constexpr (!Shape::halo_threads) {
      if (mine.at_lower_end) {
        from_below = edge_below();
      } else if (mine.at_upper_end) {
        from_above = edge_above();
      }
    }
  } else {
    // A group of upper and one of lower edges for every value, so that all meet once.
    __shared__ R uppers[Form::edge_values][Shape::slots], lowers[Form::edge_values][Shape::slots];
    const int slot = thread / Shape::group * Shape::pitch + thread % Shape::group + Shape::beside;
    const auto put = [&](auto& store, int where, const Edge& edge) {
#pragma unroll
      for (int v = 0; v < Form::edge_values; ++v) store[v][where] = edge[v];
    };
    put(uppers, slot, own.upper);
    put(lowers, slot, own.lower);
    if constexpr (!Shape::halo_threads) {
      if (mine.at_lower_end) {
        put(uppers, slot - Shape::beside, edge_below());
      } else if (mine.at_upper_end) {
        put(lowers, slot + Shape::beside, edge_above());
      }
    }
    __syncthreads();
#pragma unroll
    for (int v = 0; v < Form::edge_values; ++v) {
      from_below[v] = uppers[v][slot - Shape::beside];
      from_above[v] = lowers[v][slot + Shape::beside];
    }
  }

  R signal = R(0);
  if (mine.updates) {
    const auto lower = form.template flux<axis>(from_below, own.lower, dt, at);
    const auto upper =
        form.template flux<axis>(own.upper, from_above, dt, detail::moved<axis>(at, 1));
    const std::int64_t offset = offset_of(a, at);
    Vec<R, Form::variables> rate{};
    if constexpr (axis > 0) {
#pragma unroll
      for (int v = 0; v < Form::variables; ++v) rate[v] = a.out[v * a.stride_var + offset];
    }
    form.template add<axis>(rate, lower, upper, own, here, at);
    if constexpr (closes) {
      signal = form.close(a, update, rate, here, at, dt);
    } else {
#pragma unroll
      for (int v = 0; v < Form::variables; ++v) a.out[v * a.stride_var + offset] = rate[v];
    }
  }
  if constexpr (closes) {
    if (update.last) report_block(clock, signal, 0);
  }
}

namespace detail {

template <class R, class Form, class Shape, int axis>
KernelReport axis_report() {
  const auto kernel = axis_kernel<R, Form, Shape, axis>;
  if (Shape::tuned && Shape::source != NeighbourSource::shared) {
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    int(cudaSharedmemCarveoutMaxL1)),
               "cannot prefer the cache to shared memory");
  }
  KernelReport r = report_kernel(kernel, Shape::threads, 0);
  r.name = name_of(Strategy{Shape::source, Shape::halo_threads, Shape::tuned});
  return r;
}

template <class R, class Form, class Shape, int axis>
void launch_axis(const CellArrays<R>& a, const StageUpdate<R>& update, const Form& form,
                 Clock* clock, const Queue& queue) {
  const int threads = of_device([] { return axis_report<R, Form, Shape, axis>().threads; });
  const AxisPlan plan = axis_plan<Shape>(axis, a.lower, a.upper);
  require(plan.blocks() < (1LL << 31), "more blocks than a launch has");
  axis_kernel<R, Form, Shape, axis>
      <<<unsigned(plan.blocks()), threads, 0, static_cast<cudaStream_t>(queue.stream)>>>(
          a, update, form, clock, plan);
  check_cuda(cudaGetLastError(), "cannot launch the faces of an axis");
}

}  // namespace detail

// One stage over the box of `a` by one of the strategies, with numbers of axis_tuning.hpp unless
// others are given.
template <NeighbourSource source, bool halo_threads, bool tuned, class GivenTuning = void>
struct AxisStage {
  template <class Form>
  using Tuning =
      std::conditional_t<std::is_void_v<GivenTuning>,
                         AxisTuning<Form::axes, source, halo_threads, tuned>, GivenTuning>;
  template <class Form, int axis>
  using Shape = AxisShape<Tuning<Form>, source, halo_threads, tuned, axis>;

  template <class R, class Form>
  static void run(const CellArrays<R>& a, const StageUpdate<R>& update, const Form& form,
                  Clock* clock, const Queue& queue) {
    require(update.form != UpdateForm::two, "launches an axis carry their rates in `out`");
    for (int axis = 0; axis < 3; ++axis) {
      if (a.upper[axis] <= a.lower[axis]) return;
      require(axis >= Form::axes || form.active(axis), "a launch for every axis of the scheme");
    }
    detail::launch_axis<R, Form, Shape<Form, 0>, 0>(a, update, form, clock, queue);
    detail::launch_axis<R, Form, Shape<Form, 1>, 1>(a, update, form, clock, queue);
    if constexpr (Form::axes == 3) {
      detail::launch_axis<R, Form, Shape<Form, 2>, 2>(a, update, form, clock, queue);
    }
  }

  template <class R, class Form>
  static std::vector<KernelReport> reports() {
    std::vector<KernelReport> all = {detail::axis_report<R, Form, Shape<Form, 0>, 0>(),
                                     detail::axis_report<R, Form, Shape<Form, 1>, 1>()};
    if constexpr (Form::axes == 3) {
      all.push_back(detail::axis_report<R, Form, Shape<Form, 2>, 2>());
    }
    return all;
  }
};

// call(AxisStage<...>) of the choice.
template <class Call>
auto with_axis_stage(const Strategy& choice, const Call& call) {
  if (choice.source == NeighbourSource::shared) {
    if (choice.halo_threads) return call(AxisStage<NeighbourSource::shared, true, true>{});
    return call(AxisStage<NeighbourSource::shared, false, true>{});
  }
  if (choice.source == NeighbourSource::shuffle) {
    if (choice.halo_threads) return call(AxisStage<NeighbourSource::shuffle, true, true>{});
    return call(AxisStage<NeighbourSource::shuffle, false, true>{});
  }
  if (choice.tuned) return call(AxisStage<NeighbourSource::none, false, true>{});
  return call(AxisStage<NeighbourSource::none, false, false>{});
}

}  // namespace watersmeet::exec
