#include "systems/aerodynamics/case/initial.hpp"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "mesh/curvilinear/share_blocks.hpp"

namespace watersmeet::aerodynamics {

std::vector<config::Key> initial_keys() {
  std::vector<config::Key> keys = flow_keys();
  for (config::Key& key : expression_flow_keys("initial[].", false, "Initial ")) {
    keys.push_back(std::move(key));
  }
  return keys;
}

InitialFlow::InitialFlow(config::Input& input, const FreeStream& stream) : stream_(stream) {
  for (std::size_t e = 0; e < input.count("initial"); ++e) {
    const std::string entry = "initial[" + std::to_string(e) + "]";
    std::optional<ExactFlow> flow = read_flow(input, entry, stream);
    if (flow) exact_ = flow;
    entries_.push_back({flow, ExpressionFlow(input, entry + ".", stream.flow, false)});
    const auto note = [&](const std::string& key, config::Fault& place) {
      if (input.is_set(entry + key)) place = input.place(config::FaultKind::range, entry + key);
    };
    for (config::Fault* const place : {&density_place_, &pressure_place_, &velocity_place_}) {
      if (flow || place->key.empty()) *place = input.place(config::FaultKind::range, entry);
    }
    note(".density", density_place_);
    note(".pressure", pressure_place_);
    note(".velocity", velocity_place_);
  }
}

std::vector<double> InitialFlow::evaluate(const mesh::MultiBlockMesh& mesh, std::int64_t first,
                                          std::int64_t last) const {
  const auto count = static_cast<std::size_t>(last - first);
  std::vector<double> w(n_variables * count);
  const std::vector<std::int64_t> begins = mesh::first_nodes(mesh);
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    if (begins[b + 1] <= first || begins[b] >= last) continue;
    const mesh::CurvilinearBlock& block = mesh.blocks[b];
    for (std::int64_t n = std::max(begins[b], first); n < std::min(begins[b + 1], last); ++n) {
      const auto o = static_cast<std::size_t>(n - begins[b]);
      const Real3 x{block.x[0][o], block.x[1][o], block.x[2][o]};
      Primitive<double> f = stream_.flow;
      for (const Entry& entry : entries_) {
        if (entry.flow) f = entry.flow->at(x, 0);
        f = entry.expressions.at(x, 0, f);
      }
      const auto require = [&](bool good, double value, const char* what,
                               const config::Fault& place, const char* allowed) {
        if (good) return;
        throw config::error_at(place,
                               fmt::format("the initial {} is {}: {}", what, config::shown(value),
                                           mesh::place_text(mesh, n)),
                               allowed);
      };
      for (const auto& [value, what, place] :
           {std::tuple{f.rho, "density", &density_place_}, {f.p, "pressure", &pressure_place_}})
        require(value > 0 && std::isfinite(value), value, what, *place, "finite numbers above 0");
      for (int a = 0; a < 3; ++a)
        require(std::isfinite(f.u[a]), f.u[a], "velocity", velocity_place_, "finite numbers");
      const Conserved<double> s = conserved_of(f, stream_.gas);
      for (int v = 0; v < n_variables; ++v) {
        w[static_cast<std::size_t>(v) * count + static_cast<std::size_t>(n - first)] = s[v];
      }
    }
  }
  return w;
}

}  // namespace watersmeet::aerodynamics
