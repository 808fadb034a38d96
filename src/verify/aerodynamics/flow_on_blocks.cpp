#include "verify/aerodynamics/flow_on_blocks.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::verify {

std::string text_of(const FlowOnBlocks& c) {
  std::string text = fmt::format(
      "[case]\nsystem = \"aerodynamics\"\n[grid]\nmesh = {{ {} }}\n"
      "[physics]\nfreestream = {{ {} }}\n[numerics]\norder = {}\n{}[time]\nmode = \"{}\"\n{}",
      c.mesh, c.stream, c.order, c.numerics, c.steady ? "steady" : "unsteady", c.time);
  if (!c.steady) text += "end = 1e9\n";
  if (!c.initial.empty()) text += "[[initial]]\n" + c.initial;
  if (!c.boundary.empty()) text += "[boundary]\n" + c.boundary;
  if (!c.source.empty()) text += "[[source]]\n" + c.source;
  return text;
}

bool converge(Simulation& s, double drop, std::int64_t most) {
  while (s.steps() < most) {
    const std::int64_t before = s.steps();
    s.step(50);
    if (s.diagnostics().at("log_residual") <= std::log10(drop)) return true;
    if (s.steps() == before) return true;  // converged by its own rule
  }
  return false;
}

}  // namespace watersmeet::verify
