#include "verify/atmosphere/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> atmosphere_groups() {
  return {{"air at rest", verify_air_at_rest},
          {"sound", verify_air_waves},
          {"shock tube", verify_air_tubes},
          {"smooth bubble", verify_air_bubble},
          {"sources", verify_air_sources},
          {"conservation", verify_air_conservation},
          {"directions", verify_air_directions},
          {"same bits", verify_air_bits},
          {"implicit sound", verify_air_split},
          {"stretched levels", verify_air_levels},
          {"viscosity over terrain", verify_air_diffusion},
          {"sphere", verify_air_globe},
          {"stretched levels of a sphere", verify_air_globe_levels},
          {"waves on a sphere", verify_air_globe_waves}};
}

}  // namespace watersmeet::verify
