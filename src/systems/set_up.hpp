#pragma once
// What a system is before it steps: its equations and method, the keys of its case, its grid, what it needs, and how it begins. It tells
// faults of a case before it allocates anything.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comm/domain.hpp"
#include "comm/team.hpp"
#include "comm/traffic.hpp"
#include "config/input.hpp"
#include "core/device.hpp"
#include "core/types.hpp"
#include "mesh/grid_description.hpp"
#include "stream/plan.hpp"

namespace watersmeet::systems {

struct MemoryNeed {
  std::size_t working_bytes = 0;  // on the device
  std::size_t staging_bytes = 0;  // on the host, for output and checkpoints
};

// Where and with whom a case is computed. Team and domain outlive the system's use of them. Each
// rank has one part today.
struct Placement {
  Queue queue;
  comm::Team* team = nullptr;
  const comm::Domain* domain = nullptr;
  std::string schedule = "auto";
  // Where the solution is kept in host memory and computed by windows; none: it stays on the device.
  std::optional<stream::Plan> stream = std::nullopt;
};

// Whether and how the solution can be kept in host memory (stream/plan.hpp).
struct Streaming {
  std::string refusal;  // why it cannot be, a sentence without its stop; empty: it can
  stream::Demand demand;
  // Likewise why the host cannot update the stages.
  std::string no_host_updates =
      "the system does not say that its steps can end apart from its stages";
};

// A step by what was recorded of its system (run/recorded_speeds.cpp).
struct RecordedWork {
  std::string
      row;  // the system and what tells its rows apart; empty: nothing was recorded with the methods of this case
  double passes = 1;  // evaluations of the right-hand side in all points
};

// How the values of the state are carried to another grid (run/other_grid.hpp).
struct Transfer {
  // Values of cells are averages over them, and their sums are kept; else they are values at points. Staggered ones are values at points of
  // the axis that they are staggered along.
  bool averages = false;
  // What is linear in the scalars stays so beside jumps, where their slopes are limited by one factor.
  bool together = false;
  bool radial = false;             // y is the distance from an axis: volumes grow with it
  std::vector<double> units = {};  // of the stored values of each variable; empty: all 1
  // Variables that the case itself prescribes: they stay as it has them.
  std::vector<std::string> prescribed = {};
  // What a variable is where a file has others in its place: a sum of those, with factors.
  struct Sum {
    std::string of;
    std::vector<std::pair<std::string, double>> terms;
  };
  std::vector<Sum> sums = {};
  // What stored values refer to: a name for each, and words that differ where it does.
  using Basis = std::vector<std::pair<std::string, std::string>>;
  Basis basis = {};
  // The same of what they are made of once, when a run begins: another run may have it otherwise, a resumed one may not.
  Basis made_of = {};
};

// How a stored value of a variable follows from fields of a snapshot at its place, or, of a variable on faces, at the centres of cells.
struct FromFields {
  std::string variable;
  std::vector<std::pair<std::string, int>> fields;  // and the component of each
  std::function<double(const double*)> value;       // of their numbers
};

// A variable that is a field, or a component of one.
inline FromFields same_as_field(const std::string& variable, const std::string& field,
                                int component = 0) {
  return {variable, {{field, component}}, [](const double* v) { return v[0]; }};
}

class SetUp {
 public:
  virtual ~SetUp() = default;

  virtual std::string name() const = 0;
  virtual std::string summary()
      const = 0;  // "isothermal compressible Navier-Stokes, 6th order, 55-point"
  virtual std::vector<Variable> variables() const = 0;
  virtual Precision precision() const = 0;
  virtual std::uint64_t seed() const { return 0; }  // of random numbers, where the case has any

  // Reads every key; records faults in the input and allocates nothing.
  virtual void configure(config::Input& input) = 0;

  // The whole grid, once the case is configured without faults.
  virtual const mesh::GridDescription& grid() const = 0;
  // Stages of a step: evaluations of the right-hand side.
  virtual int stages() const = 0;
  // Bytes on one rank for a part of `cells`, everything of this case included.
  virtual MemoryNeed memory_needed(const Index3& cells) const = 0;
  // The same for a solution in host memory. By default it cannot be there.
  virtual Streaming streaming(const Index3& cells) const {
    (void)cells;
    return {"streaming is not implemented for this system", {}};
  }
  // What ranks with these parts of the grid send each other in a step.
  virtual comm::Traffic traffic(const comm::Domain& domain, comm::Overlap overlap) const = 0;
  // The same of ranks that have a GPU each.
  virtual comm::Traffic traffic_of_gpus(const comm::Domain& domain, comm::Overlap overlap) const {
    return traffic(domain, overlap);
  }
  virtual RecordedWork recorded_work() const { return {"", static_cast<double>(stages())}; }
  // Bytes that a step must move per point when every field is read and written once a pass: the
  // bound of progress lines.
  virtual double bytes_per_point_step() const = 0;
  // Floating-point operations of a right-hand side per point, by the count that the system's
  // README.md gives; 0 when nobody counted.
  virtual double flops_per_point_rhs() const { return 0; }
  // The most steps of a run for which the common keys give no end; 0: there are none.
  virtual std::int64_t most_steps() const { return 0; }
  // dt times the clock's signal above which the scheme lets waves grow; 0: not known.
  virtual double stable_cfl() const { return 0; }
  // A guess of dt from the initial fields sampled on a coarse grid.
  virtual double estimate_step(const config::Input& input) const = 0;

  // Allocates the state and chooses the kernels. Error{resource}, Error{unsupported}.
  virtual void allocate(const Placement& placement) = 0;
  // Initial fields of the case, on this rank's part.
  virtual void initialise(const config::Input& input) = 0;
  // A state of another grid may take the place of initialise()'s. Known once the case is configured.
  virtual Transfer transfer() const { return {}; }
  // For each variable of the state one way or more, of which the first possible one is taken; empty where a state does not follow from fields.
  virtual std::vector<FromFields> from_fields() const { return {}; }
  // The state was filled from another grid: makes one of it that the equations can continue from. Collective, with the clock at the first time.
  // `same_cells`: the other grid had the same, so that this state is one of such a run.
  virtual void adopt_state(bool same_cells) { (void)same_cells; }
};

}  // namespace watersmeet::systems
