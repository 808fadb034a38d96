#pragma once
// The groups of rows of the isothermal verification, one file each. Each measures as much as the
// verification's extent asks for.

#include "verify/groups.hpp"
#include "verify/isothermal/verify_case.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {

void verify_sine_decay(Verification& v);
void verify_explosion(Verification& v);
void verify_sound_wave(Verification& v);
void verify_time_order(Verification& v);
void verify_advection(Verification& v);
void verify_manufactured(Verification& v);
void verify_forcing(Verification& v);
void verify_taylor_green(Verification& v);
void verify_conservation(Verification& v);
void verify_shock(Verification& v);
void verify_precision(Verification& v);
void verify_repeatability(Verification& v);

}  // namespace watersmeet::verify
