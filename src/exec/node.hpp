#pragma once
// The node form, common part: right-hand sides of nodal schemes on blocks of nodes that lie one
// after the other in a pool, with the derivatives of summation by parts along the directions of the
// blocks and their closures at both ends. No ghosts: what couples blocks enters at the nodes of
// their faces, in a pass of its own (exec/index_loops.hpp).
//
//        block 0 (n0 x n1 x n2)   block 1        pool: i fastest within a block, no padding
//        o--o--o--o--o--o         o--o--o
//        |  closure  |  central   ...
//
// A body is a functor called for every node,
//   template <class T> T operator()(const NodePoint& p, const T*, int lanes) const
// with T a scalar (one lane) or a pack of neighbours along i, all of them in central rows along i,
// of which `lanes` are to be stored. It returns a number whose largest value and sum the loop
// tells. NodeResidual makes such a body of a scheme and an epilogue. The scheme is a functor with
//   static constexpr int variables
//   Vec<T, variables> flux(state, area)            through the area vector of a direction
//   Vec<T, variables> flux(state, area, state, area)   between two nodes; with two_point() true
//   Vec<T, variables> dissipation<q>(line, i, n, 1/H_i)   by differences of order q along a line
// where `line` is the accessor: state(m), area(m), value(m) of the node m further along.
// Files that instantiate it are compiled without contraction of multiplications and additions.

#include <cstdint>

#include "core/math.hpp"
#include "core/table_address.hpp"
#include "core/vec.hpp"
#include "schemes/sbp.hpp"

namespace watersmeet::exec {

// A block of a pool.
struct NodeBlock {
  std::int64_t first = 0;  // place of its node (0, 0, 0) in the pool
  int n[3] = {1, 1, 1};
  int order[3] = {0, 0, 0};  // of the scheme along each direction (schemes/sbp.hpp); 0: one node
  // Nodes on faces: of the blocks before it, and in a plane of k that is not a face itself.
  std::int32_t first_face = 0, side_nodes = 0;
};

// What the numbers that a body returns mean to the clock: the largest of them is a signal, or each that is not 0 is an event.
enum class NodeReport { none, signal, events };

// What a body returns that has two numbers: events that it counted, and a signal.
template <class R>
struct NodeReduction {
  R events = R(0), signal = R(0);
};

struct NodePoint {
  std::int64_t node = 0;  // place in the pool
  std::int64_t stride[3] = {1, 0, 0};
  int index[3] = {0, 0, 0};
  const NodeBlock* block = nullptr;
  int face_at = -1;  // face_number(), for bodies that have asked for it

  // Whether penalties act on this node. A pack never holds the ends of a line along i.
  WM_HD bool on_face() const {
    bool face = false;
    for (int d = 0; d < 3; ++d) {
      const int last = block->n[d] - 1;
      face = face || (last > 0 && (index[d] == 0 || index[d] == last));
    }
    return face;
  }
};

WM_HD NodePoint node_point(const NodeBlock* block, int i, int j, int k) {
  NodePoint p;
  p.block = block;
  p.index[0] = i;
  p.index[1] = j;
  p.index[2] = k;
  p.stride[1] = block->n[0];
  p.stride[2] = std::int64_t{block->n[0]} * block->n[1];
  p.node = block->first + i + p.stride[1] * j + p.stride[2] * k;
  return p;
}

WM_HD int face_nodes_of(const NodeBlock& block) {
  if (block.n[2] == 1) return block.side_nodes;
  return 2 * block.n[0] * block.n[1] + (block.n[2] - 2) * block.side_nodes;
}
inline void number_faces(NodeBlock& block, int first_face) {
  const int ends = block.n[0] > 1 ? 2 : 0;  // of a row between rows of faces
  block.first_face = first_face;
  block.side_nodes = block.n[1] > 1 ? 2 * block.n[0] + (block.n[1] - 2) * ends : ends;
}

// The number of a node on faces among those of the pool, in the order of their places, so that
// arrays over these nodes need no table; -1 of other nodes:
//
//        0--1--2--3--4      10--------11     k = 0 and n - 1: all nodes
//        5--6--7--8--9      12        13     between: rows j = 0 and n - 1, else i = 0 and n - 1
//
WM_HD int face_number(const NodePoint& p) {
  const NodeBlock& b = *p.block;
  const int i = p.index[0], j = p.index[1], k = p.index[2];
  const bool i_face = b.n[0] > 1 && (i == 0 || i == b.n[0] - 1);
  const bool j_face = b.n[1] > 1 && (j == 0 || j == b.n[1] - 1);
  const bool k_face = b.n[2] > 1 && (k == 0 || k == b.n[2] - 1);
  const int ends = b.n[0] > 1 ? 2 : 0;
  const int planes = k == 0 ? 0 : b.n[0] * b.n[1] + (k - 1) * b.side_nodes;
  const int rows = k_face ? b.n[0] * j : j == 0 ? 0 : b.n[0] + (j - 1) * ends;
  const int within = k_face || j_face ? i : i == 0 ? 0 : 1;
  return i_face || j_face || k_face ? b.first_face + planes + rows + within : -1;
}

// The derivatives, in the precision of the loops. A kernel takes them as an argument.
template <class R>
struct NodeOperators {
  schemes::Sbp<R, 2> two;
  schemes::Sbp<R, 4> four;
  schemes::Sbp<R, 6> six;
};
inline NodeOperators<double> node_operators(schemes::Rational sbp6_x1) {
  return {schemes::make_sbp<double, 2>(), schemes::make_sbp<double, 4>(),
          schemes::make_sbp<double, 6>(sbp6_x1)};
}
template <int inner, class R>
WM_HD const schemes::Sbp<R, inner>& operator_of(const NodeOperators<R>& all) {
  if constexpr (inner == 2) {
    return all.two;
  } else if constexpr (inner == 4) {
    return all.four;
  } else {
    return all.six;
  }
}

// Rows at each end of a line that packs keep away from: the closures of the derivative, incomplete
// stencils of the dissipation, and whatever looks at the neighbours of neighbours.
WM_HD int end_rows(int order) { return order == 0 ? 0 : order <= 2 ? 2 : order <= 4 ? 4 : 6; }

// Arrays over the pool that a scheme reads.
template <class R>
struct NodeArrays {
  TableAddress<R> state;  // [variable][pitch]
  TableAddress<R> area;   // [3 direction + component][pitch]
  TableAddress<R> value;  // [direction][pitch], a number of the scheme's own; or null
  std::int64_t pitch = 0;
};

// The nodes along a direction, seen from one of them.
template <class T, int variables>
struct NodeLine {
  using value_type = T;
  using R = RealOf<T>;
  const R* state_here;
  const R* area_here;
  const R* value_here;
  std::int64_t pitch, stride;

  WM_HD Vec<T, variables> state(int m) const {
    Vec<T, variables> w;
    const R* const at = state_here + m * stride;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) w[v] = load_as<T>(at + v * pitch);
    return w;
  }
  WM_HD Vec<T, 3> area(int m) const {
    Vec<T, 3> s;
    const R* const at = area_here + m * stride;
    WM_UNROLL
    for (int c = 0; c < 3; ++c) s[c] = load_as<T>(at + c * pitch);
    return s;
  }
  WM_HD T value(int m) const { return load_as<T>(value_here + m * stride); }
};

template <class T, int variables>
WM_HD NodeLine<T, variables> node_line(const NodeArrays<RealOf<T>>& a, const NodePoint& p,
                                       int direction) {
  return {a.state + p.node, a.area + 3 * direction * a.pitch + p.node,
          a.value ? a.value + direction * a.pitch + p.node : nullptr, a.pitch, p.stride[direction]};
}

// sum += factor * f
template <class T, int n>
WM_HD void add_scaled(Vec<T, n>& sum, RealOf<T> factor, const Vec<T, n>& f) {
  WM_UNROLL
  for (int v = 0; v < n; ++v) sum[v] = fma_(T(factor), f[v], sum[v]);
}

// sum += (D f) at row i of n; f(m) is the flux of the node m further along. Unlike sbp_first it
// keeps one flux at a time.
template <class T, class R, int inner, int n, class F>
WM_HD void add_derivative(Vec<T, n>& sum, const schemes::Sbp<R, inner>& table, int i, int length,
                          const F& f) {
  using Table = schemes::Sbp<R, inner>;
  const bool low = i < Table::rows, high = length - 1 - i < Table::rows;
  if (low || high) {
    const int row = low ? i : length - 1 - i, step = low ? 1 : -1;
    for (int j = 0; j < Table::columns; ++j) {
      add_scaled(sum, R(step) * table.closure[row][j], f(step * (j - row)));
    }
    return;
  }
  WM_UNROLL
  for (int m = 1; m <= Table::radius; ++m) {
    add_scaled(sum, table.central[m - 1], f(m));
    add_scaled(sum, -table.central[m - 1], f(-m));
  }
}

// What a stage asks of the scheme; the same for all nodes.
struct NodeParts {
  bool fluxes = true, dissipation = true;
};

template <class T, int n>
struct NodeRates {
  Vec<T, n> flux, dissipation;  // sum_k D_k F_k, and the dissipation
};

// One direction of a scheme of order `order`.
template <int order, class T, class Scheme>
WM_HD void add_direction(NodeRates<T, Scheme::variables>& rates, int direction,
                         const NodeArrays<RealOf<T>>& arrays, const NodePoint& p,
                         const NodeOperators<RealOf<T>>& operators, const Scheme& scheme,
                         const NodeParts& parts) {
  using R = RealOf<T>;
  constexpr schemes::SchemeOrder made_of = schemes::scheme_order(order);
  const auto& table = operator_of<made_of.inner>(operators);
  const NodeLine<T, Scheme::variables> line = node_line<T, Scheme::variables>(arrays, p, direction);
  const int i = p.index[direction], n = p.block->n[direction];
  if (parts.fluxes) {
    if (scheme.two_point()) {
      // 2 sum_j D_ij F#(w_i, w_j), the form that a two-point flux conserves with.
      const auto w = line.state(0);
      const auto s = line.area(0);
      add_derivative(rates.flux, table, i, n, [&](int m) {
        auto f = scheme.flux(w, s, line.state(m), line.area(m));
        for (int v = 0; v < Scheme::variables; ++v) f[v] = R(2) * f[v];
        return f;
      });
    } else {
      add_derivative(rates.flux, table, i, n,
                     [&](int m) { return scheme.flux(line.state(m), line.area(m)); });
    }
  }
  if (parts.dissipation) {
    const auto d = scheme.template dissipation<made_of.difference>(
        line, i, n, R(1) / schemes::sbp_norm(table, i, n));
    WM_UNROLL
    for (int v = 0; v < Scheme::variables; ++v) rates.dissipation[v] = rates.dissipation[v] + d[v];
  }
}

// `fixed`: the order of all directions of all blocks, or 0: each has its own.
template <int fixed, class T, class Scheme>
WM_HD NodeRates<T, Scheme::variables> node_rates(const NodeArrays<RealOf<T>>& arrays,
                                                 const NodePoint& p,
                                                 const NodeOperators<RealOf<T>>& operators,
                                                 const Scheme& scheme, const NodeParts& parts) {
  using R = RealOf<T>;
  NodeRates<T, Scheme::variables> rates;
  for (int v = 0; v < Scheme::variables; ++v) rates.flux[v] = rates.dissipation[v] = T(R(0));
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int d = 0; d < 3; ++d) {
    const int order = p.block->order[d];
    if (order == 0) continue;
    if constexpr (fixed > 0) {
      add_direction<fixed>(rates, d, arrays, p, operators, scheme, parts);
      continue;
    }
    switch (order) {
      case 1:
        add_direction<1>(rates, d, arrays, p, operators, scheme, parts);
        break;
      case 2:
        add_direction<2>(rates, d, arrays, p, operators, scheme, parts);
        break;
      case 3:
        add_direction<3>(rates, d, arrays, p, operators, scheme, parts);
        break;
      case 4:
        add_direction<4>(rates, d, arrays, p, operators, scheme, parts);
        break;
      case 5:
        add_direction<5>(rates, d, arrays, p, operators, scheme, parts);
        break;
      default:
        add_direction<6>(rates, d, arrays, p, operators, scheme, parts);
        break;
    }
  }
  return rates;
}

// Right-hand side and epilogue of a node:
//   T epilogue(const NodePoint&, const NodeRates<T, variables>&, int lanes)
template <class R, class Scheme, class Epilogue, int fixed = 0>
struct NodeResidual {
  NodeArrays<R> arrays;
  NodeOperators<R> operators;
  Scheme scheme;
  NodeParts parts;
  Epilogue epilogue;

  template <class T>
  WM_HD NodeRates<T, Scheme::variables> rates(const NodePoint& p) const {
    return node_rates<fixed, T>(arrays, p, operators, scheme, parts);
  }
  template <class T>
  WM_HD T operator()(const NodePoint& p, const T*, int lanes) const {
    return epilogue(p, rates<T>(p), lanes);
  }
};

}  // namespace watersmeet::exec
