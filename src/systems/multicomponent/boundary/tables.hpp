#pragma once
// The boundary conditions of one rank's part as the kernels read them: per side a kind for every
// cell and, where a state is prescribed or lies far away, that state. Values that depend on time
// are tabulated anew for every stage, for which the host must know t and dt of the step: only such
// cases wait for the clock.
//
//   begin_step(clock) of the system, then of each stage s
//     tables.set_stage(time of the stage / dt)
//     fill_boundaries(..., tables.call())

#include <cstdint>
#include <memory>
#include <vector>

#include "config/expression.hpp"
#include "exec/source_terms.hpp"
#include "memory/buffer.hpp"
#include "systems/multicomponent/boundary/conditions.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/timed_tables.hpp"

namespace watersmeet::multicomponent {

// What the numbers of the state are multiples of: density, speed, and with them pressure.
struct InternalScales {
  double density = 1, speed = 1;
};

class BoundaryTables : public systems::TimedTables {
 public:
  BoundaryTables() = default;
  // part: the cells of this rank in the indices of the whole grid. Error{user_input} for a state
  // outside the equation of state, naming key, place and time.
  BoundaryTables(const BoundaryConditions& conditions, const CellStates& initial, const Box& part,
                 Precision precision, const InternalScales& scales, const Queue& queue);

  const BoundaryCall& call() const { return call_; }
  // Whether anything prescribed on this part is an expression of t.
  bool depends_on_time() const override { return depends_on_time_; }

  // Where values of a side that read the state go, in scaled units, from the cell (0, 0, 0) of the part on. No start: nothing is prescribed there.
  exec::SideValues of_state(int side) const;

  // Tabulates for the time t.
  void set_time(double t, const Queue& queue) override;

 private:
  // A value that changes, on the cells of one condition.
  struct Live {
    std::string key;
    int variable;
    config::Expression expression;
    std::shared_ptr<const std::vector<std::int64_t>> cells;
    std::shared_ptr<const systems::Places> points;
  };
  struct Table {
    std::vector<std::uint8_t> kind;
    std::vector<double> states;          // [variable][cell], in units of the case
    std::vector<std::string> path;       // of each condition of the side, for messages
    std::vector<std::uint16_t> path_of;  // per cell
    std::vector<Live> live;
    memory::Buffer kind_buffer;
    systems::StagedTable states_table;  // as the kernels read them
  };

  void make_side(const BoundaryConditions& conditions, const CellStates& initial, const Box& part,
                 int side, const Queue& queue);
  void evaluate(Live& live, double t, const Queue& queue, Table& table);
  void check(int side, double t) const;
  void upload(int side, const Queue& queue);

  CellGrid grid_;
  Box part_;
  Precision precision_ = Precision::double_;
  InternalScales scales_;
  Table table_[6];
  BoundaryCall call_;
  bool depends_on_time_ = false;
};

}  // namespace watersmeet::multicomponent
