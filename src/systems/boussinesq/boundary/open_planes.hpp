#pragma once
// The velocity across the open sides of one rank's part (open_faces.hpp): a small array a side with
// the faces of the solution, those of the next one, and the rates of the stage before, or with stages
// of the form `base` the faces at the beginning of the step. Planes change places as the registers of
// the state do.
//
//   register 0        the planes `now`     arrays(0)
//   register 1        the planes `next`    arrays(1), in which `now` is that of register 1
//
// Checkpoints hold arrays of the grid's shape: there the planes lie in the outermost layers of an
// array a component, at a lower side velocity and rate, at an upper one rate and velocity.

#include <vector>

#include "comm/domain.hpp"
#include "comm/exchange.hpp"
#include "comm/team.hpp"
#include "memory/state.hpp"
#include "systems/boussinesq/boundary/conditions.hpp"
#include "systems/boussinesq/initial.hpp"
#include "systems/boussinesq/loops.hpp"

namespace watersmeet::boussinesq {

class OpenPlanes {
 public:
  OpenPlanes() = default;
  // acceleration: that which varies in space, an expression an axis, else empty. Domain and team
  // outlive the planes.
  OpenPlanes(const BoundaryConditions& conditions, const StaggeredGrid& grid,
             const comm::Domain& domain, comm::Team& team,
             const std::array<std::string, 3>& acceleration, Precision precision,
             const Queue& queue);
  static std::size_t bytes_needed(const BoundaryConditions& conditions, const Index3& part,
                                  Precision precision);

  bool any() const { return any_; }              // of the whole grid, so that all ranks agree
  bool here() const { return !sides_.empty(); }  // of this rank
  OpenArrays arrays(int reg) const;
  // Where the rules of the ghosts of a register find them.
  void place_in(GhostRules& rules, int reg) const;
  // Faces of other ranks around the planes of a register.
  void exchange(int reg, const Queue& queue);
  // After a stage, and all stages of a step backwards (exec/stage_registers.hpp).
  void turn(exec::UpdateForm form, std::size_t stage);
  void turn_back(exec::UpdateForm form, std::size_t stages);

  void set_initial(const InitialState& initial, const StaggeredGrid& grid, const Queue& queue);
  // Lower sides from the cells that hold them; all else stays.
  void take_lower(const memory::State& state, int reg, const Queue& queue);
  // To and from the outermost layers of variables 0 to 2 of a register, which is cleared before.
  void store(memory::State& state, int reg, const Queue& queue) const;
  void restore(const memory::State& state, int reg, const Queue& queue);

 private:
  struct Side {
    int side = 0;
    memory::State planes;  // registers: now, next, rate
    comm::Exchange exchange;
    bool exchanged = false;
    memory::Buffer force;
  };
  Box layer(int side, int depth) const;  // of the part's cells
  void take(Side& s, int depth, const memory::State& state, int reg, const Queue& queue);

  bool any_ = false;
  Box part_;
  Index3 n_{1, 1, 1};
  bool wraps_[3] = {false, false, false};
  std::size_t word_ = 8;
  std::vector<Side> sides_;
};

}  // namespace watersmeet::boussinesq
