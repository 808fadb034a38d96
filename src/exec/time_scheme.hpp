#pragma once
// Time schemes as stage updates that lean on the beginning of the step or on a stored increment:
// the strong-stability-preserving ones of schemes/tableau.hpp, and one of fourth order.

#include <string>
#include <vector>

#include "exec/cell.hpp"

namespace watersmeet::exec {

struct TimeScheme {
  std::string name;
  UpdateForm form = UpdateForm::base;
  std::vector<StageUpdate<double>> stages;
  std::vector<double> times;          // at which each stage reads the solution, in units of dt
  std::vector<double> amplification;  // of u' = lambda u, in powers of lambda dt
  // Every stage is a mean of the beginning and of Euler steps of this part of dt; 1 and `preserves`
  // false where it is none.
  double euler_step = 1;
  bool preserves = true;

  // Words of a variable that a stage reads and writes if each field moves once.
  int words_of_stage(std::size_t s) const;
};

std::vector<std::string> time_scheme_names();  // the first is the default
TimeScheme time_scheme(const std::string& name);

}  // namespace watersmeet::exec
