// The same bits: for any number of CPU threads, and after a run was saved and restored half way.
#include <fmt/format.h>

#include "verify/bit_rows.hpp"
#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
// A condition of its own at every side, one that changes with time, on a plane that is a multiple
// of no pack and no tile.
WaterCase busy_case(double transverse, bool islands, const std::string& scheme) {
  WaterCase c;
  c.cells = {71, 131, 1};
  c.upper = {71, 131, 1};
  c.bed = fmt::format("{}*sin(x/4)*cos(y/5) - {}", islands ? 1.2 : 0.4, islands ? 0.5 : 1.5);
  c.surface = "0.2*exp(-((x - 20)^2 + (y - 50)^2)/40)";
  c.wet_dry = islands;
  c.transverse = transverse;
  c.scheme = scheme;
  c.cfl = 0.7;
  c.physics = "coriolis = { f = 0.02, beta = 1e-4 }\nfriction = { manning = 0.02 }\n";
  c.boundary =
      "x_lower = { kind = \"level\", surface = \"0.1*sin(t)\" }\n"
      "x_upper = { kind = \"far\", surface = 0 }\n"
      "y_lower = \"wall\"\ny_upper = \"open\"\n";
  return c;
}
}  // namespace

void verify_water_bits(Verification& v) {
  const struct {
    double transverse;
    bool islands;
    const char* scheme;
  } choices[] = {{0, false, "ssp-rk3"},
                 {-1.0 / 24, false, "ssp-rk43"},
                 {0, true, "ssp-rk2"},
                 {-1.0 / 24, true, "ssp-rk3"},
                 {0, false, "rk4-carpenter-kennedy"}};
  for (const auto& choice : choices) {
    const WaterCase c = busy_case(choice.transverse, choice.islands, choice.scheme);
    const std::string name =
        fmt::format("{}{}{}, ", choice.scheme, choice.transverse != 0 ? ", c3 = -1/24" : "",
                    choice.islands ? ", islands" : "");
    bit_rows(v, name, {.on_threads = 20, .before = 11, .after = 13}, text_of(c));
  }
}

}  // namespace watersmeet::verify
