// Water at rest stays at rest over any bed, with islands too, to the last bit: the surface is
// stored, and every term of the scheme is a product with a difference of it.
#include <fmt/format.h>

#include <algorithm>

#include "verify/shallow_water/groups.hpp"

namespace watersmeet::verify {

namespace {
// Rough from cell to cell, islands above the level -0.3 here and there.
WaterCase lake(double transverse, const std::string& limiter, const std::string& riemann,
               bool islands) {
  WaterCase c;
  c.cells = {61, 47, 1};
  c.upper = {61, 47, 1};
  c.bed = fmt::format("{}*(sin(37.7*x + 11.3*y*y) + cos(23.1*y + 3.1*x*x)) - {}",
                      islands ? 0.9 : 0.3, islands ? 0.8 : 1.1);
  c.surface = "-0.3";
  c.wet_dry = islands;
  c.transverse = transverse;
  c.limiter = limiter;
  c.riemann = riemann;
  return c;
}

void rest_rows(Verification& v, const WaterCase& c, const std::string& name) {
  Simulation s = start(v, c);
  const std::vector<double> before = s.field("surface"), depth = s.field("depth");
  const double dry = static_cast<double>(std::count(depth.begin(), depth.end(), 0.0));
  if (c.wet_dry) {
    v.within(name + "share of dry cells", dry / static_cast<double>(depth.size()), 0.1, 0.6);
  }
  s.step(v.by_extent(100, 1000, 10000));
  v.below(name + "largest speed", largest_magnitude(s.field("speed")), 1e-12);
  v.below(name + "largest change of the surface", largest_difference(before, s.field("surface")),
          1e-13);
}
}  // namespace

void verify_lake_at_rest(Verification& v) {
  for (const double c3 : {0.0, -1.0 / 24}) {
    const std::string term = c3 == 0 ? "" : ", c3 = -1/24";
    rest_rows(v, lake(c3, "none", "auto", false), "9 points" + term + ", ");
    rest_rows(v, lake(c3, "none", "auto", true), "islands" + term + ", ");
  }
  for (const char* riemann : {"osher", "hllc"}) {
    rest_rows(v, lake(0, "vanleer", riemann, true), fmt::format("islands, vanleer, {}, ", riemann));
  }
  rest_rows(v, lake(0, "tvd", "linearised", false), "tvd, linearised, ");
  WaterCase open = lake(0, "none", "auto", false);
  open.boundary =
      "x_lower = { kind = \"far\", surface = -0.3 }\nx_upper = \"open\"\n"
      "y_lower = { kind = \"level\", surface = -0.3 }\n"
      "y_upper = { kind = \"flow\", velocity = [0, 0, 0] }\n";
  rest_rows(v, open, "open sides, ");
  open.transverse = -1.0 / 24;
  rest_rows(v, open, "open sides, c3 = -1/24, ");
}

}  // namespace watersmeet::verify
