#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> shallow_water_groups() {
  return {{"lake at rest", verify_lake_at_rest},
          {"dam break", verify_dam_break},
          {"linear waves", verify_water_waves},
          {"moving vortex", verify_vortex},
          {"parabolic bowl", verify_parabolic_bowl},
          {"films", verify_films},
          {"friction and rotation", verify_water_sources},
          {"backwater", verify_backwater},
          {"conservation", verify_water_volume},
          {"directions", verify_water_directions},
          {"same bits", verify_water_bits},
          {"sphere at rest", verify_sphere_rest},
          {"sphere, steady flow", verify_sphere_steady},
          {"sphere, advected bell", verify_sphere_bell},
          {"sphere, spectral solutions", verify_sphere_spectral},
          {"sphere, steady jet", verify_sphere_jet},
          {"sphere, panels", verify_sphere_panels},
          {"sphere, same bits", verify_sphere_bits}};
}

}  // namespace watersmeet::verify
