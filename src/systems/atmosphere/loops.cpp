// Choice of the compiled loops.
#include "systems/atmosphere/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::atmosphere {

namespace {
template <class Case>
auto chosen(Backend backend, Precision precision, const Traits& traits, bool tile, const Case& of) {
  auto loops = exec::choose_loops<Variants>(backend, precision, traits, of);
  if (!tile || backend != Backend::cuda) {
    loops->set_stage(exec::choose_loops<StageVariants>(backend, precision, traits, of));
    return loops;
  }
  if constexpr (std::is_same_v<Case, SphereCase>) {
    if (traits.stretched) {
      loops->set_stage(exec::choose_cuda_loops<StretchedSphereVariants>(precision, traits, of));
      return loops;
    }
  }
  loops->set_stage(exec::choose_cuda_loops<TileVariants>(precision, traits, of));
  return loops;
}
}  // namespace

std::unique_ptr<BoxLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                     bool tile, const BoxCase& of) {
  return chosen(backend, precision, traits, tile, of);
}
std::unique_ptr<SphereLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                        bool tile, const SphereCase& of) {
  return chosen(backend, precision, traits, tile, of);
}

}  // namespace watersmeet::atmosphere
