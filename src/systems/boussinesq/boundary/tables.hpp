#pragma once
// The boundary conditions of one rank's part as the kernels read them: a factor a side and
// variable, and a constant or a table. Those that depend on time are tabulated anew for every
// stage, for which the host must know t and dt of the step: only such cases wait for the clock.
//
//   begin_step(clock) of the system, then of each stage
//     tables.set_stage(its end as a fraction of dt)
//     fill_ghosts(..., tables.rules())

#include <vector>

#include "exec/source_terms.hpp"
#include "systems/boussinesq/boundary/conditions.hpp"
#include "systems/boussinesq/loops.hpp"
#include "systems/prescribed_values.hpp"
#include "systems/timed_tables.hpp"

namespace watersmeet::boussinesq {

class BoundaryTables final : public systems::TimedTables {
 public:
  BoundaryTables() = default;
  // part: the cells of this rank in the indices of the whole grid; `alone`: there is no other rank,
  // so that periodic sides are wrapped here. Both outlive the tables.
  BoundaryTables(const BoundaryConditions& conditions, const StaggeredGrid& grid, const Box& part,
                 bool alone, Precision precision, const Queue& queue);

  const GhostRules& rules() const { return rules_; }
  // No flux of the pressure through sides, and the pressure 0 on open ones.
  const GhostRules& pressure_rules() const { return pressure_rules_; }
  bool depends_on_time() const override { return !live_.empty(); }
  // Where the values of a condition that reads the state go, from the cell (0, 0, 0) of the part on. No start: the part does not touch the side.
  exec::SideValues of_state(int side, int variable) const;

 private:
  struct Table {
    int side = 0, variable = 0;
    double scale = 1;
    config::Fault place;
    config::Expression expression;
    systems::Places places;
    systems::StagedTable staged;
  };
  void make_table(const AffineCondition& condition, int side, int variable,
                  const StaggeredGrid& grid, const Queue& queue);
  void evaluate(Table& table, double t, const Queue& queue);
  void set_time(double t, const Queue& queue) override;

  const BoundaryConditions* conditions_ = nullptr;
  Box part_;
  Precision precision_ = Precision::double_;
  GhostRules rules_, pressure_rules_;
  std::vector<Table> tables_;
  std::vector<systems::StagedTable> of_state_;
  std::vector<std::size_t> live_;  // those of expressions of t
  double tabulated_at_ = 0;
};

}  // namespace watersmeet::boussinesq
