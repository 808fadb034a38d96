#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

std::vector<VerifyGroup> isothermal_groups() {
  return {{"sine decay", verify_sine_decay},   {"explosion", verify_explosion},
          {"sound wave", verify_sound_wave},   {"order in time", verify_time_order},
          {"advection", verify_advection},     {"manufactured solution", verify_manufactured},
          {"forcing", verify_forcing},         {"Taylor-Green vortex", verify_taylor_green},
          {"mass drift", verify_conservation}, {"precision", verify_precision},
          {"same bits", verify_repeatability}};
}

}  // namespace watersmeet::verify
