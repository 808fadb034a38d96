// Reading a case: keys to numbers, and every fault that is known before anything is allocated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/mhd/system.hpp"

namespace watersmeet::mhd {

void MhdSystem::configure(config::Input& input) {
  configure_box(input);
  has_entropy_ = input.text("physics.energy") == "entropy";
  physics_.sound_speed = input.real("physics.sound_speed");
  physics_.gamma = has_entropy_ ? input.real("physics.gamma") : 1.0;
  physics_.heat_capacity = input.real("physics.heat_capacity");
  physics_.permeability = input.real("physics.permeability");
  physics_.reference_density = input.real("physics.reference_density");
  const Real3 background = input.reals3("physics.background_field");
  for (std::size_t a = 0; a < 3; ++a) {
    physics_.background[a] = background[a];
    physics_.inverse_spacing[a] = inverse_spacing_[a];
  }
  physics_.resistive_gauge = input.text("physics.gauge") == "resistive";
  const char* const groups[] = {"rho", "velocity", "potential", "entropy"};
  for (const std::string& field : input.texts("numerics.upwind")) {
    for (int g = 0; g < 4; ++g)
      if (field == groups[g]) physics_.upwind[g] = true;
  }
  if (!has_entropy_) {
    const char* const why = "physics.energy is \"isothermal\"";
    for (const char* const path :
         {"physics.gamma", "physics.heat_capacity", "physics.thermal_diffusivity",
          "physics.conductivity", "physics.hyperdiffusivity"})
      input.refuse_idle(path, why);
    for (std::size_t n = 0; n < input.count("initial"); ++n)
      input.refuse_idle("initial[" + std::to_string(n) + "].entropy", why);
    if (physics_.upwind[3]) {
      input.fault(config::FaultKind::conflict, "numerics.upwind",
                  "there is no entropy: physics.energy is \"isothermal\"", "remove \"entropy\"");
    }
  } else if (!(physics_.sound_speed > 0)) {
    input.fault(config::FaultKind::range, "physics.sound_speed",
                "an ideal gas needs a sound speed above 0", "use physics.energy = \"isothermal\"");
  }
  if (input.is_set("physics.velocity")) configure_kinematic(input);
  configure_diffusion(input);
  check_cfl(input);
  configure_forcing(input, physics_.sound_speed);
  configure_sources(input);
  const double largest_hyper = std::max({physics_.hyper[1], physics_.hyper[2], physics_.hyper[3]});
  const bool extended =
      std::any_of(physics_.upwind, physics_.upwind + 4, [](bool b) { return b; }) ||
      largest_hyper > 0 || !acceleration_.empty() ||
      forcing_.place == systems::ForcingPlace::inside;
  terms_ = has_shock() ? Terms::shock : extended ? Terms::extended : Terms::plain;
}

// c_s^2, T and what heat makes of the entropy are those of equations.hpp.
void MhdSystem::configure_sources(config::Input& input) {
  const double square = physics_.sound_speed * physics_.sound_speed, gamma_1 = physics_.gamma - 1;
  const std::string sound2 =
      has_entropy_ ? fmt::format("{:.17g}*exp({:.17g}*stored.entropy + {:.17g}*stored.lnrho)",
                                 square, physics_.gamma, gamma_1)
                   : fmt::format("{:.17g}", square);
  systems::SourceModel model =
      source_model(fmt::format("{}/{:.17g}", sound2, physics_.gamma), physics_.reference_density);
  model.names.push_back({"vector_potential", 3, {"stored.ax", "stored.ay", "stored.az"}});
  for (int a = 0; a < 3; ++a) model.targets.push_back({"potential", ax + a, a});
  if (has_entropy_) {
    model.names.push_back({"entropy", 1, {"stored.entropy"}});
    model.names.push_back(
        {"temperature", 1, {fmt::format("{}/{:.17g}", sound2, gamma_1 * physics_.heat_capacity)}});
    model.targets.push_back(
        {"heating", entropy, -1, fmt::format("{:.17g}/(rho*{})", gamma_1, sound2)});
  }
  for (std::size_t n = 0; n < input.count("source"); ++n) {
    const std::string entry = "source[" + std::to_string(n) + "]";
    if (!has_entropy_) input.refuse_idle(entry + ".heating", "physics.energy is \"isothermal\"");
    for (const char* const name : {".density", ".velocity"}) {
      if (physics_.kinematic)
        input.refuse_idle(entry + name, "physics.velocity prescribes the flow");
    }
  }
  sources_.configure(input, model);
}

// A prescribed flow, in which everything but the induction equation has no effect.
void MhdSystem::configure_kinematic(config::Input& input) {
  physics_.kinematic = true;
  const auto velocity = input.expressions3("physics.velocity");
  velocity_.assign(velocity.begin(), velocity.end());
  velocity_place_ = input.place(config::FaultKind::range, "physics.velocity");
  velocity_words_ = fmt::format("({})", fmt::join(velocity_, ", "));
  for (const std::string& name : config::names_in(velocity_words_)) {
    const auto constant = input.constants().numbers.find(name);
    if (constant != input.constants().numbers.end())
      velocity_words_ += fmt::format(" with {} = {}", name, constant->second);
  }
  const char* const why = "physics.velocity prescribes the flow";
  for (const char* const path :
       {"physics.energy", "physics.sound_speed", "physics.viscosity", "physics.bulk_viscosity",
        "physics.hyperviscosity", "physics.shock_viscosity", "physics.acceleration"})
    input.refuse_idle(path, why);
  if (input.text("forcing.kind") != "none") input.refuse_idle("forcing.kind", why);
  // In the Weyl gauge nothing damps the part of A that is a gradient, whose discrete j is not 0: at Rm = 12 fields grew in the ABC flow with
  // the rate 0.31 on 24^3 cells in place of 0.0081.
  if (!physics_.resistive_gauge)
    input.fault(config::FaultKind::conflict, "physics.gauge",
                "in a prescribed flow the Weyl gauge makes fields grow that the equations do not",
                "use gauge = \"resistive\", which has the same B");
  for (std::size_t n = 0; n < input.count("initial"); ++n) {
    for (const char* const name : {".density", ".velocity"})
      input.refuse_idle("initial[" + std::to_string(n) + "]" + name, why);
  }
  for (int group : {0, 1, 3}) {
    if (physics_.upwind[group])
      input.fault(config::FaultKind::conflict, "numerics.upwind",
                  std::string("only the potential is advected: ") + why,
                  "use upwind = [\"potential\"] or remove it");
  }
}

// Diffusivities, and the limits that they put on the step.
void MhdSystem::configure_diffusion(config::Input& input) {
  physics_.viscosity = physics_.kinematic ? 0.0 : input.real("physics.viscosity");
  physics_.bulk_viscosity = input.real("physics.bulk_viscosity");
  physics_.resistivity = input.real("physics.resistivity");
  physics_.thermal_diffusivity = input.real("physics.thermal_diffusivity");
  physics_.conductivity = input.real("physics.conductivity");
  physics_.hyper[1] = input.real("physics.hyperviscosity");
  physics_.hyper[2] = input.real("physics.hyperresistivity");
  physics_.hyper[3] = input.real("physics.hyperdiffusivity");
  double sum2 = 0, sum6 = 0;
  for (const double g : inverse_spacing_) {
    sum2 += std::pow(g, 2);
    sum6 += std::pow(g, 6);
  }
  // Heat diffuses with gamma chi: at constant density lap ln T = gamma lap q.
  const double largest =
      std::max({physics_.viscosity + physics_.bulk_viscosity, physics_.resistivity,
                physics_.gamma * physics_.thermal_diffusivity});
  const double largest_hyper = std::max({physics_.hyper[1], physics_.hyper[2], physics_.hyper[3]});
  const bool diffuses = largest > 0 || physics_.conductivity > 0;
  const double limit = diffuses ? diffusive_limit(input) : input.real("time.cfl_viscous");
  rule_.rate = largest * sum2 / limit +
               (largest_hyper > 0 ? largest_hyper * sum6 / hyperdiffusive_limit(input) : 0.0);
  physics_.conduction_signal = rule_.cfl * physics_.gamma * sum2 / limit;
  if (!(largest_hyper > 0)) input.refuse_idle("time.cfl_hyper", "there is no hyperdiffusivity");
  if (!physics_.kinematic) configure_shock(input, physics_.shock_scale, physics_.shock_signal);
  if (!diffuses && !has_shock())
    input.refuse_idle("time.cfl_viscous", "there is no viscosity and no diffusivity");
}

// Waves of the background field at the reference density; the field of the potential is not known yet.
double MhdSystem::estimate_step(const config::Input& input) const {
  const double* const b = physics_.background;
  const double alfven2 = (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]) /
                         (physics_.permeability * physics_.reference_density);
  if (physics_.kinematic) return estimate_from(velocity_, velocity_place_, 0.0);
  return estimate_from_initial(input,
                               std::sqrt(physics_.sound_speed * physics_.sound_speed + alfven2));
}

}  // namespace watersmeet::mhd
