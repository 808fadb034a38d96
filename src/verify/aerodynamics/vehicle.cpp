// The hypersonic vehicle in fifteen blocks, the two smaller meshes of its generator, at first
// order: converged to round-off all that flows through its boundaries adds up to nothing, since the
// sum of H R over all nodes is that of the fluxes through boundaries. The medium mesh is fine
// enough for a nearly empty base, which a scheme that does not keep pressures positive cannot
// converge. With both sides alike and no incidence flow and forces are mirror images.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "core/math.hpp"
#include "mesh/curvilinear/share_blocks.hpp"
#include "run/engine.hpp"
#include "verify/aerodynamics/groups.hpp"

namespace watersmeet::verify {

namespace {
constexpr double mach = 6, area = 100;

Simulation converged_flow(Verification& v, const std::string& mesh, double incidence, double drop,
                          bool& converged) {
  FlowOnBlocks c;
  c.mesh = "kind = \"glider15\", " + mesh;
  c.stream = fmt::format("mach = {}, alpha_deg = {}", mach, incidence);
  c.order = 1;
  c.steady = true;
  c.time = fmt::format("cfl = 1.0\nresidual_drop = {}\nforce_window = 0\n", drop);
  Simulation s = start(v, c);
  converged = converge(s, drop, 600);
  return s;
}

// The largest difference of the pressures at z and -z over the largest pressure; infinite where a
// node has no mirror image. Where blocks meet a place has the states of each.
double asymmetry(Simulation& s) {
  const mesh::MultiBlockMesh& mesh = *s.engine().system().grid().blocks;
  const std::vector<std::int64_t> first = mesh::first_nodes(mesh);
  const std::vector<double> p = s.field("p");
  const auto rounded = [](double x) { return std::llround(x * 1e6); };
  std::map<std::array<long long, 3>, std::vector<double>> places;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const mesh::CurvilinearBlock& block = mesh.blocks[b];
    for (std::size_t n = 0; n < block.x[0].size(); ++n) {
      places[{rounded(block.x[0][n]), rounded(block.x[1][n]), rounded(block.x[2][n])}].push_back(
          p[static_cast<std::size_t>(first[b]) + n]);
    }
  }
  double largest = 0, difference = 0;
  for (auto& [place, values] : places) std::sort(values.begin(), values.end());
  for (const auto& [place, values] : places) {
    const auto image = places.find({place[0], place[1], -place[2]});
    if (image == places.end() || image->second.size() != values.size()) return HUGE_VAL;
    for (std::size_t n = 0; n < values.size(); ++n) {
      largest = max_or_nan(largest, values[n]);
      difference = max_or_nan(difference, std::abs(values[n] - image->second[n]));
    }
  }
  return difference / largest;
}
}  // namespace

void verify_vehicle(Verification& v) {
  if (!v.at_least(Extent::quick)) return v.leave_out("vehicle", "takes hundreds of cycles");
  const double drop = v.single() ? 1e-4 : 1e-12;
  bool converged = false;
  for (const std::string size : {"small", "medium"}) {
    const std::string name = "M 6, 5 degrees, " + size + " mesh: ";
    if (size == "medium" && !v.at_least(Extent::full)) {
      v.leave_out(name + "net fluxes", "takes a minute on one processor");
      continue;
    }
    Simulation inclined = converged_flow(v, "size = \"" + size + "\"", 5, drop, converged);
    v.above(name + "converged", converged ? 1 : 0, 1);
    const auto values = inclined.diagnostics();
    const double inflow = mach * area, enthalpy = 1 / 0.4 + 0.5 * mach * mach;
    const double balanced = v.single() ? 1e-4 : 1e-10;
    v.below(name + "net mass flux", std::abs(values.at("flux_mass")) / inflow, balanced);
    v.below(name + "net energy flux", std::abs(values.at("flux_energy")) / (inflow * enthalpy),
            balanced);
  }
  Simulation level = converged_flow(
      v, "size = \"small\", upper_angle_deg = 6.0, lower_angle_deg = 6.0", 0, drop, converged);
  v.above("both sides alike, 0 degrees: converged", converged ? 1 : 0, 1);
  const auto forces = level.diagnostics();
  v.below("both sides alike, 0 degrees: lift over drag",
          std::abs(forces.at("force_vehicle_z") / forces.at("force_vehicle_x")),
          v.single() ? 1e-4 : 1e-10);
  v.below("both sides alike, 0 degrees: pressure above less that below", asymmetry(level),
          v.single() ? 1e-3 : 1e-9);
}

}  // namespace watersmeet::verify
