// The rows of the benchmark of aerodynamics: orders 1 and 3, one grid and cycles over two, in both
// precisions. Wavy blocks, one a grid; and the eight rows of P. LeGresley, Case Study: CFD (2008),
// a section and a hypersonic vehicle of two sizes, with order 3 on the vehicle beside them. Cycles
// are measured in turn with steps of their finest grid alone.
//
// `bench/aerodynamics_speedup.py GPU.json CPU.json` puts those of a GPU and of one core together.
#include <fmt/format.h>

#include "systems/aerodynamics/system.hpp"

namespace watersmeet::aerodynamics {

namespace {

// Nodes, those of interfaces twice.
struct Mesh {
  const char* name;
  std::int64_t nodes;
};
constexpr Mesh section{"naca0012", 50052}, vehicle{"glider15-720k", 720000},
    large_vehicle{"glider15-1500k", 1500000};

// A box longer in z than in x is cut into equal blocks that are not, so that it can grow with the ranks; it stays whole where they would be shorter
// than half of that.
std::int64_t wavy_blocks(const Index3& n) {
  std::int64_t blocks = (n[2] + n[0] - 1) / n[0];
  while (n[2] % blocks != 0) ++blocks;
  return 2 * n[2] / blocks > n[0] ? blocks : 1;
}

std::string wavy_box(const Index3& n) {
  const std::int64_t blocks = wavy_blocks(n);
  return fmt::format(
      R"toml([grid]
mesh = {{ kind = "wavybox", cells = [{}, {}, {}], blocks = [1, 1, {}], turns = "none" }}
[physics]
freestream = {{ mach = 0.5, alpha_deg = 10, beta_deg = 5 }}
[[initial]]
flow = {{ kind = "vortex", centre = [5, 5, 0], strength = 0.1 }}
[boundary]
outer = "farfield"
)toml",
      n[0] - 1, n[1] - 1, n[2] / blocks - 1, blocks);
}

std::string airfoil() {
  return R"toml([grid]
mesh = { kind = "naca4", digits = "0012", cells = [256, 128], far = 147.0 }
[physics]
freestream = { mach = 0.63, alpha_deg = 2.0 }
[boundary]
airfoil = "slip_wall"
farfield = "farfield"
)toml";
}

// Order 3 has no shock capturing in these rows, and a stream that needs none.
std::string glider(const std::string& name, bool hypersonic) {
  return fmt::format(R"toml([grid]
mesh = {{ kind = "glider15", size = "{}" }}
[physics]
freestream = {{ mach = {}, alpha_deg = 5.0 }}
[boundary]
vehicle = "slip_wall"
base = "slip_wall"
symmetry = "symmetry"
inflow = "{}"
outflow = "{}"
)toml",
                     name.substr(name.find('-') + 1), hypersonic ? 6.0 : 0.5,
                     hypersonic ? "supersonic_inflow" : "farfield",
                     hypersonic ? "supersonic_outflow" : "farfield");
}

std::string case_text(const systems::BenchVariant& variant, const Index3& cells) {
  const std::string mesh = variant.label("mesh"), order = variant.label("order");
  const std::string flow = !variant.own_grid()    ? wavy_box(cells)
                           : mesh == section.name ? airfoil()
                                                  : glider(mesh, order == "1");
  return fmt::format(
      R"toml([case]
system = "aerodynamics"
[numerics]
precision = "{}"
order = {}
dissipation = "scalar"
multigrid = {{ levels = {}, cycle = "V", pre = 1, post = 1, sequencing = false }}
[time]
cfl = 0.5
residual_drop = 0
force_window = 0
first_order_cycles = 0
steps = 1000000000
{})toml",
      variant.precision, order, variant.label("grids") == "2V" ? 2 : 1, flow);
}

}  // namespace

systems::Bench bench(Backend backend) {
  systems::Bench result;
  result.unit = "node";
  result.fixed = {"numerics.multigrid"};
  result.in_turn = {"grids", "steps_per_cycle"};
  result.grids = {{65, 65, 65}};
  if (backend == Backend::cuda) result.grids.push_back({129, 129, 97});  // 1.6 million
  for (const char* precision : {"double", "single"}) {
    const auto add = [&](const std::string& mesh, const Index3& cells) {
      for (const char* order : {"1", "3"}) {
        for (const char* grids : {"1", "2V"}) {
          result.variants.push_back(
              {precision, {{"mesh", mesh}, {"order", order}, {"grids", grids}}, cells});
        }
      }
    };
    add("wavybox", {});
    for (const Mesh& m : {section, vehicle, large_vehicle}) add(m.name, {m.nodes, 1, 1});
  }
  result.case_text = case_text;
  return result;
}

}  // namespace watersmeet::aerodynamics
