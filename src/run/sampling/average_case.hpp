#pragma once
// Averages in time that a case asks for, [[output.average]]: what is summed, over which windows of time, and under which names it is written.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "config/input.hpp"
#include "config/program.hpp"
#include "run/sampling/packed_fields.hpp"
#include "systems/system.hpp"

namespace watersmeet::run {

// A field of the results: the means of one expression or of the components of a vector, or second moments.
struct AverageTerm {
  std::string name;       // "velocity_mean", "rho_velocity_x_mean", "u_v_covariance"
  std::string long_name;  // "mean of rho*velocity.x"
  std::string units;      // a dimension; "unknown" where it does not follow from one field
  bool moment = false;    // `sums` are numbers of pairs, else of expressions
  std::vector<int> sums;  // one for each component
};

// One [[output.average]].
struct AverageCase {
  std::string name;
  double from = 0;
  double every = 0;  // length of a window; 0: one window to the end of the run
  std::int64_t sample_every_steps = 1;
  int profile_axis = -1;                 // -1: no profile
  bool fields = true;                    // whether the fields are written
  std::vector<std::string> expressions;  // each once
  std::vector<std::vector<Instruction>> programs;
  std::vector<std::pair<int, int>> pairs;  // of expressions, each pair once
  std::vector<AverageTerm> terms;
  // What the sums of a checkpoint must have been made of so that a run can continue them.
  std::string definition() const;
  std::size_t sums() const { return expressions.size() + pairs.size(); }
};

// All of a case. The fields are shared by all of them.
struct AverageCases {
  std::vector<AverageCase> cases;
  NeededFields fields;
  // Where the kernels run, for each cell of a part: sums, and quantities as they are evaluated.
  std::size_t bytes_per_cell(Precision precision) const;
  // In a checkpoint, for each cell.
  std::size_t checkpoint_bytes_per_cell() const;
};

// Records the faults of the averages of a case whose system is configured; part of loading.
void check_averages(config::Input& input, const systems::System& system);
// Requires a case without faults.
AverageCases averages_of(const config::Input& input, const systems::System& system);

}  // namespace watersmeet::run
