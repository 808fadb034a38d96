#pragma once
// The edges of the panels of a cubed sphere, once a stage before the cells: one thread a face of
// the 12 edges. It fills the ghost cells on both sides, level by level, reconstructs both sides of
// the face, each in its own panel from its own cells and its one ghost, solves once, in the axes of
// the panel that owns the edge, and hands each panel the record in its own axes: the two take the
// same bits of mass, of vertical momentum and of energy.
//
//        panel that owns           | neighbour
//        inner   first line  ghost |
//          o ------ o ------ (o)   |          ghost: interpolated along the neighbour's first line
//                            (o) --+-- o ------ o
//                                  |
//
// Every value read is that of an interior cell: where a rank has not all of them, from strips,
// copies of the lines of cells along the sides of panels that the ranks send each other
// (comm/panel_strips.hpp). So each rank makes the records of its own parts of panels by itself,
// with the bits of any other.

#include <cstdint>

#include "mesh/panel_part.hpp"
#include "systems/atmosphere/flow.hpp"

namespace watersmeet::atmosphere {

using mesh::BeyondSide, mesh::PanelLinks;

template <class R>
struct PanelEdges : PanelLinks {
  int levels = 1;
  R* cells = nullptr;  // the first cell here, ghosts are written
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;
  R* strips = nullptr;  // or null where the cells themselves are read
  // Interpolation along a line of cells: [1 + 4][n], the first cell and four weights.
  const R* line = nullptr;
  R* rims = nullptr;

  WM_HD mesh::StripLayout strip_layout() const { return {part.n, levels, n_variables}; }
  // The place of a cell of a panel in the arrays.
  WM_HD std::int64_t element(int panel, int level, int i, int j) const {
    return (i - part.first[0]) + (j - part.first[1]) * stride_j +
           ((panel - part.first_panel) * levels + level) * stride_k;
  }
  // An element of the strips from the cells here.
  WM_HD R strip_value(std::int32_t element_of_strips) const {
    const mesh::StripLayout::Place p = strip_layout().place(element_of_strips);
    const int across = p.side % 2 ? part.n - 1 - p.layer : p.layer;
    return cells[p.value * stride_var + (p.side < 2 ? element(p.panel, p.level, across, p.m)
                                                    : element(p.panel, p.level, p.m, across))];
  }
};

// Where all cells are here: a copy of the lines along sides into the strips, for loops that read
// many at once. Cells along x sides lie a row of memory apart, and CouplePanels asks for each of
// them up to six times. One thread a cell of the first line and the one behind it.
template <class R>
struct CopyLines {
  PanelEdges<R> e;

  WM_HD std::int64_t count() const { return std::int64_t{24} * e.levels * e.part.n; }
  // `number` counts [panel][side][level][m].
  WM_HD int operator()(std::int64_t number) const {
    const mesh::StripLayout strips = e.strip_layout();
    const int line = int(number) / strips.n, at = line / e.levels;  // far below 2^31
    const int m = int(number) - line * strips.n, level = line - at * e.levels;
    const int panel = at / 4, side = at % 4;
    for (int layer = 0; layer < strips.layers; ++layer) {
      const int across = side % 2 ? strips.n - 1 - layer : layer;
      const std::int64_t from =
          side < 2 ? e.element(panel, level, across, m) : e.element(panel, level, m, across);
      for (int v = 0; v < n_variables; ++v) {
        e.strips[strips.row(panel, side, layer, v, level) + m] = e.cells[from + v * e.stride_var];
      }
    }
    return 0;
  }
};

// `traits`: not split, sides of panels are the same in both; of the numerics with the transverse term
// or with none. With `always_strips` the cells themselves are never read.
template <class R, Traits traits, bool always_strips = false>
struct CouplePanels {
  // It waits for what it loads: more of that under way.
  static constexpr int blocks_at_once = 5;
  using Flowing = Flow<R, traits>;
  Flowing flow;  // counts cells from the first one of panel 0
  PanelEdges<R> e;

  WM_HD std::int64_t count() const {
    return std::int64_t{e.edges} * flow.p.mesh.levels * flow.p.mesh.n;
  }

  // `number` counts [edge][level][face].
  WM_HD int operator()(std::int64_t number) const {
    const auto& g = flow.p.mesh;
    const int line = int(number) / g.n, edge = line / g.levels;  // far below 2^31
    const int m = int(number) - line * g.n, level = line - edge * g.levels;
    const int panel = e.owner[edge] / 4, side = e.owner[edge] % 4;
    const BeyondSide& beyond = e.beyond[4 * panel + side];
    const int m_there = beyond.reversed ? g.n - 1 - m : m;
    if (!e.part.wanted(panel, side, m) && !e.part.wanted(beyond.panel, beyond.side, m_there)) {
      return 0;
    }
    const Line here{panel, side, level}, there{beyond.panel, beyond.side, level};
    const Primitive<R> ghost_here = ghost(here, m), ghost_there = ghost(there, m_there);
    store_ghost(here, m, ghost_here);
    store_ghost(there, m_there, ghost_there);
    const Primitive<R> mine = edge_of(here, m, ghost_here);
    Primitive<R> other = edge_of(there, m_there, ghost_there);

    const Place at = face_place(here, m), at_there = face_place(there, m_there);
    const auto p = face_point(side, at), p_there = face_point(beyond.side, at_there);
    turn(beyond, p_there, p, other[w_u], other[w_v]);
    const bool upper = side % 2 == 1;
    const Primitive<R>&l = upper ? mine : other, &r = upper ? other : mine;
    const auto record = side < 2 ? lateral_flux<0>(l, r, at) : lateral_flux<1>(l, r, at);
    const int axis = side / 2, below = r_below + axis, above = r_u + axis;
    const int along_below = r_below + 1 - axis, along_above = r_v - axis;
    const R across_mine = record[upper ? below : above];
    const R along_mine = record[upper ? along_below : along_above];
    store_rim(here, m, record[r_mass], across_mine, along_mine, record[r_w], record[r_energy]);

    // Momentum less the pressure of the other side, in its axes.
    const R across = record[upper ? above : below];
    const R along = record[upper ? along_above : along_below];
    R f1 = side < 2 ? across : along, f2 = side < 2 ? along : across;
    turn(e.beyond[4 * beyond.panel + beyond.side], p, p_there, f1, f2);
    const R way = R(beyond.same_way);
    store_rim(there, m_there, way * record[r_mass], way * (beyond.side < 2 ? f1 : f2),
              way * (beyond.side < 2 ? f2 : f1), way * record[r_w], way * record[r_energy]);
    return 0;
  }

 private:
  struct Line {  // of cells along a side
    int panel, side, level;
  };

  // Cell m along a side, in its first line, the one behind it, or (layer -1) beyond the side.
  WM_HD Place place(const Line& line, int layer, int m) const {
    const auto& g = flow.p.mesh;
    const int across = line.side % 2 ? g.n - 1 - layer : layer;
    const int k = line.panel * g.levels + line.level;
    return line.side < 2 ? Place{across, m, k} : Place{m, across, k};
  }
  WM_HD Place face_place(const Line& line, int m) const {
    const auto& g = flow.p.mesh;
    const int across = line.side % 2 ? g.n : 0, k = line.panel * g.levels + line.level;
    return line.side < 2 ? Place{across, m, k} : Place{m, across, k};
  }
  WM_HD schemes::PanelPoint<R> face_point(int side, Place at) const {
    const auto& g = flow.p.mesh;
    return side < 2 ? g.template face_metric<0, R>(at) : g.template face_metric<1, R>(at);
  }
  WM_HD Primitive<R> cell(const Line& line, int layer, int m) const {
    const Place at = place(line, layer, m);
    Conserved<R> stored;
    if (always_strips || e.strips) {
      const mesh::StripLayout strips = e.strip_layout();
      for (int v = 0; v < n_variables; ++v) {
        stored[v] = e.strips[strips.row(line.panel, line.side, layer, v, line.level) + m];
      }
    } else {
      const std::int64_t from = e.element(line.panel, line.level, at.i, at.j);
      for (int v = 0; v < n_variables; ++v) stored[v] = e.cells[from + v * e.stride_var];
    }
    return primitive_part(flow.template state<R>(stored, at));
  }
  template <int axis>
  WM_HD auto lateral_flux(const Primitive<R>& l, const Primitive<R>& r, Place at) const {
    const auto face = flow.p.mesh.template face<axis, R>(at, exec::NoColumn{});
    return flow.lateral_flux(face, l, r);
  }

  // The components of a vector at the same point in the axes of the panel that `from` lies beyond.
  WM_HD void turn(const BeyondSide& from, const schemes::PanelPoint<R>& there,
                  const schemes::PanelPoint<R>& here, R& u, R& v) const {
    const auto c = schemes::panel_components(here, from.turned(schemes::panel_vector(there, u, v)));
    u = c[0];
    v = c[1];
  }

  // The first cell behind a side: departures, w and the horizontal velocity as a vector, cubic
  // along the neighbour's first line. Written in differences, so that what is uniform stays so.
  WM_HD Primitive<R> ghost(const Line& line, int m) const {
    const auto& g = flow.p.mesh;
    const BeyondSide& from = e.beyond[4 * line.panel + line.side];
    const Line other{from.panel, from.side, line.level};
    constexpr int values = 6;
    R sum[values] = {}, first[values] = {};
    for (int s = 0; s < 4; ++s) {
      const int along = int(e.line[m]) + s;
      const int there = from.reversed ? g.n - 1 - along : along;
      const Place at = place(other, 0, there);
      const Primitive<R> w = cell(other, 0, there);
      const Vec<R, 3> vector = schemes::panel_vector(g.template metric<R>(at), w[w_u], w[w_v]);
      const R value[values] = {w[w_rho], w[w_w], w[w_p], vector[0], vector[1], vector[2]};
      const R weight = e.line[(1 + s) * std::int64_t(g.n) + m];
      for (int v = 0; v < values; ++v) {
        if (s == 0) first[v] = value[v];
        sum[v] = sum[v] + weight * (value[v] - first[v]);
      }
    }
    for (int v = 0; v < values; ++v) sum[v] = first[v] + sum[v];
    const auto c = schemes::panel_components(g.template metric<R>(place(line, -1, m)),
                                             from.turned(Vec<R, 3>{{sum[3], sum[4], sum[5]}}));
    return {{sum[0], c[0], c[1], sum[1], sum[2]}};
  }

  // Around a cell of the first line along a side; `others`: along the side, and across the levels.
  struct Window {
    const Primitive<R>&own, &inner, &ghost;
    bool upper;
    Primitive<R> others[2][2];
    WM_HD R operator()(int v, int along) const {
      return along == 0 ? own[v] : (along > 0) == upper ? ghost[v] : inner[v];
    }
    WM_HD R step(int v, int n, int m) const { return others[n][m < 0 ? 0 : 1][v] - own[v]; }
  };
  // A cell of the first line along a side; at its ends the ghost behind the next side.
  WM_HD Primitive<R> beside(const Line& line, int m) const {
    const int n = flow.p.mesh.n;
    if (m >= 0 && m < n) return cell(line, 0, m);
    const int next = 2 * (1 - line.side / 2) + (m < 0 ? 0 : 1);
    return ghost({line.panel, next, line.level}, line.side % 2 ? n - 1 : 0);
  }

  // What the panel's first cell along a side has at the edge.
  WM_HD Primitive<R> edge_of(const Line& line, int m, const Primitive<R>& ghost_cell) const {
    const bool upper = line.side % 2 == 1;
    const Place at = place(line, 0, m);
    const Primitive<R> own = cell(line, 0, m), inner = cell(line, 1, m);
    Window window{own, inner, ghost_cell, upper, {}};
    if constexpr (Flowing::across) {
      for (int n = 0; n < 2; ++n) {
        const int step = n == 0 ? -1 : 1, level = line.level + step;
        window.others[0][n] = beside(line, m + step);
        // Nothing is asked for beyond the ground and the lid.
        if (level >= 0 && level < flow.p.mesh.levels) {
          window.others[1][n] = cell({line.panel, line.side, level}, 0, m);
        }
      }
    }
    const auto edges = line.side < 2 ? flow.template edges<0, R>(window, at)
                                     : flow.template edges<1, R>(window, at);
    return primitive_part(upper ? edges.upper : edges.lower);
  }

  WM_HD void store_ghost(const Line& line, int m, const Primitive<R>& w) const {
    if (!e.part.wanted(line.panel, line.side, m)) return;
    const auto& g = flow.p.mesh;
    const Place at = place(line, -1, m);
    const Reference<R> r = g.template cell_reference<R>(g.table_place(at));
    const Conserved<R> stored = conserved_of(g.template metric<R>(at), w, r, flow.p.gamma);
    const std::int64_t to = e.element(line.panel, line.level, at.i, at.j);
    for (int v = 0; v < n_variables; ++v) e.cells[to + v * e.stride_var] = stored[v];
  }
  WM_HD void store_rim(const Line& line, int m, R mass, R across, R along, R w, R energy) const {
    if (!e.part.wanted(line.panel, line.side, m)) return;
    const R value[n_rim_values] = {mass, across, along, w, energy};
    const std::int64_t k = (line.panel - e.part.first_panel) * e.levels + line.level;
    const std::int64_t to = k * flow.p.mesh.rim_pitch + (m - e.part.first[1 - line.side / 2]);
    for (int v = 0; v < n_rim_values; ++v) {
      e.rims[(line.side * n_rim_values + v) * flow.p.mesh.rim_value + to] = value[v];
    }
  }
};

}  // namespace watersmeet::atmosphere
