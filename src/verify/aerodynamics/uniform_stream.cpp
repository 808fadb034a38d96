// A uniform stream through wavy, turned blocks stays uniform: the residual is that of round-off,
// at any order and where thin directions of blocks have orders of their own.
#include <fmt/format.h>

#include <cmath>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
// |R/V| of the density times the spacing of an even mesh over the fastest wave.
void stream_through(Verification& v, const std::string& name, const std::string& cells,
                    const std::string& blocks, double spacing, int order,
                    const std::string& numerics) {
  FlowOnBlocks c;
  c.mesh = fmt::format("kind = \"wavybox\", cells = {}, blocks = {}, seed = 3, amplitude = 0.03",
                       cells, blocks);
  c.stream = blocks.size() > 7 ? "mach = 0.6, alpha_deg = 20, beta_deg = 30"
                               : "mach = 0.6, alpha_deg = 20";
  c.order = order;
  c.numerics = numerics;
  c.initial = "flow = \"freestream\"\n";
  c.boundary = "outer = \"farfield\"\n";
  Simulation s = start(v, c);
  const double residual = s.diagnostics().at("residual_max") * spacing / 1.6;
  v.below(fmt::format("order {}, {}: residual", order, name), residual, v.single() ? 1e-4 : 1e-12);
  s.step(5);
  const double drift = s.diagnostics().at("error_rho") / std::sqrt(1000.0);
  v.below(fmt::format("order {}, {}: change in 5 steps", order, name), drift,
          v.single() ? 1e-5 : 1e-12);
}
}  // namespace

void verify_uniform_stream(Verification& v) {
  for (int order = 1; order <= 6; ++order) {
    stream_through(v, "2-D", "[14, 13]", "[2, 2]", 10.0 / 28, order, "");
    if (order % 2 == 1 || v.at_least(Extent::quick)) {
      stream_through(v, "8 blocks", "[13, 12, 11]", "[2, 2, 2]", 10.0 / 26, order, "");
    }
  }
  stream_through(v, "thin blocks", "[12, 7, 2]", "[2, 2, 2]", 10.0 / 24, 6, "");
  stream_through(v, "matrix dissipation", "[14, 13]", "[2, 2]", 10.0 / 28, 4,
                 "dissipation = \"matrix\"\n");
  stream_through(v, "compatible operators", "[14, 13]", "[2, 2]", 10.0 / 28, 6,
                 "sbp6 = \"compatible\"\n");
}

}  // namespace watersmeet::verify
