#include "verify/boussinesq/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> boussinesq_groups() {
  return {{"exact vortices", verify_exact_vortices},
          {"rest states", verify_rest_states},
          {"conservation", verify_staggered_conservation},
          {"directions of gravity", verify_gravity_directions},
          {"open sides", verify_open_sides},
          {"same bits", verify_staggered_bits},
          {"order in time", verify_multistep_order},
          {"onset in rolls", verify_onset},
          {"conducting cube", verify_conducting_cube},
          {"lid-driven cavity", verify_lid_cavity},
          {"heated cavity", verify_heated_cavity}};
}

}  // namespace watersmeet::verify
