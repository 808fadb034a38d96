#pragma once
// The values that the conditions of the sides of a part prescribe, for each cell, in the memory where
// the kernels run. Values that depend on time are tabulated again on the host for every stage.

#include <string>
#include <vector>

#include "config/expression.hpp"
#include "core/device.hpp"
#include "exec/source_terms.hpp"
#include "mesh/geometry.hpp"
#include "systems/shallow_water/boundary/conditions.hpp"
#include "systems/timed_tables.hpp"

namespace watersmeet::shallow_water {

// The bed, an expression of x and y, and whether it may be dry.
struct Ground {
  std::string bed = "0";
  bool may_be_dry = false;
};

class BoundaryTables final : public systems::TimedTables {
 public:
  BoundaryTables() = default;
  // `part`: the cells of this rank, in indices of the grid of `cells`; its sides on the border of the
  // grid have conditions. ghosts: layers of the part along x and y. Error{user_input} names a value
  // that is not finite, or a prescribed surface below a bed that may not be dry.
  BoundaryTables(const BoundaryConditions& conditions, const mesh::Uniform& geometry,
                 const Index3& cells, const Box& part, const Index3& ghosts, const Ground& ground,
                 Precision precision, bool edges, const Queue& queue);

  const PlaneSides<double>& sides() const { return sides_; }
  bool depends_on_time() const override { return live_; }
  // Where the values of a side that read the state are written: surface, u and v, from cell (0, 0) of the part on. A null start: nothing is prescribed there.
  exec::SideValues of_state(int side) const;

 private:
  struct Table {
    config::Fault surface_place, velocity_place;
    std::vector<config::Expression> values;  // surface, u, v; empty: nothing is prescribed
    bool beyond = false;                     // one more face before the first and after the last
    FacesOfSide faces;
    std::vector<double> bed;  // of the cells there; empty: the surface may have any level
    bool live = false;        // depends on t
    systems::StagedTable staged;
  };
  void make_side(int side, const Queue& queue);
  static void check(const Table& table, const std::vector<double>& values, double t);
  void tabulate(Table& table, double t, const Queue& queue);
  void set_time(double t, const Queue& queue) override;

  Precision precision_ = Precision::double_;
  Table table_[4];
  PlaneSides<double> sides_;
  bool live_ = false;
};

}  // namespace watersmeet::shallow_water
