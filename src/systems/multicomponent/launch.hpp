#pragma once
// Turns the untyped calls of kernels.hpp into typed arrays and functors, rounded once to the
// precision of the loops: common to the CPU and CUDA instantiation files.

#include <cstddef>

#include "exec/face_limit.hpp"
#include "systems/multicomponent/kernels.hpp"

namespace watersmeet::multicomponent {

template <class R>
exec::CellArrays<R> arrays_of(const StageCall& call) {
  return exec::cell_arrays<R>(*call.layout, call.in, call.out, call.increment, call.box);
}

template <class R>
FlowParameters<R> rounded(const FlowParameters<double>& p) {
  FlowParameters<R> r;
  for (int v = 0; v < n_variables; ++v) {
    r.weno[v] = {R(p.weno[v].epsilon), R(p.weno[v].inverse_scale)};
  }
  for (int a = 0; a < 3; ++a) r.inverse_spacing[a] = R(p.inverse_spacing[a]);
  r.split = p.split;
  r.compaction = p.compaction;
  r.gamma_g = R(p.gamma_g);
  r.gamma_l = R(p.gamma_l);
  r.pi_g = R(p.pi_g);
  r.pi_l = R(p.pi_l);
  r.p_c_g = R(p.p_c_g);
  r.p_c_l = R(p.p_c_l);
  r.reconstruction = p.reconstruction;
  r.riemann = p.riemann;
  r.roe_speeds = p.roe_speeds;
  r.phi_by_contact = p.phi_by_contact;
  r.positivity = p.positivity;
  r.faces_source = p.faces_source;
  r.axisymmetric = p.axisymmetric;
  r.first_j = p.first_j;
  return r;
}

template <class R>
Finish<R> rounded(const Finish<double>& f) {
  Finish<R> r;
  for (int a = 0; a < 3; ++a) r.inverse_spacing[a] = R(f.inverse_spacing[a]);
  r.split = f.split;
  r.sum_norm = f.sum_norm;
  r.inverse_smallest = R(f.inverse_smallest);
  r.clip = f.clip;
  r.gamma_lowest = R(f.gamma_lowest);
  r.gamma_highest = R(f.gamma_highest);
  r.limited = f.limited;
  return r;
}

template <class R, Variant variant>
Flow<R, variant> flow_of(const StageCall& call) {
  return {rounded<R>(*call.flow)};
}

template <class R>
Finish<R> finish_of(const StageCall& call) {
  return rounded<R>(*call.finish);
}

template <class R>
exec::LimitPass<R> pass_of(const LimitCall& call) {
  const BlockLayout& l = *call.layout;
  exec::LimitPass<R> pass;
  pass.flags = {static_cast<R*>(call.flags) + l.first, l.stride[1], l.stride[2]};
  pass.record = call.record;
  pass.number = call.pass;
  pass.alone = call.alone;
  return pass;
}

template <class R>
MeasureSteepness<R> steepness_of(const StageCall& call) {
  MeasureSteepness<R> m{};
  for (int a = 0; a < 3; ++a) m.inverse_spacing[a] = R(call.flow->inverse_spacing[a]);
  return m;
}

}  // namespace watersmeet::multicomponent
