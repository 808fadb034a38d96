#pragma once
// Rows that spheres have with equal and with stretched levels (lines of [grid]).

#include <string>
#include <vector>

#include "verify/atmosphere/globe_case.hpp"

namespace watersmeet::verify {

// Air over mountains stays at rest to the last bit.
void globe_rest_row(Verification& v, const GlobeChoice& choice, const char* grid);
// Mass and energy of a warm bubble in wind.
void globe_conserved_rows(Verification& v, const std::string& name, const GlobeChoice& choice,
                          const char* grid);
// Errors and orders of steady_deep_globe() by the schemes that there are; `finer`: up to N = 32.
void globe_steady_deep_rows(Verification& v, const char* grid, bool finer);
// Implicit against explicit sound across levels: how far theta' of globe_warm_air() is apart over
// what it changes by, and the order of that. Fluxes between levels differ, of the same order in space:
// what both differ by is the error of the mesh.
void globe_split_rows(Verification& v, const std::string& name, const char* grid);
// A bubble on panels that vectors and threads do not divide.
void globe_bit_rows(Verification& v, const std::string& name, const GlobeChoice& choice,
                    const char* grid);

// A step of a bubble with a sponge in the uppermost 5 km, of the rate 0.5/s, against one without,
// whose departures it takes over 1 + dt rate.
struct SpongeStep {
  double error = 0;                 // largest relative one
  double values = 0;                // in the sponge that are not 0
  double changed = 0, outside = 0;  // values that it changes, and those of them below it
};
// `z`: heights of the values in an array of a variable.
SpongeStep globe_sponge_step(const Verification& v, GlobeCase c, const std::vector<double>& z);

}  // namespace watersmeet::verify
