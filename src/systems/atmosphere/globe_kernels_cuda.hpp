#pragma once
// CUDA loops of the atmosphere on a cubed sphere for one precision and variant, each with an
// instantiation file of its own as in kernels_cuda.hpp.

#include <cstdint>

#include "exec/cell_map_cuda.hpp"
#include "exec/column_cuda.hpp"
#include "exec/face_sweep_cuda.hpp"
#include "exec/index_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/atmosphere/globe_launch.hpp"

namespace watersmeet::atmosphere {

// One thread.
static __global__ void begin_globe_step_kernel(const exec::StepRule rule, const double t_limit,
                                               const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

template <class R, GlobeVariant variant>
struct GlobeCudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_globe_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit,
                                                                                  allowed, clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  static void stage(const GlobeCall& call) {
    exec::face_stage_sweeps(arrays_of<R>(call), exec::rounded<R>(call.update),
                            flow_of<R, variant>(call), finish_of<R, variant>(call), call.clock,
                            call.queue);
  }
  static void couple(const GlobeCall& call) {
    const auto body = couple_of<R, variant, true>(call);
    exec::index_loop_cuda(body.count(), body, nullptr, true, call.queue);
  }
  static void copy_lines(const GlobeCall& call) {
    const CopyLines<R> body{edges_of<R>(call)};
    exec::index_loop_cuda(body.count(), body, nullptr, true, call.queue);
  }
  static void pack(const GlobeCall& call, void* message) {
    exec::index_loop_cuda(call.strips.count_here, pack_of<R>(call, message), nullptr, true,
                          call.queue);
  }
  static void unpack(const GlobeCall& call, const void* message) {
    exec::index_loop_cuda(call.strips.count_there, unpack_of<R>(call, message), nullptr, true,
                          call.queue);
  }
  static void solve_columns(const GlobeCall& call, const SplitCall& split) {
    const mesh::PanelPart& p = call.part;
    exec::column_loop_cuda<R>(p.size(0), p.size(1), p.panels_here,
                              columns_of<R, variant>(call, split), call.clock, call.queue);
  }

  static void damp(const GlobeCall& call) {
    const DampGlobe<R> body = damping_of<R>(call);
    exec::index_loop_cuda(body.count(), body, call.clock, false, call.queue);
  }

  static void measure(const GlobeCall& call, const GlobeProbeParameters& parameters,
                      double* largest) {
    exec::measure_cuda(arrays_of<R>(call), DiagnoseGlobe<R>{probe_of<R>(call, parameters)}, largest,
                       call.queue);
  }
  static void count(const GlobeCall& call, const GlobeProbeParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count_cuda(arrays_of<R>(call), DiagnoseGlobe<R>{probe_of<R>(call, parameters)}, scales,
                     high_low, call.queue);
  }
  static double signal(const GlobeCall& call) {
    double largest = 0;
    exec::measure_cuda(arrays_of<R>(call), signal_of<R, variant>(call), &largest, call.queue);
    return largest;
  }

  static void evaluate(const GlobeCall& call, const GlobeProbeParameters& parameters,
                       GlobeQuantity quantity, int components, void* packed) {
    exec::cell_pack_cuda(arrays_of<R>(call),
                         EvaluateGlobe<R>{quantity, probe_of<R>(call, parameters)},
                         exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static GlobeKernels table() {
    GlobeKernels k = {begin_step,
                      stage,
                      couple,
                      copy_lines,
                      pack,
                      unpack,
                      nullptr,
                      damp,
                      measure,
                      count,
                      signal,
                      evaluate,
                      exec::sweep_reports<R, GlobeFlow<R, variant>, Finish<GlobeFlow<R, variant>>>};
    if constexpr (is_split(variant)) k.solve_columns = solve_columns;
    return k;
  }
};

}  // namespace watersmeet::atmosphere
