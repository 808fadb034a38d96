// Subsonic flow over a smooth bump in a channel, between a reservoir and a given pressure: the
// entropy, uniform in the exact flow, is the error.
#include <fmt/format.h>

#include <cmath>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
std::map<std::string, double> channel(Verification& v, int order, int cells, bool& converged) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"bump\", cells = [{}, {}], blocks = [2, 1]", 3 * cells, cells);
  c.order = order;
  c.steady = true;
  c.time = "residual_drop = 1e-5\nforce_window = 0\n";
  Simulation s = start(v, c);
  converged = converge(s, 1e-5, 20000);
  return s.diagnostics();
}
}  // namespace

void verify_bump(Verification& v) {
  if (v.single() || !v.at_least(Extent::quick))
    return v.leave_out("bump", v.single() ? "round-off of single precision hides the errors"
                                          : "takes thousands of cycles");
  // Order 1 shows its slope later than the others, as around the vortex.
  const std::pair<int, double> orders[] = {{2, 1.9}, {3, 2.3}, {4, 3.2}, {1, 0.75}};
  for (const auto& [order, slope] : orders) {
    if (order == 1 && !v.at_least(Extent::full)) continue;
    const int finest = v.at_least(Extent::full) ? 64 : 32;
    double before = 0, shown = 0;
    for (int cells = 16; cells <= finest; cells *= 2) {
      bool converged = false;
      const auto values = channel(v, order, cells, converged);
      v.above(fmt::format("order {}, {} cells up: converged", order, cells), converged ? 1 : 0, 1);
      v.below(fmt::format("order {}, {} cells up: net mass flux over the channel's", order, cells),
              std::abs(values.at("flux_mass")) / 0.4, 1e-5);
      const double error = values.at("entropy_error");
      v.report(fmt::format("order {}, {} cells up: entropy error", order, cells), error, "");
      if (before > 0) shown = order_of(before, error);
      before = error;
    }
    v.above(fmt::format("order {}: order shown", order), shown, slope);
  }
}

}  // namespace watersmeet::verify
