// The same bits: for any number of CPU threads, and after a run was saved and restored half way.
#include <fmt/format.h>

#include "verify/bit_rows.hpp"
#include "verify/isothermal/groups.hpp"

namespace watersmeet::verify {

namespace {
// A forced flow with every extended term, on a box that is a multiple of no pack and no tile.
VerifyCase busy_case(const std::string& method, const std::string& storage) {
  VerifyCase c{.cells = {23, 19, 17},
               .density = "1+0.1*cos(x+y-z)",
               .velocity = {"0.3*sin(x)*cos(y)", "0.2*cos(z)", "0.1*sin(y)"},
               .viscosity = 0.02,
               .bulk_viscosity = 0.01,
               .hyperviscosity = 1e-9,
               .acceleration = {"0.01*sin(y)", "0", "0.01*cos(x)"},
               .method = method,
               .storage = storage,
               .upwind = "\"rho\""};
  c.forcing = "kind = \"helical\"\nhelicity = 0.5\namplitude = 0.05\nk_min = 1.0\nk_max = 2.0\n";
  return c;
}
}  // namespace

void verify_repeatability(Verification& v) {
  for (const std::string& method : verify_methods) {
    for (const char* const storage : {"two", "stored"}) {
      const VerifyCase c = busy_case(method, storage);
      const std::string name = fmt::format("{}, {}, ", method, storage);
      bit_rows(v, name, {.on_threads = 20, .before = 100, .after = 100}, text_of(c));
    }
  }
  VerifyCase c = busy_case("55-point", "auto");
  c.shock_viscosity = 2;
  bit_rows(v, "shock viscosity, ", {.on_threads = 20, .before = 30, .after = 30}, text_of(c));
}

}  // namespace watersmeet::verify
