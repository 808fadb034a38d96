// Mass and energy of a flow through periodic, wavy, turned blocks stay what they were.
#include <fmt/format.h>

#include <cmath>

#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
void drift(Verification& v, const std::string& blocks, const std::string& cells, int order) {
  FlowOnBlocks c;
  c.mesh = fmt::format(
      "kind = \"wavybox\", cells = {}, blocks = {}, seed = 5, periodic = true, amplitude = 0.02",
      cells, blocks);
  c.order = order;
  c.initial =
      "density = \"1 + 0.2*sin(2*pi*x/10)*cos(4*pi*y/10)\"\n"
      "velocity = [\"0.3*sin(4*pi*y/10)\", \"0.2*cos(6*pi*x/10)\", \"0\"]\n"
      "pressure = \"(1 + 0.1*cos(2*pi*(x + y)/10))/1.4\"\n";
  Simulation s = start(v, c);
  const auto before = s.diagnostics();
  s.step(20);
  const auto after = s.diagnostics();
  for (const char* const name : {"mass", "energy"}) {
    v.below(fmt::format("order {}, {} blocks: drift of {}", order, blocks, name),
            std::abs(after.at(name) / before.at(name) - 1), v.single() ? 2e-6 : 1e-13);
  }
}
}  // namespace

void verify_block_conservation(Verification& v) {
  for (int order = 1; order <= 6; ++order) drift(v, "[2, 2]", "[16, 14]", order);
  drift(v, "[2, 2, 2]", "[8, 9, 8]", 3);
}

}  // namespace watersmeet::verify
