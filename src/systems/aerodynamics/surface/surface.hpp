#pragma once
// The nodes on the faces of blocks and what acts on them: the penalties of penalty.hpp, and the
// pass after a stage that adds them where they are not added with it (sums.hpp). Each node
// lists its own surfaces, so that nothing is added by two threads and the order of a sum is that of
// the list:
//
//        node     17    18    21 ...          first[s] .. first[s + 1] - 1: the surfaces of node s
//        first     0     3     4 ...
//        surface  a b c  d    e ...           a: face i_lower towards block 2, b: j_lower, wall ...

#include <cstdint>

#include "systems/aerodynamics/scheme/node_scheme.hpp"
#include "systems/aerodynamics/scheme/stage.hpp"

namespace watersmeet::aerodynamics {

// One face of a node, or its part in one patch.
struct Surface {
  // Interface: the node at the same place in another block; from the number of nodes on, a place in
  // what other ranks have sent.
  std::int32_t partner = -1;
  std::int32_t outside = -1;  // place in the table of outer states
  std::int32_t given = 0;     // place in the table of what boundaries give
  SurfaceKind kind = SurfaceKind::interface;
  std::int8_t direction = 0;
  std::int8_t sign = 1;  // of S^k: +1 on an upper face
  double factor = 0;     // weight / h
};

template <class R>
struct SurfaceArrays {
  const std::int32_t* node = nullptr;   // place in the pool of each node on a face
  const std::int32_t* first = nullptr;  // one more than nodes
  const Surface* surfaces = nullptr;
  TableAddress<R> outside;  // [variable][outside_pitch]
  TableAddress<Given<R>> given;
  TableAddress<R> received;  // [node][variable]
  TableAddress<R> in;
  TableAddress<R> area;
  std::int64_t pitch = 0, outside_pitch = 0, nodes = 0;

  WM_HD Conserved<R> load(const R* array, std::int64_t stride, std::int64_t at) const {
    Conserved<R> w;
    for (int v = 0; v < n_variables; ++v) w[v] = array[v * stride + at];
    return w;
  }
  // The state of a partner, here or on another rank.
  WM_HD Conserved<R> partner(std::int32_t at) const {
    return at < nodes ? load(in, pitch, at) : load(received + n_variables * (at - nodes), 1, 0);
  }
  WM_HD Conserved<R> beyond(const Surface& s) const {
    if (s.partner >= 0) return partner(s.partner);
    if (s.outside >= 0) return load(outside, outside_pitch, s.outside);
    return {};
  }
  // Outward.
  WM_HD Area<R> area_of(const Surface& s, std::int64_t at) const {
    Area<R> a;
    for (int m = 0; m < 3; ++m) {
      a[m] = R(s.sign) * area[(3 * s.direction + m) * pitch + at];
    }
    return a;
  }
  // F* - F_N(W) of one surface.
  WM_HD Conserved<R> bracket(const Surface& s, const Conserved<R>& w, std::int64_t at,
                             const FlowModel<R>& model) const {
    return surface_penalty(s.kind, w, beyond(s), area_of(s, at), given[s.given], model.gas,
                           model.coupling);
  }
};

// The penalties of the node `at` of state w: those of its surfaces first .. last - 1, in their
// order.
template <class R>
WM_HD Conserved<R> penalties_of(const SurfaceArrays<R>& surfaces, const Conserved<R>& w,
                                std::int64_t at, int first, int last, const FlowModel<R>& model) {
  Conserved<R> sum;
  for (int v = 0; v < n_variables; ++v) sum[v] = R(0);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int e = first; e < last; ++e) {
    const Surface& s = surfaces.surfaces[e];
    const Conserved<R> bracket = surfaces.bracket(s, w, at, model);
    for (int v = 0; v < n_variables; ++v) sum[v] = sum[v] + R(s.factor) * bracket[v];
  }
  return sum;
}

// Adds the penalties of a node to what the stage has written; returns 1 where the new state was
// limited.
template <class R>
struct SurfaceStage {
  SurfaceArrays<R> surfaces;
  StageUpdate<R> update;
  StageArrays<R> arrays;
  FlowModel<R> model;
  const exec::Clock* clock = nullptr;  // has dt

  WM_HD int operator()(std::int64_t number) const {
    return at_node(surfaces.node[number], surfaces.first[number], surfaces.first[number + 1]);
  }
  // Surfaces first .. last - 1 of the node `at`.
  WM_HD int at_node(std::int64_t at, int first, int last) const {
    const std::int64_t pitch = arrays.pitch;
    const Conserved<R> w = surfaces.load(surfaces.in, surfaces.pitch, at);
    Conserved<R> sum = penalties_of(surfaces, w, at, first, last, model);
    if (update.form == StageForm::residual) {
      const R share = arrays.share ? arrays.share[at] : R(1);
      for (int v = 0; v < n_variables; ++v) arrays.out[v * pitch + at] += share * sum[v];
      return 0;
    }
    if (update.form == StageForm::forcing) {
      for (int v = 0; v < n_variables; ++v) arrays.out[v * pitch + at] -= sum[v];
      return 0;
    }
    if (update.form == StageForm::global) {
      const R all = R(clock->dt) * arrays.inverse_volume[at];
      for (int v = 0; v < n_variables; ++v) {
        const R part = (update.c * all) * sum[v];
        if (!update.last) arrays.kept[v * pitch + at] += part;
        arrays.out[v * pitch + at] -= update.last ? part : (update.a * all) * sum[v];
      }
      return 0;
    }
    if (update.makes_forcing) {  // the new state does not depend on R
      for (int v = 0; v < n_variables; ++v) {
        arrays.forcing[v * pitch + at] -= sum[v];
        sum[v] = R(0);
      }
    }
    const R step = update.a * arrays.local_step[at];
    const Conserved<R> base = surfaces.load(arrays.base, pitch, at);
    Conserved<R> next = surfaces.load(arrays.out, pitch, at);
    for (int v = 0; v < n_variables; ++v) next[v] = next[v] - step * sum[v];
    const Admitted<R> taken = admitted(base, next, model.gas, model.smallest_rho, model.smallest_p);
    for (int v = 0; v < n_variables; ++v) arrays.out[v * pitch + at] = taken.w[v];
    if (taken.limited && arrays.troubled) arrays.troubled[at] = R(1);
    return taken.limited ? 1 : 0;
  }
};

}  // namespace watersmeet::aerodynamics
