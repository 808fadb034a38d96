// The rows of the verification: order of convergence towards the closed form and conservation.
#include <fmt/format.h>

#include "core/types.hpp"
#include "verify/groups.hpp"
#include "verify/norms.hpp"

namespace watersmeet::verify {
namespace {
std::string text_of(const std::string& form, const Index3& n, const std::string& time) {
  return fmt::format(
      "case.system = \"advection\"\ngrid.cells = [{}, {}, {}]\nphysics.velocity = [1, -0.5, 0.25]\n"
      "physics.diffusivity = 0.02\nphysics.wave = [2, 1, 0]\nnumerics.form = \"{}\"\n"
      "time.end = 1000.0\ntime.scheme = \"rk4-carpenter-kennedy\"\n{}",
      n[0], n[1], n[2], form, time);
}

double error_of(const Verification& v, const std::string& form, std::int64_t n) {
  Simulation s = v.start(text_of(form, {n, n, 1}, "time.dt = 0.005\n"));
  s.advance_to(1);
  return s.diagnostics().at("error");
}

// The face form is of order 5 in advection and of 4 in diffusion, the cell form of 6.
void verify_order(Verification& v) {
  if (v.single()) return v.leave_out("order", "the errors lie near round-off in single precision");
  for (const std::string form : {"face", "cell"}) {
    const double order = order_of(error_of(v, form, 24), error_of(v, form, 48));
    v.near(form + " form, order from N = 24 to 48", order, form == "face" ? 5 : 6, 0.2);
  }
}

void verify_integral(Verification& v) {
  Simulation s = v.start(text_of("face", {24, 20, 16}, ""));
  s.diagnostics();
  s.step(200);
  v.within("face form, drift of the integral", s.diagnostics().at("drift"),
           v.single() ? -1e-7 : -1e-15, v.single() ? 1e-7 : 1e-15);
}

[[maybe_unused]] const bool added =
    add_groups("advection", {{"wave", verify_order}, {"conservation", verify_integral}});
}  // namespace
}  // namespace watersmeet::verify
