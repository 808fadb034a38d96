#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> aerodynamics_groups() {
  return {{"free stream", verify_uniform_stream},
          {"conservation", verify_block_conservation},
          {"vortex", verify_block_vortex},
          {"same bits", verify_block_bits},
          {"ringleb", verify_ringleb},
          {"bump", verify_bump},
          {"oblique shock", verify_oblique_shock},
          {"sections", verify_sections},
          {"vehicle", verify_vehicle},
          {"long time", verify_long_time}};
}

}  // namespace watersmeet::verify
