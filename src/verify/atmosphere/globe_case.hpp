#pragma once
// The cases of the verification of the atmosphere on a sphere, as air_case.hpp has those of a box:
// a planet of 60 km under a lid at 12 km, on which waves travel far in few steps.

#include <cstdint>
#include <string>
#include <vector>

#include "verify/atmosphere/air_case.hpp"

namespace watersmeet::verify {

struct GlobeCase {
  std::int64_t n = 12, levels = 8;
  std::string grid = {};     // further lines of [grid]
  std::string initial = {};  // lines of [[initial]]
  std::string physics = "rotation = { rate = 1e-3 }\n";
  std::string reference = "kind = \"stratified\", brunt_vaisala = 0.01";
  std::string numerics = {};
  std::string time = "cfl = 0.9\n";
};
std::string text_of(const GlobeCase& c);

// What a case may have beside, and the words that say so.
struct GlobeChoice {
  const char* name;
  bool terrain = false, deepened = false, split = false, across = false;
  const char* numerics = "";
};
GlobeCase case_of(const GlobeChoice& choice, const char* grid = "");

// Keys of [physics]: ground of up to 2 km, with rotation; r up to 1.2 a.
extern const char* const globe_mountains;
extern const char* const deep_globe;
extern const char* const globe_bubble;      // of [[initial]]: a warm one in wind
extern const char* const globe_hevi;        // of [time]
extern const char* const globe_transverse;  // of [numerics]

// Air of 300 K that turns as a whole, faster than the planet. With the distance s from the axis and
// the potential Phi = g z/(1 + z/a)
//   ln(p/p_0) = (((Omega + omega)^2 - Omega^2) s^2/2 - Phi)/(R_d T)
// At up to 1.2 a each term of a deep atmosphere counts.
GlobeCase steady_deep_globe();
// What a steady flow has become after 200 s: root of the mean square of the change of the velocity
// to the east and of w.
double globe_steady_error(const Verification& v, GlobeCase c, std::int64_t n, std::int64_t levels);
// theta' of warm air in wind without rotation at the time `end`, in seconds, with these lines of
// [time].
std::vector<double> globe_warm_air(const Verification& v, GlobeCase c, const std::string& time,
                                   double end = 96);

}  // namespace watersmeet::verify
