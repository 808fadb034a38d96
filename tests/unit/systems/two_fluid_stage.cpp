// The CPU loops with any shape of tile, instantiated once for all tests of this program.
#include "exec/face_cpu.hpp"
#include "two_fluid_problem.hpp"

namespace watersmeet::multicomponent {

namespace {
template <class R, Variant variant>
void run(const StageCall& call, const TileShape& t) {
  exec::face_stage(exec::OnCpu{}, arrays_of<R>(call), exec::rounded<R>(call.update),
                   flow_of<R, variant>(call), finish_of<R>(call), call.clock, call.queue,
                   {t.i, t.j, t.k});
}
}  // namespace

template <class R>
void run_stage(const StageCall& call, Variant variant, const TileShape& tiles) {
  if (variant == Variant::js) return run<R, Variant::js>(call, tiles);
  if (variant == Variant::z) return run<R, Variant::z>(call, tiles);
  run<R, Variant::general>(call, tiles);
}

template <class R>
void run_scalar_stage(const StageCall& call, const TileShape& t) {
  exec::face_stage_cpu_as<R>(arrays_of<R>(call), exec::rounded<R>(call.update),
                             flow_of<R, Variant::general>(call), finish_of<R>(call), call.clock,
                             call.queue.threads, {t.i, t.j, t.k});
}

template void run_scalar_stage<float>(const StageCall&, const TileShape&);
template void run_scalar_stage<double>(const StageCall&, const TileShape&);
template void run_stage<float>(const StageCall&, Variant, const TileShape&);
template void run_stage<double>(const StageCall&, Variant, const TileShape&);

}  // namespace watersmeet::multicomponent
