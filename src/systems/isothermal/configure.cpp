// Reading a case: keys to numbers, and every fault that is known before anything is allocated.
#include <fmt/format.h>

#include <cmath>

#include "systems/isothermal/system.hpp"

namespace watersmeet::isothermal {

void IsothermalSystem::configure(config::Input& input) {
  configure_box(input);
  method_ = input.text("numerics.method") == "19-point" ? Method::points19 : Method::points55;
  physics_.sound_speed = input.real("physics.sound_speed");
  physics_.viscosity = input.real("physics.viscosity");
  physics_.bulk_viscosity = input.real("physics.bulk_viscosity");
  physics_.hyperviscosity = input.real("physics.hyperviscosity");
  physics_.reference_density = input.real("physics.reference_density");
  for (const std::string& field : input.texts("numerics.upwind")) {
    if (field == "rho") physics_.upwind_density = true;
    if (field == "velocity") physics_.upwind_velocity = true;
  }
  double sum2 = 0, sum6 = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    physics_.inverse_spacing[a] = inverse_spacing_[a];
    sum2 += std::pow(inverse_spacing_[a], 2);
    sum6 += std::pow(inverse_spacing_[a], 6);
  }
  const double nu = physics_.viscosity + physics_.bulk_viscosity, nu_3 = physics_.hyperviscosity;
  rule_.rate = (nu > 0 ? nu * sum2 / diffusive_limit(input) : 0.0) +
               (nu_3 > 0 ? nu_3 * sum6 / hyperdiffusive_limit(input) : 0.0);
  if (!(physics_.hyperviscosity > 0))
    input.refuse_idle("time.cfl_hyper", "there is no physics.hyperviscosity");
  configure_shock(input, physics_.shock_scale, physics_.shock_signal);
  if (method_ == Method::points19) {
    if (has_shock())
      input.fault(config::FaultKind::conflict, "numerics.method",
                  "physics.shock_viscosity takes the place of the stored div u",
                  "use method = \"55-point\"");
    pass_plans_ = {{"div u", mesh::GhostReach::faces, 4}};
  }
  if (!(physics_.viscosity + physics_.bulk_viscosity > 0) && !has_shock())
    input.refuse_idle("time.cfl_viscous", "there is no viscosity");
  check_cfl(input);
  configure_forcing(input, physics_.sound_speed);
  const bool extended = physics_.upwind_density || physics_.upwind_velocity ||
                        physics_.hyperviscosity > 0 || !acceleration_.empty() ||
                        forcing_.place == ForcingPlace::inside;
  sources_.configure(input, source_model(fmt::format("{:.17g}", std::pow(physics_.sound_speed, 2)),
                                         physics_.reference_density));
  terms_ = has_shock() ? Terms::shock : extended ? Terms::extended : Terms::plain;
}

}  // namespace watersmeet::isothermal
