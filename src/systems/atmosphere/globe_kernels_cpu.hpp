#pragma once
// CPU loops of the atmosphere on a cubed sphere for one precision;
// kernels_cpu_globe_{,stretched_}{f32,f64}.cpp instantiate them.

#include <cstdint>

#include "core/gather_pack.hpp"
#include "exec/cell_map_cpu.hpp"
#include "exec/column_cpu.hpp"
#include "exec/face_cpu.hpp"
#include "exec/index_cpu.hpp"
#include "exec/reduce_cpu.hpp"
#include "systems/atmosphere/globe_launch.hpp"

namespace watersmeet::atmosphere {

template <class R>
struct GlobeCpuLoops {
  static void begin_step(const exec::StepRule& rule, double t_limit, bool allowed,
                         exec::Clock* clock, const Queue&) {
    exec::begin_step(*clock, rule, t_limit, allowed);
  }

  template <GlobeVariant variant, Choices choices = Choices::all>
  static void stage(const GlobeCall& call) {
    exec::face_stage(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                     flow_of<R, variant, choices>(call), finish_of<R, variant>(call), call.clock,
                     call.queue);
  }
  template <GlobeVariant variant, Choices choices = Choices::all>
  static void couple(const GlobeCall& call) {
    const auto body = couple_of<R, variant, false, choices>(call);
    exec::index_loop(exec::OnCpu{}, body.count(), body, nullptr, true, call.queue);
  }
  static void pack(const GlobeCall& call, void* message) {
    exec::index_loop(exec::OnCpu{}, call.strips.count_here, pack_of<R>(call, message), nullptr,
                     true, call.queue);
  }
  static void unpack(const GlobeCall& call, const void* message) {
    exec::index_loop(exec::OnCpu{}, call.strips.count_there, unpack_of<R>(call, message), nullptr,
                     true, call.queue);
  }
  template <GlobeVariant variant>
  static void solve_columns(const GlobeCall& call, const SplitCall& split) {
    const mesh::PanelPart& p = call.part;
    exec::column_loop<R>(exec::OnCpu{}, p.size(0), p.size(1), p.panels_here,
                         columns_of<R, variant>(call, split), call.clock, call.queue);
  }

  static void damp(const GlobeCall& call) {
    if (!call.clock->active) return;
    const DampGlobe<R> body = damping_of<R>(call);
    exec::index_loop(exec::OnCpu{}, body.count(), body, nullptr, true, call.queue);
  }

  static void measure(const GlobeCall& call, const GlobeProbeParameters& parameters,
                      double* largest) {
    exec::measure(exec::OnCpu{}, arrays_of<R>(call),
                  DiagnoseGlobe<R>{probe_of<R>(call, parameters)}, largest, call.queue);
  }
  static void count(const GlobeCall& call, const GlobeProbeParameters& parameters,
                    const exec::SumScale* scales, std::int64_t* high_low) {
    exec::count(exec::OnCpu{}, arrays_of<R>(call), DiagnoseGlobe<R>{probe_of<R>(call, parameters)},
                scales, high_low, call.queue);
  }
  template <GlobeVariant variant>
  static double signal(const GlobeCall& call) {
    double largest = 0;
    exec::measure(exec::OnCpu{}, arrays_of<R>(call), signal_of<R, variant>(call), &largest,
                  call.queue);
    return largest;
  }

  static void evaluate(const GlobeCall& call, const GlobeProbeParameters& parameters,
                       GlobeQuantity quantity, int components, void* packed) {
    exec::cell_pack(exec::OnCpu{}, arrays_of<R>(call),
                    EvaluateGlobe<R>{quantity, probe_of<R>(call, parameters)},
                    exec::PackedTarget<R>{static_cast<R*>(packed), components}, call.queue);
  }

  static std::vector<exec::KernelReport> describe() { return {{.name = "cpu"}}; }

  // What no variant changes.
  static GlobeKernels table() {
    GlobeKernels k;
    k.begin_step = begin_step;
    k.pack = pack;
    k.unpack = unpack;
    k.damp = damp;
    k.measure = measure;
    k.count = count;
    k.evaluate = evaluate;
    k.describe = describe;
    return k;
  }
  // The rest.
  template <GlobeVariant variant>
  static void put_into(GlobeKernels& k, Choices choices) {
    k.stage = stage<variant>;
    k.couple = couple<variant>;
    k.signal = signal<variant>;
    if constexpr (is_split(variant)) {
      k.solve_columns = solve_columns<variant>;
    } else if (choices == Choices::transverse) {
      k.stage = stage<variant, Choices::transverse>;
      k.couple = couple<variant, Choices::transverse>;
    }
  }
  template <bool equal>
  static void put_into(GlobeKernels& k, GlobeVariant variant, Choices choices) {
    for_each_equal_variant([&]<GlobeVariant own>() {
      constexpr GlobeVariant compiled = equal ? own : with_stretched_levels(own);
      if (variant == compiled) put_into<compiled>(k, choices);
    });
  }
};

}  // namespace watersmeet::atmosphere
