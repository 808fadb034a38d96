#pragma once
// Time schemes of shallow water: those of schemes/tableau.hpp as stage updates.

#include <string>
#include <vector>

#include "exec/cell.hpp"

namespace watersmeet::shallow_water {

struct TimeScheme {
  std::string name;
  exec::UpdateForm form = exec::UpdateForm::base;
  std::vector<exec::StageUpdate<double>> stages;
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

}  // namespace watersmeet::shallow_water
