#pragma once
// The functors of a level's launches, made in double of its parameters and of a call; rounded_to() turns each into that of the loops'
// precision.

#include <type_traits>

#include "core/rounded.hpp"
#include "exec/node_gather.hpp"
#include "systems/aerodynamics/loops.hpp"
#include "systems/aerodynamics/scheme/joined_stage.hpp"
#include "systems/aerodynamics/scheme/marched_stage.hpp"

namespace watersmeet::aerodynamics {

inline exec::NodeArrays<double> node_arrays_of(const LevelParameters& level,
                                               const StageCall& call) {
  return {call.in, level.area, level.sensor, level.pitch};
}

inline StageArrays<double> stage_arrays_of(const LevelParameters& level, const StageCall& call) {
  StageArrays<double> a;
  a.out = call.out;
  a.base = call.base;
  a.kept = call.kept;
  a.forcing = call.forcing;
  a.forced = call.forced;
  a.local_step = level.local_step;
  a.inverse_volume = level.inverse_volume;
  a.troubled = level.troubled;
  if (call.pressures) a.pressure = level.pressure;
  if (call.damped) a.share = level.share;
  a.pitch = level.pitch;
  if (call.summed) a.sums = level.sums.sums;
  return a;
}

template <class R, Features features, int fixed>
using FlowResidual = exec::NodeResidual<R, NodeScheme<R, features>, StageEpilogue<R>, fixed>;

template <Features features, int fixed>
FlowResidual<double, features, fixed> residual_of(const LevelParameters& level,
                                                  const StageCall& call) {
  return {node_arrays_of(level, call),
          level.operators,
          {level.model},
          parts_of(call.update),
          {call.update, stage_arrays_of(level, call), level.model, call.clock, call.summed}};
}

inline Sensor<double> sensor_of(const LevelParameters& level, const StageCall& call) {
  Sensor<double> s;
  s.model = level.model;
  // A held sensor is kept there.
  if (call.sensor || (call.shares && level.hold_sensor)) s.sensor = level.sensor;
  if (call.shares) s.share = level.share;
  s.pitch = level.pitch;
  s.hold = level.hold_sensor;
  s.troubled = level.troubled;
  return s;
}
inline SensorOfPressures<double> sensor_of_pressures_of(const LevelParameters& level,
                                                        const StageCall& call) {
  return {sensor_of(level, call), level.pressure, call.in};
}
inline Pressures<double> pressures_of(const LevelParameters& level, const StageCall& call) {
  return {call.in, level.pitch, level.model.gas, level.pressure};
}

inline LocalStep<double> local_step_of(const LevelParameters& level, const StageCall& call) {
  LocalStep<double> body;
  body.arrays = node_arrays_of(level, call);
  body.model = level.model;
  body.cfl = call.cfl;
  body.inverse_volume = level.inverse_volume;
  body.local_step = level.local_step;
  body.steps = call.steps;
  if (call.sensor || call.shares) body.sensor = sensor_of(level, call);
  return body;
}

inline SurfaceArrays<double> surface_arrays_of(const LevelParameters& level,
                                               const StageCall& call) {
  SurfaceArrays<double> a = level.surfaces;
  a.in = call.in;
  return a;
}
inline SurfaceStage<double> surface_stage_of(const LevelParameters& level, const StageCall& call) {
  return {surface_arrays_of(level, call), call.update, stage_arrays_of(level, call), level.model,
          call.clock};
}
inline SurfaceSums<double> surface_sums_of(const LevelParameters& level, const StageCall& call) {
  SurfaceSums<double> s = level.sums;
  s.surfaces = surface_arrays_of(level, call);
  s.model = level.model;
  return s;
}

// What the direct schedule computes a right-hand side by.
template <Features features, int fixed>
constexpr bool gathers = (features == Features::plain && fixed >= 1 &&
                          fixed <= exec::highest_gathered) ||
                         (features == Features::matrix && fixed == 3);
template <class R, Features features, int fixed>
using DirectResidual = std::conditional_t<
    gathers<features, fixed>,
    exec::GatheredResidual<R, NodeScheme<R, features>, StageEpilogue<R>, LocalStep<R>, fixed>,
    FlowResidual<R, features, fixed>>;
template <Features features, int fixed>
DirectResidual<double, features, fixed> direct_residual_of(const LevelParameters& level,
                                                           const StageCall& call) {
  const auto r = residual_of<features, fixed>(level, call);
  if constexpr (gathers<features, fixed>) {
    return {r.arrays,   r.operators, r.scheme, r.parts, r.epilogue, local_step_of(level, call),
            call.steps, call.signal};
  } else {
    return r;
  }
}

// `penalises`: compiled for penalties; `joined`: they are computed.
template <class R, Features features, int fixed, bool penalises>
using DirectStage = JoinedStage<R, DirectResidual<R, features, fixed>, penalises>;
template <Features features, int fixed, bool penalises>
DirectStage<double, features, fixed, penalises> direct_stage_of(const LevelParameters& level,
                                                                const StageCall& call,
                                                                bool joined) {
  DirectStage<double, features, fixed, penalises> stage{
      direct_residual_of<features, fixed>(level, call), surface_arrays_of(level, call),
      local_step_of(level, call), call.steps, call.signal};
  stage.volume.epilogue.penalised = joined || call.summed;
  return stage;
}

template <exec::MarchParts parts, bool local>
MarchedStage<double, parts, local> marched_stage_of(const LevelParameters& level,
                                                    const StageCall& call) {
  const auto r = residual_of<Features::plain, 1>(level, call);
  return {r.arrays, r.scheme, r.epilogue, local_step_of(level, call), call.signal};
}

template <class Number>
struct Functors {
  using real = Number;
  using R = Number;
  using Case = LevelParameters;

  static Diagnosis<R> diagnose(const Case& level, const exec::Launch& l) {
    return rounded_to<Diagnosis<R>>(Diagnosis<double>{level.model,
                                                      {l.registers.extra},
                                                      level.inverse_volume,
                                                      level.node_volume,
                                                      level.pitch,
                                                      level.enthalpy});
  }
  static Derive<R> evaluate(const Case& level, const exec::Launch&, int quantity) {
    return rounded_to<Derive<R>>(
        Derive<double>{level.model.gas, level.scale, static_cast<Quantity>(quantity)});
  }
};

}  // namespace watersmeet::aerodynamics
