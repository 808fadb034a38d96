// Choice of the compiled loops.
#include "systems/atmosphere/loops.hpp"

#include "exec/choose_loops.hpp"

namespace watersmeet::atmosphere {

std::unique_ptr<BoxLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                     bool tile, const BoxCase& of) {
  auto loops = exec::choose_loops<BoxVariants>(backend, precision, traits, of);
  loops->set_stage(tile && backend == Backend::cuda
                       ? exec::choose_cuda_loops<BoxTileVariants>(precision, traits, of)
                       : exec::choose_loops<BoxStageVariants>(backend, precision, traits, of));
  return loops;
}

std::unique_ptr<SphereLoops> make_loops(Backend backend, Precision precision, const Traits& traits,
                                        bool tile, const SphereCase& of) {
  auto loops = exec::choose_loops<SphereVariants>(backend, precision, traits, of);
  loops->set_stage(traits.stretched
                       ? exec::choose_loops<StretchedSphereVariants>(backend, precision, traits, of)
                   : tile && backend == Backend::cuda
                       ? exec::choose_cuda_loops<SphereTileVariants>(precision, traits, of)
                       : exec::choose_loops<SphereStageVariants>(backend, precision, traits, of));
  return loops;
}

}  // namespace watersmeet::atmosphere
