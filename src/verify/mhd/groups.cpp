#include "verify/mhd/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> mhd_groups() {
  return {{"Alfven wave", verify_alfven_wave},
          {"magnetosonic waves", verify_magnetosonic_waves},
          {"resistive decay", verify_resistive_decay},
          {"without a field", verify_without_field},
          {"Orszag-Tang vortex", verify_orszag_tang},
          {"ideal entropy", verify_ideal_entropy},
          {"div B", verify_solenoidal_field},
          {"same bits", verify_mhd_bits}};
}

}  // namespace watersmeet::verify
