#include "systems/atmosphere/split.hpp"

#include "systems/atmosphere/system.hpp"

namespace watersmeet::atmosphere {

exec::TimeScheme split_scheme() {
  exec::TimeScheme scheme;
  scheme.name = split_scheme_name;
  scheme.form = exec::UpdateForm::base;
  scheme.times = {0, split_gamma, 1};
  // The amplification of the explicit part, the same for all schemes of three stages and third order.
  scheme.amplification = {1, 1, 0.5, 1.0 / 6};
  scheme.preserves = false;
  const auto add = [&](double a, double b) {
    scheme.stages.push_back({.form = exec::UpdateForm::base,
                             .a = a,
                             .b = b,
                             .read_old = a > 0,
                             .write_increment = false,
                             .last = scheme.stages.size() == 2});
  };
  add(0, split_gamma);      // q + gamma dt R(q)
  add(1, 1 - split_delta);  // that + (1 - delta) dt R(y2)
  add(1, split_gamma);      // q + (1 - gamma) dt R(y2) + gamma dt R(y3)
  return scheme;
}

std::vector<std::string> time_scheme_choices() {
  std::vector<std::string> names = exec::time_scheme_names();
  names.emplace_back(split_scheme_name);
  return names;
}

// Refuses what is not possible with sound that is implicit across levels.
void AtmosphereSystem::refuse_with_split(config::Input& input) const {
  using config::FaultKind;
  const std::string hevi = "with time.scheme = \"hevi\" ";
  if (flow_.viscosity > 0) {
    input.fault(FaultKind::conflict, "physics.viscosity",
                hevi +
                    "viscosity is not possible: it is explicit, and the thickness of a level would "
                    "bound the step",
                "set viscosity = 0, or scheme = \"ssp-rk3\"");
  }
  if (looks_across()) {
    input.fault(
        FaultKind::conflict, "numerics.reconstruction.transverse",
        hevi + "a transverse term is not possible: faces between levels use means of two cells",
        "set transverse = 0, or scheme = \"ssp-rk3\"");
  }
  if (cells_[0] == 1 && cells_[1] == 1 && !input.is_set("time.dt")) {
    input.fault(FaultKind::conflict, "time.scheme",
                "in a single column hevi has no limit of the time step but the speed of the flow",
                "give time.dt, or set scheme = \"ssp-rk3\"");
  }
}

SplitCall AtmosphereSystem::split_call(bool second) const {
  SplitCall s;
  s.gamma = split_gamma;
  s.delta = split_delta;
  s.second = second;
  s.q = state_.start(0);
  s.y = state_.start(1);
  s.first_sum = state_.start(2);
  s.second_sum = state_.start(3);
  s.elimination = elimination_.start(0);
  return s;
}

void AtmosphereSystem::run_split_stages() {
  const int in[3] = {0, 1, 1}, out[3] = {2, 3, 3};
  for (std::size_t s = 0; s < 3; ++s) {
    run_stage(in[s], out[s], s);
    if (s == 2) break;
    loops().solve_columns(launch(in[s], out[s]), split_call(s == 1));
    state_.set_valid_ghosts(1, 0);
  }
  state_.swap(0, 3);
  state_.set_valid_ghosts(0, 0);
}

}  // namespace watersmeet::atmosphere
