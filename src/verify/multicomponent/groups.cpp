#include "verify/multicomponent/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> multicomponent_groups() {
  return {{"interface advection", verify_interface_advection},
          {"shock tubes", verify_shock_tubes},
          {"shock and entropy wave", verify_shu_osher},
          {"smooth convergence", verify_smooth_convergence},
          {"order in time", verify_stage_order},
          {"conservation", verify_ledger},
          {"directions", verify_directions},
          {"same bits", verify_same_bits},
          {"flow about an axis", verify_axisymmetric},
          {"shocks along the grid", verify_shock_along_grid},
          {"positivity", verify_positivity},
          {"planar shock in water", verify_planar_shock},
          {"shock and helium cylinder", verify_helium_cylinder},
          {"shocked bubble", verify_shocked_bubble},
          {"Rayleigh collapse", verify_rayleigh_collapse}};
}

}  // namespace watersmeet::verify
