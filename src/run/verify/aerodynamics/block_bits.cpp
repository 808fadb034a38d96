// A run that stops and goes on from a checkpoint, and one on other threads, give the same bits.
#include <fmt/format.h>

#include "run/verify/aerodynamics/groups.hpp"
#include "run/verify/temporary_folder.hpp"

namespace watersmeet::run {

namespace {
void compare(Verification& v, const std::string& name, const FlowOnBlocks& c,
             const TemporaryFolder& folder) {
  Simulation whole = start(v, c);
  whole.step(14);
  Simulation half = start(v, c);
  half.step(5);
  const std::string path = folder.path() + "/half.h5";
  half.save(path);
  Simulation rest = start(v, c);
  rest.restore(path);
  rest.step(9);
  v.zero(name + ", stopped and resumed: values that differ", count_different(whole, rest));
  if (v.on_gpu()) return;
  Simulation threads = start(v, c, "", 3);
  threads.step(14);
  v.zero(name + ", on 3 threads: values that differ", count_different(whole, threads));
}
}  // namespace

void verify_block_bits(Verification& v) {
  v.begin_group("same bits");
  const TemporaryFolder folder;
  FlowOnBlocks c;
  c.mesh = "kind = \"wavybox\", cells = [15, 13], blocks = [2, 3], seed = 8";
  c.stream = "mach = 0.5, alpha_deg = 20";
  c.order = 4;
  c.initial = "flow = { kind = \"vortex\", centre = [4, 4.5, 0], strength = 0.2 }\n";
  c.boundary = "outer = \"exact\"\n";
  compare(v, "unsteady", c, folder);
  FlowOnBlocks foil;
  foil.mesh = "kind = \"naca4\", cells = [32, 16], far = 20.0";
  foil.stream = "mach = 0.6, alpha_deg = 2";
  foil.steady = true;
  foil.time = "first_order_cycles = 3\n";
  compare(v, "steady", foil, folder);
}

}  // namespace watersmeet::run
