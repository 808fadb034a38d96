#pragma once
// Exact solutions of the Euler equations: initial states, what boundaries of kind `exact` see, and
// what examples and verification compare with.
//
//   vortex     isentropic, carried along by the stream (Yee, Sandham and Djomehri 1999), with
//              f = exp((1 - r^2)/2), r the distance from the centre over the radius,
//                u = u_inf - b c_inf (y - y_c)/R f,   v = v_inf + b c_inf (x - x_c)/R f,
//                c^2 = c_inf^2 (1 - (gamma - 1) b^2 f^2 / 2),  rho and p at constant entropy
//   ringleb    Ringleb (1940), as in mesh/generators/ringleb.hpp; speeds in units of the stagnation
//              speed of sound, which is that of the free stream here

#include <functional>
#include <optional>
#include <string>

#include "config/input.hpp"
#include "systems/aerodynamics/case/free_stream.hpp"

namespace watersmeet::aerodynamics {

struct ExactFlow {
  std::function<Primitive<double>(const Real3& x, double t)> at;
  bool moves = false;  // depends on t
};

// The speed q and streamline k of Ringleb's flow at a place, in the subsonic and slightly
// supersonic part around the bend. Error{user_input} where there is none.
struct RinglebPlace {
  double q = 0, k = 0;
};
RinglebPlace ringleb_place(double x, double y);

Primitive<double> ringleb_flow(const Real3& x, const FreeStream& stream);

struct Vortex {
  Real3 centre{};
  double radius = 1;
  double strength = 0;  // b, in units of the speed of sound
};
Primitive<double> vortex_flow(const Real3& x, double t, const Vortex& vortex,
                              const FreeStream& stream);

// Keys initial[].flow.*, and the flow that an entry asks for.
std::vector<config::Key> flow_keys();
std::optional<ExactFlow> read_flow(config::Input& input, const std::string& entry,
                                   const FreeStream& stream);

}  // namespace watersmeet::aerodynamics
