#pragma once
// Time schemes of three stages and third order: 2N Runge-Kutta with a stored increment
// (schemes/tableau.hpp), and the strong-stability-preserving one of Shu and Osher (1988), whose
// stages lean on the solution at the beginning of the step:
//   u1 = u0 + dt R(u0)
//   u2 = u1 + 3/4 (u0 - u1) + 1/4 dt R(u1)
//   u3 = u2 + 1/3 (u0 - u2) + 2/3 dt R(u2)

#include <string>
#include <vector>

#include "exec/cell.hpp"

namespace watersmeet::multicomponent {

struct TimeScheme {
  std::string name;
  exec::UpdateForm form = exec::UpdateForm::stored;
  std::vector<exec::StageUpdate<double>> stages;
  std::vector<double> times;  // at which each stage reads the solution, in units of dt

  // Words of a variable that a stage reads and writes if each field moves once.
  int words_of_stage(std::size_t s) const;
};

std::vector<std::string> time_scheme_names();  // the first is the default
TimeScheme time_scheme(const std::string& name);

}  // namespace watersmeet::multicomponent
