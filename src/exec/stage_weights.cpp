// Runs the stage updates on one number, whose rates are chosen.
#include "exec/stage_weights.hpp"

#include "exec/face.hpp"

namespace watersmeet::exec {

namespace {

// The solution before each stage and after the last, from 0 with dt = 1.
std::vector<double> solutions(std::span<const StageUpdate<double>> updates,
                              std::span<const double> rates, Precision precision) {
  const auto rounded = [&](double x) {
    return precision == Precision::single_ ? double(static_cast<float>(x)) : x;
  };
  double u = 0, before = 0, increment = 0;
  std::vector<double> all = {u};
  for (std::size_t s = 0; s < updates.size(); ++s) {
    StageUpdate<double> update = updates[s];
    update.a = rounded(update.a);
    update.b = rounded(update.b);
    const double old = update.form == UpdateForm::two      ? before
                       : update.form == UpdateForm::stored ? increment
                                                           : 0.0;
    const auto next = advance_value(update, u, old, rates[s], 1.0);
    before = u;
    u = next.value;
    increment = next.increment;
    all.push_back(u);
  }
  return all;
}

}  // namespace

std::vector<double> stage_weights(std::span<const StageUpdate<double>> updates,
                                  Precision precision) {
  std::vector<double> weights;
  for (std::size_t s = 0; s < updates.size(); ++s) {
    std::vector<double> rates(updates.size(), 0.0);
    rates[s] = 1;
    weights.push_back(solutions(updates, rates, precision).back());
  }
  return weights;
}

}  // namespace watersmeet::exec
