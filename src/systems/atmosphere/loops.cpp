// Choice of the compiled loops.
#include "exec/choose_loops.hpp"
#include "systems/atmosphere/globe_loops.hpp"

namespace watersmeet::atmosphere {

std::unique_ptr<BoxLoops> make_loops(Backend backend, Precision precision, const Choice& c,
                                     const Case& of) {
  auto loops = exec::choose_loops<Variants>(backend, precision, c.variant, of);
  const bool tile = backend == Backend::cuda && c.schedule == Schedule::tile;
  loops->set_stage(
      tile ? exec::choose_cuda_loops<TileVariants>(precision, c.variant, c.choices, of)
           : exec::choose_loops<StageVariants>(backend, precision, c.variant, c.choices, of));
  return loops;
}

std::unique_ptr<GlobeLoops> make_globe_loops(Backend backend, Precision precision,
                                             const GlobeChoice& c, const GlobeCase& of) {
  auto loops = exec::choose_loops<GlobeVariants>(backend, precision, c.variant, c.choices, of);
  const bool tile = backend == Backend::cuda && c.schedule == Schedule::tile;
  loops->set_stage(
      !equal_levels(c.variant)
          ? exec::choose_loops<GlobeStretchedVariants>(backend, precision, c.variant, c.choices, of)
      : tile
          ? exec::choose_cuda_loops<GlobeTileVariants>(precision, c.variant, c.choices, of)
          : exec::choose_loops<GlobeStageVariants>(backend, precision, c.variant, c.choices, of));
  return loops;
}

}  // namespace watersmeet::atmosphere
