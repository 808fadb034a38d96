#pragma once
// Transfer between a level of multigrid and the next coarser one (mesh/curvilinear/coarsen.hpp),
// all axes at once, one node of the level that is written at a time:
//
//   inject     W_c = W at the kept node
//   restrict   F_c = Hc^-1 P^T Hf r, of residuals: sum Hc F_c = sum Hf r
//   correct    W += theta P (W_c - W_c0), theta <= 1 such that density and pressure change by less
//              than a fifth
//
// In strong shocks residuals and corrections are damped by max(0, 1 - k nu), nu the sensor of the
// finer level: coarse grids know nothing of a shock between two nodes. That share of a node is made
// with the sensor (local_step.hpp); residuals have it from the stage that makes them.
// A residual of zero stays what it was, so that the solution does not depend on it.
//
// A fine node lies between coarse ones `below` and `below + 1` along each axis.

#include <cstdint>

#include "systems/aerodynamics/scheme/node_scheme.hpp"

namespace watersmeet::aerodynamics {

// Along an axis of a block. All tables of a level lie one after the other in one array each.
struct KeptNode {
  std::int32_t fine;  // index of the kept node
  double weight[3];   // of its lower neighbour, itself and its upper neighbour in F_c
};
struct FineNode {
  std::int32_t below;  // coarse index
  double weight;       // of below + 1
};
struct TransferBlock {
  std::int32_t kept[3], fine[3];  // first entry of each axis
};

struct TransferTables {
  const exec::NodeBlock* fine_blocks = nullptr;
  const exec::NodeBlock* coarse_blocks = nullptr;
  const TransferBlock* blocks = nullptr;
  const KeptNode* kept = nullptr;
  const FineNode* fine = nullptr;
};

namespace detail {

WM_HD std::int64_t place(const exec::NodeBlock& b, const int (&index)[3]) {
  return b.first + index[0] + std::int64_t{b.n[0]} * (index[1] + std::int64_t{b.n[1]} * index[2]);
}

// A thread of a CPU reads no more than it needs; those of a GPU do not wait for a decision.
template <class R>
WM_HD bool passed_by(R weight) {
#if defined(__CUDA_ARCH__)
  static_cast<void>(weight);
  return false;
#else
  return weight == R(0);
#endif
}

// The kept node of a coarse one.
WM_HD std::int64_t kept_place(const TransferTables& t, const exec::NodePoint& coarse) {
  const std::int64_t b = coarse.block - t.coarse_blocks;
  int index[3];
  for (int a = 0; a < 3; ++a) index[a] = t.kept[t.blocks[b].kept[a] + coarse.index[a]].fine;
  return place(t.fine_blocks[b], index);
}

}  // namespace detail

// Over the nodes of the coarse level, at once or a variable of a node at a time. `copy`: W_c0.
template <class R>
struct Inject {
  static constexpr int parts = n_variables;
  TransferTables tables;
  TableAddress<R> fine;
  ArrayAddress<R> coarse, copy;
  std::int64_t fine_pitch, coarse_pitch;

  WM_HD int operator()(const exec::NodePoint& p) const {
    const std::int64_t from = detail::kept_place(tables, p);
    for (int v = 0; v < n_variables; ++v) copy_one(from, p.node, v);
    return 0;
  }
  WM_HD void operator()(const exec::NodePoint& p, int v) const {
    copy_one(detail::kept_place(tables, p), p.node, v);
  }

 private:
  WM_HD void copy_one(std::int64_t from, std::int64_t to, int v) const {
    const R w = fine[v * fine_pitch + from];
    coarse[v * coarse_pitch + to] = w;
    copy[v * coarse_pitch + to] = w;
  }
};

template <class R>
struct Restrict {
  TransferTables tables;
  TableAddress<R> fine;
  ArrayAddress<R> coarse;
  std::int64_t fine_pitch, coarse_pitch;

  WM_HD int operator()(const exec::NodePoint& p) const {
    const Conserved<R> sum = restricted(p, [&](std::int64_t from) {
      Conserved<R> r;
      WM_UNROLL
      for (int v = 0; v < n_variables; ++v) r[v] = fine[v * fine_pitch + from];
      return r;
    });
    for (int v = 0; v < n_variables; ++v) coarse[v * coarse_pitch + p.node] = sum[v];
    return 0;
  }
  WM_HD void operator()(const exec::NodePoint& p, int v) const {
    const R* const from = fine + v * fine_pitch;
    R sum = R(0);
    for_each_fine(p, [&](R weight, std::int64_t at) { sum = sum + weight * from[at]; });
    coarse[v * coarse_pitch + p.node] = sum;
  }

  // At a coarse node; residual(place) of a fine one.
  template <class Residual>
  WM_HD Conserved<R> restricted(const exec::NodePoint& p, const Residual& residual) const {
    Conserved<R> sum;
    for (int v = 0; v < n_variables; ++v) sum[v] = R(0);
    for_each_fine(p, [&](R weight, std::int64_t at) {
      const Conserved<R> r = residual(at);
      for (int v = 0; v < n_variables; ++v) sum[v] = sum[v] + weight * r[v];
    });
    return sum;
  }

 private:
  // add(weight, place) for the fine nodes of a coarse one. Nine nodes of a plane are read at the
  // same time, one in the middle where there is none and the weight is zero.
  template <class Add>
  WM_HD void for_each_fine(const exec::NodePoint& p, const Add& add) const {
    const std::int64_t b = p.block - tables.coarse_blocks;
    const exec::NodeBlock& block = tables.fine_blocks[b];
    const KeptNode* kept[3];
    for (int a = 0; a < 3; ++a) kept[a] = tables.kept + tables.blocks[b].kept[a] + p.index[a];
    const KeptNode along_i = *kept[0], along_j = *kept[1];
    const auto step = [](R weight, int away) { return weight == R(0) ? 0 : away; };
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int k = 0; k < 3; ++k) {
      const R weight_k = R(kept[2]->weight[k]);
      if (weight_k == R(0)) continue;
      const int index[3] = {along_i.fine, along_j.fine, kept[2]->fine + k - 1};
      const std::int64_t middle = detail::place(block, index);
      WM_UNROLL
      for (int j = 0; j < 3; ++j) {
        const R weight_j = weight_k * R(along_j.weight[j]);
        if (detail::passed_by(weight_j)) continue;
        const std::int64_t row = middle + step(weight_j, j - 1) * block.n[0];
        WM_UNROLL
        for (int i = 0; i < 3; ++i) {
          const R weight = weight_j * R(along_i.weight[i]);
          if (detail::passed_by(weight)) continue;
          add(weight, row + step(R(along_i.weight[i]), i - 1));
        }
      }
    }
  }
};

// Both.
template <class R>
struct Descend {
  static constexpr int parts = n_variables;
  Restrict<R> residual;
  Inject<R> state;

  WM_HD int operator()(const exec::NodePoint& p) const { return residual(p) + state(p); }
  WM_HD void operator()(const exec::NodePoint& p, int v) const {
    residual(p, v);
    state(p, v);
  }
};

// Over the nodes of the fine level; 1 where a correction was limited.
template <class R>
struct Correct {
  TransferTables tables;
  FlowModel<R> model;
  ArrayAddress<R> fine;
  TableAddress<R> coarse, before;  // W_c, W_c0
  std::int64_t fine_pitch, coarse_pitch;
  TableAddress<R> share;  // of fine nodes, of what is damped at shocks; or null

  WM_HD int operator()(const exec::NodePoint& p) const {
    Conserved<R> w;
    for (int v = 0; v < n_variables; ++v) w[v] = fine[v * fine_pitch + p.node];
    const R part = share ? share[p.node] : R(1);
    Conserved<R> change = change_at(p, [&](std::int64_t from) {
      Conserved<R> d;
      WM_UNROLL
      for (int v = 0; v < n_variables; ++v) {
        const std::int64_t place = v * coarse_pitch + from;
        d[v] = coarse[place] - before[place];
      }
      return d;
    });
    for (int v = 0; v < n_variables; ++v) change[v] = part * change[v];
    const R theta = share_taken(w, change);
    for (int v = 0; v < n_variables; ++v) {
      fine[v * fine_pitch + p.node] = w[v] + theta * change[v];
    }
    return theta < R(1) ? 1 : 0;
  }

  // P (W_c - W_c0) at a fine node; difference(place) of a coarse one. All corners are read at the
  // same time, the one below in place of one whose weight is zero.
  template <class Difference>
  WM_HD Conserved<R> change_at(const exec::NodePoint& p, const Difference& difference) const {
    const std::int64_t b = p.block - tables.fine_blocks;
    const exec::NodeBlock& block = tables.coarse_blocks[b];
    FineNode at[3];
    for (int a = 0; a < 3; ++a) at[a] = tables.fine[tables.blocks[b].fine[a] + p.index[a]];
    Conserved<R> change;
    for (int v = 0; v < n_variables; ++v) change[v] = R(0);
    WM_UNROLL
    for (int corner = 0; corner < 8; ++corner) {
      R weight = R(1);
      int index[3];
      for (int a = 0; a < 3; ++a) {
        const int up = corner >> a & 1;
        weight = weight * R(up ? at[a].weight : 1 - at[a].weight);
        index[a] = at[a].below + (at[a].weight > 0 ? up : 0);
      }
      // A direction of one node has no corners above.
      if (detail::passed_by(weight) || (corner > 3 && p.block->n[2] == 1)) continue;
      const Conserved<R> d = difference(detail::place(block, index));
      for (int v = 0; v < n_variables; ++v) change[v] = change[v] + weight * d[v];
    }
    return change;
  }

  // theta. The pressure is not linear in it: after a first guess halve, then give up. 0 where a
  // change is not a number.
  WM_HD R share_taken(const Conserved<R>& w, const Conserved<R>& change) const {
    const R limit = R(largest_part);
    const R p = primitive_of(w, model.gas).p;
    const Primitive<R> whole = primitive_of(changed(w, change, R(1)), model.gas);
    const R rho_part = abs_(change[s_rho]) * rcp_(w[s_rho]), p_part = abs_(whole.p - p) * rcp_(p);
    const R part = max_(rho_part, p_part);
    if (part <= limit && taken(whole)) return R(1);
    R theta = min_(R(1), limit * rcp_(part));
    for (int tries = 0; tries < 4; ++tries) {
      const Primitive<R> f = primitive_of(changed(w, change, theta), model.gas);
      const R slack = R(1.0001) * limit;
      if (taken(f) && abs_(f.rho - w[s_rho]) <= slack * w[s_rho] && abs_(f.p - p) <= slack * p) {
        return theta;
      }
      theta = R(0.5) * theta;
    }
    return R(0);
  }

 private:
  static constexpr double largest_part = 0.2;

  WM_HD Conserved<R> changed(const Conserved<R>& w, const Conserved<R>& change, R theta) const {
    Conserved<R> next;
    for (int v = 0; v < n_variables; ++v) next[v] = w[v] + theta * change[v];
    return next;
  }
  WM_HD bool taken(const Primitive<R>& f) const {
    return admissible(f, model.smallest_rho, model.smallest_p);
  }
};

}  // namespace watersmeet::aerodynamics
