#pragma once
// Source terms of a case, [[source]]: expressions of place, time and the local state that are added to the equations of a system
// (exec/source_terms.hpp). A system lists its equations and the names that stand for its state; what these are in its stored variables is
// text of the same language.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/input.hpp"
#include "config/program.hpp"
#include "core/types.hpp"
#include "exec/source_terms.hpp"
#include "memory/buffer.hpp"
#include "systems/kernel_timer.hpp"

namespace watersmeet::systems {

// An equation that a case may add to, of one component or of three.
struct SourceEquation {
  std::string key;  // source[].KEY
  int components = 1;
  std::string unit, help;
};
// The keys of [[source]]. coordinates: "x y z r"; t is added. state: names of the local state, "rho velocity.x velocity.y velocity.z".
std::vector<config::Key> source_keys(const std::vector<SourceEquation>& equations,
                                     const std::string& coordinates, const std::string& state);

// What a case adds to, and with what.
struct SourceModel {
  // Names of `state` that this case has: scalars or vectors, in terms of stored.NAME of the variables, of coordinates, of step.dt and of other
  // names.
  std::vector<config::FieldName> names;
  // The same, with x, y and z among them, where variables lie at several points of a cell: a set for each.
  std::vector<std::vector<config::FieldName>> points = {};
  // A variable that changes by a component of the expressions of a key, times a factor.
  struct Target {
    std::string key;
    int variable = 0;
    int component = -1;       // of a key of three; -1: of a key of one
    std::string factor = {};  // empty: 1
    int point = -1;           // a set of `points`; -1: `names`
  };
  std::vector<Target> targets;
  std::vector<Variable> variables;
  std::vector<std::string> coordinates = {"x", "y", "z"};
  // What definitions and factors use besides, but no case: values in a cell that no stage changes, given like coordinates, and definitions.
  // Each name has a point in it.
  std::vector<config::FieldName> hidden = {};
  std::string extra = {};  // of them, the extra variable of the launches
  // Coordinates and hidden values that have a number for each cell, not for each index along an axis.
  std::vector<std::string> by_cell = {};
  // A run to a steady state has no time: t is refused.
  bool steady = false;
  // Cells have one index, as the nodes of blocks in a row.
  bool in_a_row = false;
  // A hidden value: the mean of a stored variable over the cell and its neighbours at `reach` along each axis.
  struct Mean {
    std::string name;
    int variable = 0;
    std::array<int, 3> reach{0, 0, 0};
  };
  std::vector<Mean> means = {};
};

// A value that a side prescribes as an expression of the state in the cell beside it.
struct SideValue {
  std::string place, text;  // the key, for messages; what it says
  int variable = 0;         // number of its table, or the variable whose rate it is
  std::string factor = {};  // of what the table holds, or the rate; empty: 1
  int point = -1;           // a set of `points`; -1: `names`
};

class UserSources {
 public:
  // Values of a coordinate: values[i stride[0] + j stride[1] + k stride[2]] in the cell (i, j, k) of this rank's part.
  struct Place {
    std::vector<double> values;
    Index3 stride{0, 0, 0};
  };

  // Reads [[source]]; faults of the case.
  void configure(config::Input& input, const SourceModel& model);
  // Faults of the text of a case, of which a name that it may not use at this point is one.
  static void check(config::Input& input, const SourceModel& model, const std::string& place,
                    const std::string& text, int point);
  // Values at a side instead of terms of equations, whose texts have no faults; `targets` of the model do not count.
  void configure_side(config::Input& input, const SourceModel& model,
                      const std::vector<SideValue>& values);
  // The same of rates of change, for add(): fluxes through a side over the width of the cell beside it.
  void configure_fluxes(config::Input& input, const SourceModel& model,
                        const std::vector<SideValue>& values);
  bool any() const { return !terms_.programs.empty(); }
  bool changes(int variable) const;
  // What is kept for each cell on the device.
  std::size_t bytes_per_cell() const { return n_by_cell_ * sizeof(double); }
  // Words that the pass of a stage moves per point if each value moves once, early where it can be.
  double words(const exec::StageUpdate<double>& update) const;

  // place: of a coordinate or hidden value that an expression uses.
  void allocate(Precision precision, const std::function<Place(const std::string& name)>& place,
                const Queue& queue);
  // What the expressions add in the cells of a stage that has been launched. first: the cell of the part that is the launch's cell (0, 0, 0);
  // fraction: of dt, after which the stage reads.
  void add(const exec::Launch& launch, const Index3& first, double fraction) const;
  // The same before the stage is launched, where it can be (exec::can_add_early()).
  void add_early(const exec::Launch& launch, const Index3& first, double fraction) const;
  // Writes the rates of the variables that sources change to `out` of a launch, for the state `in`.
  void write_rates(const exec::Launch& launch, double fraction) const;
  // Writes values at a side, of what configure_side() was given (exec/source_terms.hpp).
  void write_side(const exec::Launch& launch, const Index3& first, double fraction,
                  const exec::SideValues& to) const;

 private:
  // Names of a model: the inputs, and the names of a case, which are defined in terms of these.
  struct Names {
    explicit Names(const SourceModel& of);
    // The names that a case may use at a point, and all that these are made of.
    std::vector<config::FieldName> of_case(int point) const;
    std::vector<config::FieldName> all(int point) const;
    void refuse_constants(config::Input& input) const;
    void check(config::Input& input, const std::string& place, const std::string& text,
               int point) const;

    const SourceModel& model;
    std::vector<config::FieldName> common, own;
    std::size_t time = 0, first_stored = 0, first_hidden = 0;
  };
  void keep_program(config::Input& input, const std::string& place, int variable,
                    const std::vector<Instruction>& code);
  // A run to a steady state has no t: whether one of these inputs, from the number `first` on, is the time, which is a fault then.
  static bool refused_time(config::Input& input, const Names& names, const std::string& place,
                           const std::vector<config::FieldInput>& inputs, std::size_t first);
  void keep_inputs(const Names& names, const std::vector<config::FieldInput>& inputs);
  // Parts that depend on one coordinate alone become tables of numbers along its axis, those that depend on time alone scalars of a stage.
  // values: of the inputs that are places, on the host.
  void separate_parts(std::vector<std::vector<double>>& values);
  // How many of these there will be where cells have one index: numbers in a cell.
  std::size_t tables_in_a_row() const;

  exec::SourceTerms terms_;
  std::vector<std::string> input_names_;  // of the places
  std::size_t n_by_cell_ = 0;
  std::vector<std::shared_ptr<const config::Table>> tables_;
  // Values of inputs and tables, on the device.
  std::vector<memory::Buffer> numbers_;
};

}  // namespace watersmeet::systems
