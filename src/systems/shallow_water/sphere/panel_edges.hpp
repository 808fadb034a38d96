#pragma once
// The edges of the panels of a cubed sphere, once a stage before the cells: one thread a face of
// the 12 edges. It fills the ghost cells on both sides, reconstructs both sides of the face, each
// in its own panel from its own cells and its one ghost, solves once, in the axes of the panel that
// owns the edge, and hands each panel the record in its own axes: the two take the same bits of
// mass.
//
//        panel that owns           | neighbour
//        inner   first line  ghost |
//          o ------ o ------ (o)   |          ghost: interpolated along the neighbour's first line
//                            (o) --+-- o ------ o
//                                  |
// Vectors pass from panel to panel as three components along the triad of a panel, and triads
// differ by a permutation and signs: nothing is rounded there. Every value read is that of an
// interior cell: where a rank has not all of them, from strips, copies of the two lines of cells
// along the sides of all panels that the ranks send each other. So each rank makes the records of
// its parts of panels by itself, with the bits of any other.

#include <cstdint>

#include "mesh/panel_part.hpp"
#include "systems/shallow_water/flow.hpp"

namespace watersmeet::shallow_water {

using mesh::BeyondSide, mesh::PanelLinks;

// Values of a strip: stored ones, and the bed.
constexpr int strip_values = n_variables + 1;

template <class R>
struct PanelEdges : PanelLinks {
  // Panels here: cell (0, 0, 0) of the first one, ghosts are written; beds null where flat at 0.
  R *cells = nullptr, *bed = nullptr;
  std::int64_t stride_j = 0, stride_k = 0, stride_var = 0;  // congruent
  R* strips = nullptr;                                      // or null where all cells are here
  // Interpolation along a line of cells: [1 + 4][n], the first cell and four weights.
  TableAddress<R> line;
  bool bed_alone = false;  // the ghosts of the bed are written, nothing else

  WM_HD mesh::StripLayout strip_layout() const { return {part.n, 1, strip_values}; }
  // Cell m along a side, in its first line or the one behind it; counted in the panel.
  WM_HD exec::PlanePlace place(int panel, int side, int layer, int m) const {
    const int across = side % 2 ? part.n - 1 - layer : layer, k = panel - part.first_panel;
    return side < 2 ? exec::PlanePlace{across, m, k} : exec::PlanePlace{m, across, k};
  }
  WM_HD std::int64_t element(const exec::PlanePlace& at) const {
    return (at.i - part.first[0]) + (at.j - part.first[1]) * stride_j + at.k * stride_k;
  }
  // An element of the strips from the cells here.
  WM_HD R strip_value(std::int32_t element_of_strips) const {
    const mesh::StripLayout::Place p = strip_layout().place(element_of_strips);
    const std::int64_t at = element(place(p.panel, p.side, p.layer, p.m));
    return p.value < n_variables ? cells[at + p.value * stride_var] : bed ? bed[at] : R(0);
  }
};

template <class R, Traits traits>
struct CouplePanels {
  using Flowing = Flow<R, traits>;
  Flowing flow;  // on whole panels
  PanelEdges<R> e;

  WM_HD int operator()(std::int64_t number) const {
    const int edge = int(number / e.part.n), m = int(number - std::int64_t(edge) * e.part.n);
    const int panel = e.owner[edge] / 4, side = e.owner[edge] % 4;
    const BeyondSide& beyond = e.beyond[4 * panel + side];
    const int m_there = beyond.reversed ? e.part.n - 1 - m : m;
    if (!e.part.wanted(panel, side, m) && !e.part.wanted(beyond.panel, beyond.side, m_there))
      return 0;
    const Primitive<R> ghost_here = ghost(panel, side, m);
    const Primitive<R> ghost_there = ghost(beyond.panel, beyond.side, m_there);
    store_ghost(panel, side, m, ghost_here);
    store_ghost(beyond.panel, beyond.side, m_there, ghost_there);
    if (e.bed_alone) return 0;
    const Edge mine = edge_of(panel, side, m, ghost_here);
    Edge other = edge_of(beyond.panel, beyond.side, m_there, ghost_there);

    const exec::PlanePlace at = face_place(panel, side, m);
    const exec::PlanePlace at_there = face_place(beyond.panel, beyond.side, m_there);
    const auto p = face_point(side, at), p_there = face_point(beyond.side, at_there);
    turn(beyond, p_there, p, other[w_u], other[w_v]);
    const bool upper = side % 2 == 1;
    const Edge &l = upper ? mine : other, &r = upper ? other : mine;
    const auto record = side < 2 ? flow.template flux<0, R>(l, r, R(0), at)
                                 : flow.template flux<1, R>(l, r, R(0), at);
    const R across_mine = record[upper ? r_below : r_above];
    const R along_mine = record[upper ? r_along : r_along_above];
    store_rim(panel, side, m, record[r_mass], across_mine, along_mine);

    // Momentum less the pressure of the other side, in its axes.
    const R across = record[upper ? r_above : r_below];
    const R along = record[upper ? r_along_above : r_along];
    R f1 = side < 2 ? across : along, f2 = side < 2 ? along : across;
    turn(e.beyond[4 * beyond.panel + beyond.side], p, p_there, f1, f2);
    const R way = R(beyond.same_way);
    store_rim(beyond.panel, beyond.side, m_there, way * record[r_mass],
              way * (beyond.side < 2 ? f1 : f2), way * (beyond.side < 2 ? f2 : f1));
    return 0;
  }

 private:
  using Edge = typename Flowing::template Edge<R>;

  WM_HD Primitive<R> cell(int panel, int side, int layer, int m) const {
    Conserved<R> stored;
    R bed = R(0);
    if (!e.strips) {
      const std::int64_t at = e.element(e.place(panel, side, layer, m));
      for (int v = 0; v < n_variables; ++v) stored[v] = e.cells[at + v * e.stride_var];
      if (e.bed) bed = e.bed[at];
    } else {
      const R* const from = e.strips + e.strip_layout().row(panel, side, layer, 0, 0);
      for (int v = 0; v < n_variables; ++v) stored[v] = from[v * e.part.n + m];
      bed = from[n_variables * e.part.n + m];
    }
    return flow.template state<R>(stored, bed);
  }

  WM_HD schemes::PanelPoint<R> centre(int i, int j) const {
    return flow.mesh.template centre<R>({i, j, 0});
  }

  // The components of a vector at the same point in the axes of the panel that `from` lies beyond.
  WM_HD void turn(const BeyondSide& from, const schemes::PanelPoint<R>& there,
                  const schemes::PanelPoint<R>& here, R& u, R& v) const {
    const auto c = schemes::panel_components(here, from.turned(schemes::panel_vector(there, u, v)));
    u = c[0];
    v = c[1];
  }
  // The first cell behind a side: surface, bed and the velocity as a vector, cubic along the
  // neighbour's first line. Written in differences, so that what is uniform stays so.
  WM_HD Primitive<R> ghost(int panel, int side, int m) const {
    const BeyondSide& from = e.beyond[4 * panel + side];
    constexpr int values = 5;  // eta, bed, the vector
    R sum[values] = {}, first[values] = {};
    for (int s = 0; s < 4; ++s) {
      const int along = int(e.line[m]) + s, there = from.reversed ? e.part.n - 1 - along : along;
      const Primitive<R> w = cell(from.panel, from.side, 0, there);
      const exec::PlanePlace at = e.place(from.panel, from.side, 0, there);
      const Vec<R, 3> vector = schemes::panel_vector(centre(at.i, at.j), w[w_u], w[w_v]);
      const R value[values] = {w[w_eta], w[w_bed], vector[0], vector[1], vector[2]};
      const R weight = e.line[(1 + s) * std::int64_t(e.part.n) + m];
      for (int v = 0; v < values; ++v) {
        if (s == 0) first[v] = value[v];
        sum[v] = sum[v] + weight * (value[v] - first[v]);
      }
    }
    for (int v = 0; v < values; ++v) sum[v] = first[v] + sum[v];
    const int behind = side % 2 ? e.part.n : -1;
    const auto here = side < 2 ? centre(behind, m) : centre(m, behind);
    const auto c =
        schemes::panel_components(here, from.turned(Vec<R, 3>{{sum[2], sum[3], sum[4]}}));
    return {{sum[0], c[0], c[1], sum[1]}};
  }

  // What the panel's first cell along a side has at the edge.
  WM_HD Edge edge_of(int panel, int side, int m, const Primitive<R>& ghost_cell) const {
    const bool upper = side % 2 == 1;
    const Primitive<R> own = cell(panel, side, 0, m), inner = cell(panel, side, 1, m);
    Primitive<R> below = own, above = own;  // beside it along the edge
    if (flow.transverse()) {
      below = beside(panel, side, m - 1);
      above = beside(panel, side, m + 1);
    }
    const auto window = [&](int v, int along, int across) {
      if (across != 0) return across < 0 ? below[v] : above[v];
      return along == 0 ? own[v] : (along > 0) == upper ? ghost_cell[v] : inner[v];
    };
    const auto edges =
        side < 2 ? flow.template edges<0, R>(window) : flow.template edges<1, R>(window);
    return upper ? edges.upper : edges.lower;
  }
  // A cell of the first line along a side; at its ends the ghost behind the next side.
  WM_HD Primitive<R> beside(int panel, int side, int m) const {
    if (m >= 0 && m < e.part.n) return cell(panel, side, 0, m);
    return ghost(panel, 2 * (1 - side / 2) + (m < 0 ? 0 : 1), side % 2 ? e.part.n - 1 : 0);
  }

  WM_HD exec::PlanePlace face_place(int panel, int side, int m) const {
    const int across = side % 2 ? e.part.n : 0, k = panel - e.part.first_panel;
    return side < 2 ? exec::PlanePlace{across, m, k} : exec::PlanePlace{m, across, k};
  }
  WM_HD schemes::PanelPoint<R> face_point(int side, const exec::PlanePlace& at) const {
    return side < 2 ? flow.mesh.template face<0, R>(at) : flow.mesh.template face<1, R>(at);
  }

  WM_HD void store_ghost(int panel, int side, int m, const Primitive<R>& w) const {
    if (!e.part.wanted(panel, side, m)) return;
    const std::int64_t at = e.element(e.place(panel, side, -1, m));
    if (e.bed_alone) {
      e.bed[at] = w[w_bed];
      return;
    }
    const Conserved<R> stored = conserved_of(w);
    for (int v = 0; v < n_variables; ++v) e.cells[at + v * e.stride_var] = stored[v];
  }
  WM_HD void store_rim(int panel, int side, int m, R mass, R across, R along) const {
    if (!e.part.wanted(panel, side, m)) return;
    const std::int64_t pitch = flow.mesh.rim_pitch;
    R* const rims = flow.mesh.rims;
    R* const to = rims + ((panel - e.part.first_panel) * 4 + side) * n_rim_values * pitch + m;
    to[rim_mass * pitch] = mass;
    to[rim_across * pitch] = across;
    to[rim_along * pitch] = along;
  }
};

}  // namespace watersmeet::shallow_water
