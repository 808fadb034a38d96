#pragma once
// CUDA loops of the atmosphere on a cubed sphere for one precision that no variant changes;
// kernels_globe_{f32,f64}_sweeps_cuda.cu instantiate them. The others: globe_sweeps_cuda.hpp,
// globe_tile_cuda.hpp.

#include <cstdint>

#include "exec/cell_map_cuda.hpp"
#include "exec/index_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/atmosphere/globe_launch.hpp"

namespace watersmeet::atmosphere {

// One thread.
static __global__ void begin_globe_step_kernel(const exec::StepRule rule, const double t_limit,
                                               const bool allowed, exec::Clock* clock) {
  exec::begin_step(*clock, rule, t_limit, allowed);
}

template <class R>
struct GlobeCudaLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue& queue) {
    begin_globe_step_kernel<<<1, 1, 0, static_cast<cudaStream_t>(queue.stream)>>>(rule, t_limit,
                                                                                  allowed, clock);
    exec::check_cuda(cudaGetLastError(), "cannot launch the beginning of a step");
  }

  static void copy_lines(const GlobeCall& call) {
    const CopyLines<R> body{edges_of<R>(call)};
    exec::index_loop(exec::OnCuda{}, body.count(), body, nullptr, true, call.queue);
  }
  static void pack(const GlobeCall& call, void* message) {
    exec::index_loop(exec::OnCuda{}, call.strips.count_here, pack_of<R>(call, message), nullptr,
                     true, call.queue);
  }
  static void unpack(const GlobeCall& call, const void* message) {
    exec::index_loop(exec::OnCuda{}, call.strips.count_there, unpack_of<R>(call, message), nullptr,
                     true, call.queue);
  }
  static void damp(const GlobeCall& call) {
    const DampGlobe<R> body = damping_of<R>(call);
    exec::index_loop(exec::OnCuda{}, body.count(), body, call.clock, false, call.queue);
  }

  static void measure(const GlobeCall& call, const GlobeProbeParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCuda{}, arrays_of<R>(call),
                  DiagnoseGlobe<R>{probe_of<R>(call, parameters)}, largest, call.queue);
  }
  static void count(const GlobeCall& call, const GlobeProbeParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCuda{}, arrays_of<R>(call), DiagnoseGlobe<R>{probe_of<R>(call, parameters)},
                scales, high_low, call.queue);
  }
  static void evaluate(const GlobeCall& call, const GlobeProbeParameters& parameters,
                       GlobeQuantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCuda{}, arrays_of<R>(call),
                    EvaluateGlobe<R>{quantity, probe_of<R>(call, parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static GlobeKernels table() {
    GlobeKernels k;
    k.begin_step = begin_step;
    k.copy_lines = copy_lines;
    k.pack = pack;
    k.unpack = unpack;
    k.damp = damp;
    k.measure = measure;
    k.count = count;
    k.evaluate = evaluate;
    return k;
  }
};

}  // namespace watersmeet::atmosphere
