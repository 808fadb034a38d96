#pragma once
// CUDA loops of the atmosphere on a cubed sphere for one precision and variant, but for the stage.

#include "exec/column_cuda.hpp"
#include "exec/index_cuda.hpp"
#include "exec/reduce_cuda.hpp"
#include "systems/atmosphere/globe_launch.hpp"

namespace watersmeet::atmosphere {

template <class R, GlobeVariant variant>
struct GlobeVariantLoops {
  static void couple(const GlobeCall& call) {
    const auto body = couple_of<R, variant, true>(call);
    exec::index_loop(exec::OnCuda{}, body.count(), body, nullptr, true, call.queue);
  }
  static double signal(const GlobeCall& call) {
    double largest = 0;
    exec::measure(exec::OnCuda{}, arrays_of<R>(call), signal_of<R, variant>(call), &largest,
                  call.queue);
    return largest;
  }

  static void solve_columns(const GlobeCall& call, const SplitCall& split) {
    const mesh::PanelPart& p = call.part;
    exec::column_loop<R>(exec::OnCuda{}, p.size(0), p.size(1), p.panels_here,
                         columns_of<R, variant>(call, split), call.clock, call.queue);
  }

  static void put_into(GlobeKernels& kernels) {
    kernels.couple = couple;
    kernels.signal = signal;
    if constexpr (is_split(variant)) kernels.solve_columns = solve_columns;
  }
};

}  // namespace watersmeet::atmosphere
