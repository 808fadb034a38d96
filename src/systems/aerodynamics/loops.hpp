#pragma once
// The launches of aerodynamics over the nodes of a level, and what they are made of: the parameters of the level in double, and the variant
// that is chosen when the level is set up. Functors whose members are all that a launch needs are given as such, in double
// (Inject, Correct, Gather, CoarseProgram); they are rounded once to the precision of the loops like all parameters.

#include <cstdint>
#include <memory>
#include <span>

#include "exec/loops.hpp"
#include "exec/node_pool.hpp"
#include "systems/aerodynamics/quantities.hpp"
#include "systems/aerodynamics/scheme/coarse_program.hpp"
#include "systems/aerodynamics/scheme/diagnosis.hpp"
#include "systems/aerodynamics/scheme/gather.hpp"
#include "systems/aerodynamics/surface/sums.hpp"

namespace watersmeet::aerodynamics {

// A level (level.hpp). Arrays lie on the device, in their precision; those over the pool have the pitch of the state.
struct LevelParameters {
  FlowModel<double> model;
  exec::NodeOperators<double> operators;
  exec::NodePool pool;
  int uniform_order = 0;   // of all directions, or 0
  int gathered_order = 0;  // of stencils (exec/node_gather.hpp), or 0: they are not gathered
  std::int64_t nodes = 0, pitch = 0;
  TableAddress<double> area;            // [3 direction + component]
  TableAddress<double> inverse_volume;  // 1/V
  ArrayAddress<double> local_step;      // dt/V
  ArrayAddress<double> sensor;          // [direction], or null
  bool hold_sensor = false;             // it only grows
  ArrayAddress<double> share;           // of transfers (local_step.hpp), or null
  ArrayAddress<double> pressure;        // for the sensor, CUDA
  ArrayAddress<double> troubled;        // 1 where a state was limited; with a sensor only
  SurfaceArrays<double> surfaces;       // without the state
  std::int64_t surface_nodes = 0;
  const std::int32_t* surface_of = nullptr;  // the list of each node, or -1; null: see level.cpp
  // The sums of penalties, without the surfaces; no entries: states of other ranks come between, or a CPU.
  SurfaceSums<double> sums;
  // Tables of a level that is observed: V H, the enthalpy and the scales of the free stream.
  TableAddress<double> node_volume;
  double enthalpy = 1;
  StreamScale<double> scale{};
};

// A pass over the nodes of a level.
struct StageCall {
  StageUpdate<double> update;
  // Arrays [variable][pitch]; stage.hpp says which ones a form uses.
  TableAddress<double> in;
  ArrayAddress<double> out;
  TableAddress<double> base;
  ArrayAddress<double> kept;
  ArrayAddress<double> forcing;
  int forced = ~0;
  double cfl = 1;  // local steps
  // Loops run in an active step only, or `always`; they take dt from the clock, and report to it
  // the states that were limited and (`signal`) the largest signal.
  exec::Clock* clock = nullptr;
  bool always = false, signal = false;
  // To be done by the same call where the schedule can: penalties, and before them steps.
  bool whole = false, steps = false;
  bool summed = false;  // the level's sums are those of call.in, and to be added
  bool sensor = false;  // local steps: the sensor where the level has one
  bool shares = false;  // local steps: the shares of transfers
  // The pressures of the level: a local stage makes those of its new state, where it does the
  // penalties itself; for the sensor they are known already.
  bool pressures = false;
  bool damped = false;  // a residual is multiplied by the shares of transfers
  Queue queue;
};

// In launches of the common interface `extra` is the residual, in the layout of the state.
class FlowLoops : public exec::CommonLaunches {
 public:
  // Steps, sensor, shares and signal of call.in (local_step.hpp), as far as they are asked for.
  virtual void local_step(const StageCall& call) = 0;
  // Right-hand side and update of all nodes, and the penalties of those on faces. Returns
  // whether it did these as well, before or in the same launch; else surfaces() follows.
  virtual bool stage(const StageCall& call) = 0;
  virtual void surfaces(const StageCall& call) = 0;
  virtual void gather(const Gather<double>& body, std::int64_t count, const Queue& queue) = 0;
  // State down, the same with residuals, to this level; corrections up to it.
  virtual void inject(const Inject<double>& body, exec::Clock* clock, const Queue& queue) = 0;
  virtual void descend(const Descend<double>& body, exec::Clock* clock, const Queue& queue) = 0;
  virtual void correct(const Correct<double>& body, exec::Clock* clock, const Queue& queue) = 0;
  // A cycle of this grid and all coarser ones in one launch; `bytes` of a thread block.
  virtual void program(const CoarseProgram<double>& body, std::span<const ProgramOp> ops,
                       std::size_t bytes, exec::Clock* clock, const Queue& queue) = 0;
  virtual ProgramRoom program_room() const = 0;
};

// The level must outlive its loops.
std::unique_ptr<FlowLoops> make_loops(Backend backend, Precision precision,
                                      const LevelParameters& level);

// The loops of one back end and number type; variants.hpp defines it for the files that the build makes.
template <class BackEnd, class R>
struct Variants {
  static std::unique_ptr<FlowLoops> make(const LevelParameters& level);
};

}  // namespace watersmeet::aerodynamics
