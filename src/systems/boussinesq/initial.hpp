#pragma once
// Reads [[initial]]: expressions of the place, later entries over earlier ones, and random noise
// that depends on seed and cell alone.

#include <vector>

#include "config/input.hpp"
#include "systems/boussinesq/grid.hpp"
#include "systems/boussinesq/parameters.hpp"
#include "systems/tabulate.hpp"

namespace watersmeet::boussinesq {

// The points of a variable in a box of cells of the whole grid.
systems::GridCoordinates points_of(const StaggeredGrid& grid, const Box& box, int variable);
// An expression there, packed [k][j][i]; Error{user_input} at `key` of the first value that is not
// finite.
std::vector<double> tabulated(const std::string& expression, const config::Constants& constants,
                              const config::Fault& key, const systems::GridCoordinates& at,
                              int threads);

class InitialState {
 public:
  InitialState() = default;
  // Every fault goes into the input.
  InitialState(config::Input& input, const Parameters& parameters);

  // Values of a variable at its own points in a box of cells of the whole grid, packed [k][j][i].
  // Error{user_input} naming the first that is not finite.
  std::vector<double> evaluate(int variable, const StaggeredGrid& grid, const Box& box,
                               int threads) const;
  // Values of a variable on a coarse sample of the grid, without noise, and the largest magnitude
  // of its noise: for estimates.
  std::vector<double> sample(int variable, const StaggeredGrid& grid) const;
  double noise_of(int variable) const;
  std::uint64_t seed() const { return noises_.empty() ? 0 : noises_.front().seed; }

 private:
  struct Noise {
    bool velocity = false;
    double amplitude = 0;
    std::uint64_t seed = 0;
  };
  struct Given {
    config::Fault place;  // of the key
    std::string expression = "0";
  };
  config::Constants constants_;
  std::vector<Given> given_;  // a variable each
  std::vector<Noise> noises_;
};

std::vector<config::Key> initial_keys();

}  // namespace watersmeet::boussinesq
