#include "systems/aerodynamics/case/outer_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "systems/aerodynamics/case/expression_flow.hpp"
#include "systems/aerodynamics/surface/tables.hpp"
#include "systems/prescribed_values.hpp"

namespace watersmeet::aerodynamics {

using config::FaultKind;

namespace {

// Texts of density, pressure and velocity.
using StateTexts = std::array<std::string, 5>;

StateTexts texts_of(const config::Input& input, const std::string& path,
                    const Primitive<double>& stream) {
  const double beneath[] = {stream.rho, stream.p, stream.u[0], stream.u[1], stream.u[2]};
  StateTexts texts;
  for (std::size_t n = 0; n < 5; ++n) texts[n] = fmt::format("{:.17g}", beneath[n]);
  const auto given = [&](const std::string& key) {
    return input.is_set(key) && input.is_good(key);
  };
  if (given(path + ".density")) texts[0] = input.expression(path + ".density");
  if (given(path + ".pressure")) texts[1] = input.expression(path + ".pressure");
  if (given(path + ".velocity")) {
    const auto velocity = input.expressions3(path + ".velocity");
    std::copy(velocity.begin(), velocity.end(), texts.begin() + 2);
  }
  return texts;
}

// Density, momentum and energy of them.
void keep_values(const std::string& path, const StateTexts& texts, double gamma,
                 std::vector<systems::SideValue>& values) {
  const auto& [rho, p, u, v, w] = texts;
  values.push_back({path + ".density", rho, s_rho});
  for (int m = 0; m < 3; ++m) {
    values.push_back({fmt::format("{}.velocity[{}]", path, m),
                      fmt::format("({})*({})", rho, texts[static_cast<std::size_t>(2 + m)]),
                      s_mx + m});
  }
  values.push_back({path + ".pressure",
                    fmt::format("({})*{:.17g} + 0.5*({})*(({})^2 + ({})^2 + ({})^2)", p,
                                1 / (gamma - 1), rho, u, v, w),
                    s_energy});
}

}  // namespace

bool read_outer_state(config::Input& input, const std::string& path, const FreeStream& stream,
                      Condition& condition, std::vector<systems::SideValue>& values) {
  if (!input.is_set(path)) return false;
  const StateTexts texts = texts_of(input, path, stream.flow);
  const auto any_reads = [&](const std::vector<std::string>& besides) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return systems::reads_state(text, besides, input.constants());
    });
  };
  if (any_reads(systems::place_variables())) {
    keep_values(path, texts, stream.gas.gamma, values);
    return true;
  }
  const ExpressionFlow flow(input, path + ".", stream.flow, true);
  if (!any_reads({})) {
    const std::string fault = outer_state_fault(flow.at({0, 0, 0}, 0), condition.kind, stream.gas);
    if (!fault.empty()) input.fault(FaultKind::range, path, fault);
  }
  condition.varies_in_time = flow.varies_in_time();
  if (condition.varies_in_time && input.text("time.mode") == "steady") {
    input.fault(FaultKind::conflict, path,
                "a run to a steady state counts cycles, which are no time: t has no meaning",
                "remove t, or set time.mode = \"unsteady\"");
  }
  condition.outside = [flow](const Real3& x, double t) { return flow.at(x, t); };
  return true;
}

bool whole_outer_state(const config::Input& input, const std::string& path) {
  return input.is_set(path + ".density") && input.is_set(path + ".pressure") &&
         input.is_set(path + ".velocity");
}

}  // namespace watersmeet::aerodynamics
