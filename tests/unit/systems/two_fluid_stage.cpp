// The CPU loops with any shape of tile, instantiated once for all tests of this program.
#include "exec/face_cpu.hpp"
#include "two_fluid_problem.hpp"

namespace watersmeet::multicomponent {

namespace {
template <class R, Variant variant>
void run(const exec::Launch& l, const Case& of, const TileShape& t) {
  using F = Functors<R, variant>;
  exec::face_stage(exec::OnCpu{}, exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(of),
                   F::finish(of), l.clock, l.queue, {t.i, t.j, t.k});
}
}  // namespace

template <class R>
void run_stage(const exec::Launch& l, const Case& of, Variant variant, const TileShape& tiles) {
  if (variant == Variant::js) return run<R, Variant::js>(l, of, tiles);
  if (variant == Variant::z) return run<R, Variant::z>(l, of, tiles);
  run<R, Variant::general>(l, of, tiles);
}

template <class R>
void run_scalar_stage(const exec::Launch& l, const Case& of, const TileShape& t) {
  using F = Functors<R, Variant::general>;
  exec::face_stage_cpu_as<R>(exec::arrays_of<R>(l), exec::rounded<R>(l.update), F::flow(of),
                             F::finish(of), l.clock, l.queue.threads, {t.i, t.j, t.k});
}

template void run_scalar_stage<float>(const exec::Launch&, const Case&, const TileShape&);
template void run_scalar_stage<double>(const exec::Launch&, const Case&, const TileShape&);
template void run_stage<float>(const exec::Launch&, const Case&, Variant, const TileShape&);
template void run_stage<double>(const exec::Launch&, const Case&, Variant, const TileShape&);

}  // namespace watersmeet::multicomponent
