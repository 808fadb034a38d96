// A run that stops and resumes from a checkpoint, and one on another number of threads, give the
// same bits as one without.
#include "verify/aerodynamics/groups.hpp"
#include "verify/bit_rows.hpp"

namespace watersmeet::verify {

void verify_block_bits(Verification& v) {
  const BitSteps steps{.on_threads = 14, .before = 5, .after = 9, .threads = {3}};
  FlowOnBlocks c;
  c.mesh = "kind = \"wavybox\", cells = [15, 13], blocks = [2, 3], seed = 8";
  c.stream = "mach = 0.5, alpha_deg = 20";
  c.order = 4;
  c.initial = "flow = { kind = \"vortex\", centre = [4, 4.5, 0], strength = 0.2 }\n";
  c.boundary = "outer = \"exact\"\n";
  bit_rows(v, "unsteady, ", steps, text_of(c));
  FlowOnBlocks foil;
  foil.mesh = "kind = \"naca4\", cells = [32, 16], far = 20.0";
  foil.stream = "mach = 0.6, alpha_deg = 2";
  foil.steady = true;
  foil.time = "first_order_cycles = 3\n";
  bit_rows(v, "steady, ", steps, text_of(foil));
}

}  // namespace watersmeet::verify
