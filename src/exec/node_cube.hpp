#pragma once
// The cube schedule of the node form, for blocks whose directions all have one order: a thread
// block has 8 x 8 x 8 nodes, and takes one direction after the other. First all threads compute
// what the nodes of the cube's lines have along the direction, `halo` nodes beyond the cube
// included, then every thread closes over the line of its node:
//
//        o o | o o o o o o o o | o o     state, flux and radius of each node of a line, once, in
//       halo |      cube       | halo    shared memory; 64 lines
//
// So a flux is computed 1.5 times with a halo of 2, where the direct schedule does it four times.
// Cubes at the upper end of a line begin 8 nodes before it and overlap the ones below; a node
// belongs to one of them. Closures need no node beyond the cube and its halo, because nodes of the
// upper closure belong to the cube at the end.
//
// A pass is one thread's work without any CUDA: tests run it on the CPU. It serves schemes
// with  radius(state, area)  and  add_dissipation<q>(sum, line, i, n, 1/H_i),  where line has
// radius(m),  component(v, m)  and, for a scheme with  reads_value,  value(m).

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/node.hpp"

namespace watersmeet::exec {

constexpr int cube_edge = 8;
constexpr int cube_lines = cube_edge * cube_edge;
constexpr int cube_threads = cube_edge * cube_lines;

struct NodeCube {
  std::int32_t block = 0;
  std::int32_t first[3] = {0, 0, 0};                        // node of thread 0
  std::int32_t lower[3] = {0, 0, 0}, upper[3] = {0, 0, 0};  // nodes that belong to the cube
};

// The cubes that cover the blocks of this order.
inline std::vector<NodeCube> node_cubes(std::span<const NodeBlock> blocks, int order) {
  struct Part {
    int first, lower, upper;
  };
  const int rows = end_rows(order);
  const auto parts_of = [&](int n) {
    std::vector<Part> parts;
    for (int lower = 0; lower < n;) {
      const bool end = lower + cube_edge >= n;
      const int first = end ? std::max(0, n - cube_edge) : lower;
      const int upper = end ? n : std::min(lower + cube_edge, n - rows);
      parts.push_back({first, lower, upper});
      lower = upper;
    }
    return parts;
  };
  std::vector<NodeCube> cubes;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const Part& k : parts_of(blocks[b].n[2])) {
      for (const Part& j : parts_of(blocks[b].n[1])) {
        for (const Part& i : parts_of(blocks[b].n[0])) {
          NodeCube c;
          c.block = static_cast<std::int32_t>(b);
          const Part* const parts[3] = {&i, &j, &k};
          for (int a = 0; a < 3; ++a) {
            c.first[a] = parts[a]->first;
            c.lower[a] = parts[a]->lower;
            c.upper[a] = parts[a]->upper;
          }
          cubes.push_back(c);
        }
      }
    }
  }
  return cubes;
}

// The line of a node in shared memory.
template <class R, int variables>
struct CubeLine {
  const R* here;  // component 0 of the state of the node
  int stride, pitch;

  WM_HD R component(int v, int m) const { return here[v * pitch + m * stride]; }
  WM_HD R flux(int v, int m) const { return here[(variables + v) * pitch + m * stride]; }
  WM_HD R radius(int m) const { return here[2 * variables * pitch + m * stride]; }
  WM_HD R value(int m) const { return here[(2 * variables + 1) * pitch + m * stride]; }
};

template <class R, class Scheme, int order>
struct CubePass {
  static constexpr schemes::SchemeOrder made_of = schemes::scheme_order(order);
  using Table = schemes::Sbp<R, made_of.inner>;
  static constexpr int variables = Scheme::variables;
  static constexpr int halo =
      Table::radius > made_of.difference ? Table::radius : made_of.difference;
  static constexpr int length = cube_edge + 2 * halo;
  // Numbers of a node of a line: state, flux, radius, and the scheme's own value. Lines of the
  // first direction lie 66 or 68 words apart, of the others 72, so that the threads of a warp meet
  // no bank twice.
  static constexpr int numbers = 2 * variables + 1 + (Scheme::reads_value ? 1 : 0);
  static constexpr int pitch = length * 72;
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(numbers * pitch);

  NodeArrays<R> arrays;
  Scheme scheme;
  NodeParts parts;

  WM_HD static int stride(int direction) { return direction > 0 ? 72 : sizeof(R) == 8 ? 66 : 68; }

  // The nodes of the lines along a direction that fall to a thread.
  WM_HD void load(const NodeBlock& block, const NodeCube& cube, int direction, int thread,
                  R* shared) const {
    const int a = direction == 0 ? 1 : 0, b = direction == 2 ? 1 : 2;  // across the lines
    for (int at = thread; at < length * cube_lines; at += cube_threads) {
      // Along i neighbouring threads take neighbours of a line, else neighbouring lines.
      const int place = direction == 0 ? at % length : at / cube_lines;
      const int line = direction == 0 ? at / length : at % cube_lines;
      int index[3];
      index[direction] = cube.first[direction] + place - halo;
      index[a] = cube.first[a] + line % cube_edge;
      index[b] = cube.first[b] + line / cube_edge;
      if (index[direction] < 0 || index[direction] >= block.n[direction]) continue;
      if (index[a] >= block.n[a] || index[b] >= block.n[b]) continue;
      const NodePoint p = node_point(&block, index[0], index[1], index[2]);
      const NodeLine<R, variables> from = node_line<R, variables>(arrays, p, direction);
      const auto w = from.state(0);
      const auto area = from.area(0);
      const auto flux = scheme.flux(w, area);
      R* const to = shared + place * stride(direction) + line;
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        to[v * pitch] = w[v];
        to[(variables + v) * pitch] = flux[v];
      }
      if (parts.dissipation) {
        to[2 * variables * pitch] = scheme.radius(w, area);
        if constexpr (Scheme::reads_value) to[(2 * variables + 1) * pitch] = from.value(0);
      }
    }
  }

  // Whether the node of a thread belongs to the cube; its indices.
  WM_HD static bool owns(const NodeCube& cube, int thread, int (&index)[3]) {
    index[0] = cube.first[0] + thread % cube_edge;
    index[1] = cube.first[1] + thread / cube_edge % cube_edge;
    index[2] = cube.first[2] + thread / cube_lines;
    bool owned = true;
    for (int d = 0; d < 3; ++d) {
      owned = owned && index[d] >= cube.lower[d] && index[d] < cube.upper[d];
    }
    return owned;
  }

  // What a direction adds to the rates of the thread's node.
  WM_HD void add(const NodeBlock& block, int direction, int thread, int i, const R* shared,
                 const Table& table, NodeRates<R, variables>& rates) const {
    const int within[3] = {thread % cube_edge, thread / cube_edge % cube_edge, thread / cube_lines};
    const int a = direction == 0 ? 1 : 0, b = direction == 2 ? 1 : 2;
    const int n = block.n[direction];
    const CubeLine<R, variables> line{
        shared + (within[direction] + halo) * stride(direction) + within[a] + cube_edge * within[b],
        stride(direction), pitch};
    WM_UNROLL
    for (int v = 0; v < variables; ++v) {
      Vec<R, 1> sum{{rates.flux[v]}};
      add_derivative(sum, table, i, n, [&](int m) { return Vec<R, 1>{{line.flux(v, m)}}; });
      rates.flux[v] = sum[0];
    }
    if (!parts.dissipation) return;
    const R inverse_norm = R(1) / schemes::sbp_norm(table, i, n);
    scheme.template add_dissipation<made_of.difference>(rates.dissipation, line, i, n,
                                                        inverse_norm);
  }
};

}  // namespace watersmeet::exec
