#include "systems/boussinesq/time_scheme.hpp"

#include "core/error.hpp"

namespace watersmeet::boussinesq {

namespace {
using exec::UpdateForm;

// of_before: of the rate before (history), or of the beginning of the step (base).
exec::StageUpdate<double> stage(UpdateForm form, double of_this, double of_before) {
  exec::StageUpdate<double> s;
  s.form = form;
  s.b = of_this;
  s.a = of_before;
  s.read_old = of_before != 0;
  return s;
}
}  // namespace

const std::vector<std::string>& time_scheme_names() {
  static const std::vector<std::string> names = {"ab2", "rk3", "ssp-rk3"};
  return names;
}

TimeScheme time_scheme(const std::string& name) {
  TimeScheme t;
  t.name = name;
  if (name == "rk3") {
    t.stages = {stage(UpdateForm::history, 8.0 / 15, 0),
                stage(UpdateForm::history, 5.0 / 12, -17.0 / 60),
                stage(UpdateForm::history, 3.0 / 4, -5.0 / 12)};
    t.ends = {8.0 / 15, 2.0 / 3, 1};
    t.fractions = {8.0 / 15, 2.0 / 15, 1.0 / 3};
    t.real_limit = 2.51;   // where |1 + z + z^2/2 + z^3/6| = 1 on the real axis
    t.largest_cfl = 1.73;  // sqrt(3), the same on the imaginary axis
    return t;
  }
  if (name == "ssp-rk3") {
    t.stages = {stage(UpdateForm::base, 1, 0), stage(UpdateForm::base, 1.0 / 4, 3.0 / 4),
                stage(UpdateForm::base, 2.0 / 3, 1.0 / 3)};
    t.ends = {1, 1.0 / 2, 1};
    t.fractions = {1, 1.0 / 4, 2.0 / 3};
    t.real_limit = 2.51;  // its polynomial of stability is that of rk3
    t.largest_cfl = 1.73;
    return t;
  }
  require(name == "ab2", "a time scheme of this system");
  t.stages = {stage(UpdateForm::history, 1.5, -0.5)};
  t.stages[0].adams_bashforth = true;
  t.ends = t.fractions = {1};
  t.real_limit = 1;
  // Central advection with diffusion is stable up to 0.48 to 0.79, as the diffusion number goes
  // from 0.01 to 0.2.
  t.largest_cfl = 0.8;
  t.multistep = true;
  return t;
}

}  // namespace watersmeet::boussinesq
