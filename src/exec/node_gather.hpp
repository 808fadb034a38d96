#pragma once
// Right-hand sides for the direct schedule, everything that a node needs
// along a direction gathered first:
//
//      o     o     O     o     o       state and area vector of each node of the stencil, read once
//    i - 2 i - 1   i   i + 1 i + 2     and all at the same time; then flux and radius of each, once
//
// A thread that waits for memory waits once a direction. Beyond the ends of a line stands the node
// itself with a weight of zero, so that no read depends on where a node is; entries of a closure
// that the band misses are added where there are some. Same scheme as NodeResidual (node.hpp), with
// sums of its own order, so that results differ by round-off. It serves schemes with
// radius(state, area)  and  strength<q>(), the eps of their dissipation, which is scalar or, with
// `by_matrix`, made of  matrix_record<q>(w, area, area)  of stencils of states w(0) .. w(q).

#include <algorithm>
#include <span>

#include "exec/node.hpp"

namespace watersmeet::exec {

// Orders that it serves: of higher ones the numbers gathered exceed the registers.
constexpr int highest_gathered = 3;

template <int order>
struct GatheredStencil {
  static constexpr schemes::SchemeOrder made_of = schemes::scheme_order(order);
  static constexpr int q = made_of.difference;
  static constexpr int radius = made_of.inner / 2;               // of the derivative
  static constexpr int radii = (q + 1) / 2;                      // nodes whose radius counts
  static constexpr int reach = radius > q ? radius : q;          // nodes whose state counts
  static constexpr int areas = radius > radii ? radius : radii;  // whose area counts
};

template <int order, class R, class Scheme>
struct GatheredLine {
  using Shape = GatheredStencil<order>;
  using Table = schemes::Sbp<R, Shape::made_of.inner>;
  static constexpr int variables = Scheme::variables, q = Shape::q, reach = Shape::reach;
  using State = Vec<R, variables>;

  const NodeArrays<R>& arrays;
  const Scheme& scheme;
  const Table& table;
  std::uint32_t node, stride;  // in bytes, the first from the start of the pool
  int direction, i, n;

  // Bases of arrays are the same for all threads, and offsets of 32 bits are added by the load
  // itself: what a thread computes of an address is one number a node.
  WM_HD static R element(const R* base, std::uint32_t offset) {
    return *reinterpret_cast<const R*>(reinterpret_cast<const char*>(base) + offset);
  }
  WM_HD State state_at(std::uint32_t at) const {
    State w;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) w[v] = element(arrays.state + v * arrays.pitch, at);
    return w;
  }
  WM_HD Vec<R, 3> area_at(std::uint32_t at) const {
    Vec<R, 3> s;
    WM_UNROLL
    for (int c = 0; c < 3; ++c) {
      s[c] = element(arrays.area + (3 * direction + c) * arrays.pitch, at);
    }
    return s;
  }
  WM_HD std::uint32_t further(int m) const { return node + static_cast<std::uint32_t>(m) * stride; }
  WM_HD bool exists(int m) const { return i + m >= 0 && i + m < n; }

  // `here`: the state of the node itself. `largest`: grows by the largest radius of the node and
  // its neighbours; null: is not wanted.
  WM_HD void add_to(NodeRates<R, variables>& rates, const State& here, const NodeParts& parts,
                    R* largest) const {
    State w[2 * reach + 1];
    Vec<R, 3> area[2 * reach + 1];
    WM_UNROLL
    for (int m = -reach; m <= reach; ++m) {
      const std::uint32_t at = exists(m) ? further(m) : node;
      w[m + reach] = m == 0 ? here : state_at(at);
      if (m >= -Shape::areas && m <= Shape::areas) area[m + reach] = area_at(at);
    }
    add_fluxes(rates.flux, w, area);
    if (!parts.dissipation) return;
    if constexpr (Scheme::by_matrix) {
      add_matrix_dissipation(rates.dissipation, w, area, largest);
    } else {
      add_dissipation(rates.dissipation, w, area, largest);
    }
  }

 private:
  WM_HD void add_fluxes(State& sum, const State (&w)[2 * reach + 1],
                        const Vec<R, 3> (&area)[2 * reach + 1]) const {
    const bool low = i < Table::rows, closure = low || n - 1 - i < Table::rows;
    const int row = low ? i : n - 1 - i, step = low ? 1 : -1;  // within the closure
    WM_UNROLL
    for (int m = 1; m <= Shape::radius; ++m) {
      R above = table.central[m - 1], below = -above;
      if (closure) {
        above = closure_entry(row, row + step * m, step);
        below = closure_entry(row, row - step * m, step);
      }
      add_scaled(sum, above, scheme.flux(w[reach + m], area[reach + m]));
      add_scaled(sum, below, scheme.flux(w[reach - m], area[reach - m]));
    }
    if (closure) add_rest(sum, row, step);
  }
  WM_HD R closure_entry(int row, int column, int step) const {
    if (column < 0 || column >= Table::columns) return R(0);
    return R(step) * table.closure[row][column];
  }
  // What the band leaves of a row of the closure: the diagonal and entries further away.
  WM_HD void add_rest(State& sum, int row, int step) const {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int j = 0; j < Table::columns; ++j) {
      const int away = j - row;
      const R entry = R(step) * table.closure[row][j];
      const bool in_band = away != 0 && away >= -Shape::radius && away <= Shape::radius;
      if (in_band || entry == R(0)) continue;
      const std::uint32_t at = further(step * away);
      add_scaled(sum, entry, scheme.flux(state_at(at), area_at(at)));
    }
  }

  WM_HD void add_dissipation(State& sum, const State (&w)[2 * reach + 1],
                             const Vec<R, 3> (&area)[2 * reach + 1], R* largest) const {
    R lambda[2 * Shape::radii + 1];
    WM_UNROLL
    for (int m = -Shape::radii; m <= Shape::radii; ++m) {
      lambda[m + Shape::radii] = scheme.radius(w[reach + m], area[reach + m]);
    }
    if (largest) {  // the node itself stands where there is no neighbour
      *largest = *largest + max_(max_(lambda[Shape::radii], lambda[Shape::radii - 1]),
                                 lambda[Shape::radii + 1]);
    }
    R scale = -scheme.template strength<q>();
    if (i < Table::rows || n - 1 - i < Table::rows) {
      scale = scale * rcp_(schemes::sbp_norm(table, i, n));
    }
    WM_UNROLL
    for (int m = -q; m <= 0; ++m) {  // first node of a stencil
      const int lower = m + schemes::middle_lower(q), upper = m + schemes::middle_upper(q);
      const R there = lower == upper ? lambda[lower + Shape::radii]
                                     : schemes::middle_radius<q>(lambda[lower + Shape::radii],
                                                                 lambda[upper + Shape::radii]);
      const bool complete = i + m >= 0 && i + m + q < n;
      const R weight = complete ? scale * R(schemes::difference_weight(q, -m)) * there : R(0);
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        R d = R(schemes::difference_weight(q, 0)) * w[reach + m][v];
        WM_UNROLL
        for (int j = 1; j <= q; ++j) {
          d = fma_(R(schemes::difference_weight(q, j)), w[reach + m + j][v], d);
        }
        sum[v] = fma_(weight, d, sum[v]);
      }
    }
  }
  WM_HD void add_matrix_dissipation(State& sum, const State (&w)[2 * reach + 1],
                                    const Vec<R, 3> (&area)[2 * reach + 1], R* largest) const {
    if (largest) {
      R most = R(0);
      WM_UNROLL
      for (int m = -1; m <= 1; ++m) {
        most = max_(most, scheme.radius(w[reach + m], area[reach + m]));
      }
      *largest = *largest + most;
    }
    R scale = -scheme.template strength<q>();
    if (i < Table::rows || n - 1 - i < Table::rows) {
      scale = scale * rcp_(schemes::sbp_norm(table, i, n));
    }
    WM_UNROLL
    for (int m = -q; m <= 0; ++m) {  // first node of a stencil
      if (i + m < 0 || i + m + q >= n) continue;
      const State record = scheme.template matrix_record<q>(
          [&](int j) { return w[reach + m + j]; }, area[reach + m + schemes::middle_lower(q)],
          area[reach + m + schemes::middle_upper(q)]);
      add_scaled(sum, scale * R(schemes::difference_weight(q, -m)), record);
    }
  }
};

// The order to gather stencils of blocks with, or 0 where they are not served: that of all
// directions, or 3 where thin ones have order 2 beside it. Offsets have 32 bits.
inline int gathered_order(std::span<const NodeBlock> blocks) {
  constexpr std::int64_t most_nodes = (std::int64_t{1} << 32) / sizeof(double);
  int most = 0, least = highest_gathered;
  for (const NodeBlock& b : blocks) {
    if (b.first + std::int64_t{b.n[0]} * b.n[1] * b.n[2] > most_nodes) return 0;
    for (const int order : b.order) {
      if (order == 0) continue;
      most = std::max(most, order);
      least = std::min(least, order);
    }
  }
  if (most > highest_gathered) return 0;
  return least == most || (least == 2 && most == 3) ? most : 0;
}

// One direction of a node all of whose directions have order `order`, or 2 beside 3, or a single
// node.
template <int order, class R, class Scheme>
WM_HD void add_gathered(NodeRates<R, Scheme::variables>& rates, int direction,
                        const Vec<R, Scheme::variables>& here, const NodeArrays<R>& arrays,
                        const NodePoint& p, const NodeOperators<R>& operators, const Scheme& scheme,
                        const NodeParts& parts, R* largest) {
  using Line = GatheredLine<order, R, Scheme>;
  const int own = p.block->order[direction], n = p.block->n[direction];
  if (own == 0) return;
  // Numbers indexed by a variable would not stay in registers.
  const auto along = [&](const auto& of) {
    return direction == 0 ? of[0] : direction == 1 ? of[1] : of[2];
  };
  const int i = along(p.index);
  constexpr auto size = static_cast<std::uint32_t>(sizeof(R));
  const auto node = static_cast<std::uint32_t>(p.node) * size;
  const auto stride = static_cast<std::uint32_t>(along(p.stride)) * size;
  if constexpr (order == 3) {
    if (own == 2) {
      const GatheredLine<2, R, Scheme> thin{arrays, scheme, operators.two, node, stride, direction,
                                            i,      n};
      thin.add_to(rates, here, parts, largest);
      return;
    }
  }
  const Line line{arrays, scheme, operator_of<Line::Shape::made_of.inner>(operators),
                  node,   stride, direction,
                  i,      n};
  line.add_to(rates, here, parts, largest);
}

// All directions, each with code of its own, so that reads of one go with the computations of the
// one before: in a loop, with 96 registers instead of 128, stages of 1.5 million nodes took 22 to
// 43 % longer on an H200.
template <int order, class R, class Scheme>
WM_HD NodeRates<R, Scheme::variables> gathered_rates(const NodeArrays<R>& arrays,
                                                     const NodePoint& p,
                                                     const NodeOperators<R>& operators,
                                                     const Scheme& scheme, const NodeParts& parts,
                                                     R* largest) {
  NodeRates<R, Scheme::variables> rates;
  for (int v = 0; v < Scheme::variables; ++v) rates.flux[v] = rates.dissipation[v] = R(0);
  const auto here = node_line<R, Scheme::variables>(arrays, p, 0).state(0);
  WM_UNROLL
  for (int d = 0; d < 3; ++d) {
    add_gathered<order>(rates, d, here, arrays, p, operators, scheme, parts, largest);
  }
  return rates;
}

// Right-hand side and epilogue of a node. With `steps`, in a pass with dissipation, the sum of the
// largest radii goes to  R steps.finish(point, sum, 1)  before the epilogue, which returns a
// signal.
template <class R, class Scheme, class Epilogue, class Steps, int order>
struct GatheredResidual {
  NodeArrays<R> arrays;
  NodeOperators<R> operators;
  Scheme scheme;
  NodeParts parts;
  Epilogue epilogue;
  Steps stepping;
  bool steps = false, signal = false;

  WM_HD bool tells_signal() const { return signal; }
  // Stores the step of the node where steps are wanted, and grows `reduced` by the signal.
  WM_HD NodeRates<R, Scheme::variables> rates(const NodePoint& p, NodeReduction<R>& reduced) const {
    R largest = R(0);
    const auto all =
        gathered_rates<order>(arrays, p, operators, scheme, parts, steps ? &largest : nullptr);
    if (steps) reduced.signal = stepping.finish(p, largest, 1);
    return all;
  }
};

}  // namespace watersmeet::exec
