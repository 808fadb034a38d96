// Set-up of the state and the step of the isothermal system.
#include "systems/isothermal/system.hpp"

#include <fmt/format.h>

#include <cmath>

namespace watersmeet::isothermal {

std::unique_ptr<systems::System> make_system() { return std::make_unique<IsothermalSystem>(); }

std::string IsothermalSystem::summary() const {
  return fmt::format("isothermal compressible Navier-Stokes, 6th order, {}, {}",
                     method_ == Method::points55 ? "55-point" : "19-point", scheme_.name);
}

std::vector<Variable> IsothermalSystem::variables() const { return flow_variables(); }

void IsothermalSystem::allocate(const systems::Placement& placement) {
  allocate_state(placement);
  choose_loops(placement.schedule, !has_shock(), [&](exec::CellSchedule schedule) {
    loops_ = make_loops(queue_.backend, precision_, {method_, terms_, schedule}, case_);
  });
}

void IsothermalSystem::initialise(const config::Input& input) {
  const std::string entry = initial_entry(input);
  const auto key = [&](const char* name) {
    return input.place(config::FaultKind::range, entry + name);
  };
  const double inverse = 1.0 / physics_.reference_density;
  set_variable(lnrho, entry.empty() ? "1" : input.expression(entry + ".density"), key(".density"),
               true, [inverse](double rho) { return std::log(rho * inverse); });
  for (int a = 0; a < 3; ++a) {
    set_variable(
        ux + a,
        entry.empty() ? "0" : input.expressions3(entry + ".velocity")[static_cast<std::size_t>(a)],
        key(".velocity"), false);
  }
  forget_first_values();
}

systems::Transfer IsothermalSystem::transfer() const {
  return flow_transfer(physics_.reference_density);
}

std::vector<systems::FromFields> IsothermalSystem::from_fields() const {
  return flow_from_fields(physics_.reference_density);
}

exec::KernelReport IsothermalSystem::kernel() const {
  exec::KernelReport report = loops_->describe()[0];
  report.name = (method_ == Method::points55 ? "55-point " : "19-point ") + report.name;
  return report;
}

}  // namespace watersmeet::isothermal
