#pragma once
// The column schedule of the node form, for blocks in space of order 1 to 3: a thread block marches
// along k over a tile of columns, a thread a column.
//
//        halo    o  o  o  o         plane m: state, fluxes along i and j and radii in shared
//             o [.  .  .  .] o      memory; the flux along k stays with its thread, which hands it
//             o [.  .  .  .] o      on to the nodes m - r .. m + r of its column as they come by
//        halo    o  o  o  o
//
// So each node's state is read once and its flux along k computed once, along i and j as often as
// tiles have it in their halo. With D = band + rest, the band within `radius` of the diagonal and
// without its diagonal: coefficients of the band stand in tables, so that no thread branches for
// it, and the rest, two numbers of row 0 and one of row 3 of 4(2), is added where it is. A node's
// record (dissipation, schemes/sbp.hpp) is made once along k, and as often as it is used along i
// and j.
//
// The order of sums is its own, so that results differ from other schedules by round-off. A pass is
// one thread's work without a word of CUDA: tests run it on the CPU. It serves schemes with
// radius(state, area)  and  strength<q>(), the eps of their scalar dissipation.

#include "exec/node_column_plan.hpp"

namespace watersmeet::exec {

// D_(i, i + o) of n nodes.
template <class R, int inner>
WM_HD R derivative_entry(const schemes::Sbp<R, inner>& table, int i, int n, int o) {
  using Table = schemes::Sbp<R, inner>;
  const bool low = i < Table::rows, high = n - 1 - i < Table::rows;
  if (i + o < 0 || i + o > n - 1) return R(0);
  if (low || high) {
    const int row = low ? i : n - 1 - i, column = low ? i + o : n - 1 - i - o;
    if (column >= Table::columns) return R(0);
    return low ? table.closure[row][column] : -table.closure[row][column];
  }
  R entry = R(0);
  WM_UNROLL
  for (int m = 1; m <= Table::radius; ++m) {
    if (o == m) entry = table.central[m - 1];
    if (o == -m) entry = -table.central[m - 1];
  }
  return entry;
}

// What the band leaves of a row: the diagonal of row 0, and with it the entry three nodes away; of
// 4(2) also the latter in row 3. `far`: where it is, 0 in 2(1).
struct RestOfRow {
  bool any = false;
  int far = 0;
};
WM_HD RestOfRow rest_of_row(int inner, int i, int n) {
  const int high = n - 1 - i;
  if (inner == 2) return {i == 0 || high == 0, 0};
  if (i == 0 || high == 3) return {true, 3};
  if (high == 0 || i == 3) return {true, -3};
  return {};
}

// A thin direction among those of order 3 has order 2, whose derivative is 2(1) and whose
// dissipation is the same.
template <class R>
struct ColumnTables {
  schemes::Sbp<R, 2> two;
  schemes::Sbp<R, 4> four;

  WM_HD R entry(int inner, int i, int n, int o) const {
    return inner == 2 ? derivative_entry(two, i, n, o) : derivative_entry(four, i, n, o);
  }
  WM_HD R norm(int inner, int i, int n) const {
    return inner == 2 ? schemes::sbp_norm(two, i, n) : schemes::sbp_norm(four, i, n);
  }
};
template <class R>
ColumnTables<R> column_tables(const NodeOperators<R>& all) {
  return {all.two, all.four};
}

// With `radii` a pass also tells for each node the sum over the directions of the largest radius of
// the node and its two neighbours: what a step of its own is limited by.
template <class R, class Scheme, int order, bool radii = false>
struct ColumnPass {
  static constexpr int made_order = order;
  static constexpr bool tells_radii = radii;
  static constexpr schemes::SchemeOrder made_of = schemes::scheme_order(order);
  static constexpr int variables = Scheme::variables, q = made_of.difference;
  using Tables = ColumnTables<R>;
  using State = Vec<R, variables>;
  static constexpr int radius = made_of.inner / 2, halo = radius > q ? radius : q;
  static constexpr int band = 2 * radius;  // entries of a row: -radius .. -1, 1 .. radius
  static constexpr int threads = column_threads(order);
  static_assert(order <= highest_column_order && halo == column_halo(order));

  // Shared memory, arrays of column_places numbers: states of q + 1 planes, fluxes along i and j,
  // radii along i and j; then tables of band and eps/H along i, j and k.
  static constexpr int ring = q + 1;
  static constexpr int flux_array = ring * variables, radius_array = flux_array + 2 * variables;
  static constexpr int arrays_of_places = radius_array + 2;
  static constexpr int table_row = band + 1;
  WM_HD static constexpr int table_rows(int a) {
    return a < 2 ? longest_side : longest_run + 2 * halo;
  }
  WM_HD static constexpr int table_start(int a) {
    return arrays_of_places * column_places + table_row * longest_side * a;
  }
  static constexpr int shared_numbers = table_start(2) + table_row * table_rows(2);
  static constexpr std::size_t shared_bytes = sizeof(R) * std::size_t(shared_numbers);

  NodeArrays<R> arrays;
  Scheme scheme;
  NodeParts parts;

  // What a thread keeps. Node m - 1 - o is in place o of `flux` and `dissipation`.
  struct Thread {
    bool owner = false;  // of a column
    RestOfRow rest[2];   // along i and j
    int index[2] = {}, place = 0, tile[2] = {};
    int beside = -1, beside_direction = 0;   // place of a node in the halo, or -1
    std::int64_t node = 0, beside_node = 0;  // in plane 0
    State w;
    Vec<R, 3> area[3];
    State flux[halo], dissipation[halo];
    State past[radius];  // flux along k of planes m - 1, m - 2
    R radius_before;
    R radius_twice_before, largest[halo];  // of radii: of plane m - 2; sums, of node m - 1 - o
    R of_node;                             // of radii: of the node that advance() has finished
  };

  WM_HD static int first_plane(const NodeColumn& c) { return c.lower > halo ? c.lower - halo : 0; }
  WM_HD static int end_plane(const NodeColumn& c) { return c.upper + halo; }
  WM_HD static bool within(const NodeColumn& c, int m) { return m >= c.lower && m < c.upper; }

  // Place of a thread's nodes, tables, and zeros where nothing will be written.
  WM_HD void begin(Thread& t, const NodeColumn& c, const NodeBlock& block, const Tables& tables,
                   int thread, R* shared) const {
    const int own = c.size[0] * c.size[1], pitch = c.size[0] + 2 * halo;
    const std::int64_t row = block.n[0];
    t.owner = thread < own;
    t.tile[0] = thread % c.size[0];
    t.tile[1] = thread / c.size[0];
    for (int a = 0; a < 2; ++a) {
      t.index[a] = c.first[a] + t.tile[a];
      t.rest[a] = rest_of_row(inner_of(block, a), t.index[a], block.n[a]);
    }
    t.place = (t.tile[1] + halo) * pitch + t.tile[0] + halo;
    t.node = block.first + t.index[0] + row * t.index[1];
    // Threads without a column take nodes of the halo first.
    const int number = t.owner ? thread + threads - own : thread - own;
    const int along_i = 2 * halo * c.size[1], along_j = 2 * halo * c.size[0];
    t.beside = -1;
    if (number < along_i + along_j) {
      t.beside_direction = number < along_i ? 0 : 1;
      const int a = t.beside_direction, width = a == 0 ? 2 * halo : c.size[0];
      const int left = a == 0 ? number : number - along_i;
      int at[2];  // in the tile
      at[0] = left % width;
      at[1] = left / width;
      at[a] = at[a] < halo ? at[a] - halo : at[a] - halo + c.size[a];
      const int i = c.first[0] + at[0], j = c.first[1] + at[1];
      if (i >= 0 && i < block.n[0] && j >= 0 && j < block.n[1]) {
        t.beside = (at[1] + halo) * pitch + at[0] + halo;
        t.beside_node = block.first + i + row * j;
      }
    }
    t.radius_before = t.radius_twice_before = R(0);
    for (int o = 0; o < halo; ++o) t.largest[o] = R(0);
    WM_UNROLL
    for (int v = 0; v < variables; ++v) {
      WM_UNROLL
      for (int o = 0; o < halo; ++o) t.flux[o][v] = t.dissipation[o][v] = R(0);
      WM_UNROLL
      for (int o = 0; o < radius; ++o) t.past[o][v] = R(0);
    }
    for (int at = thread; at < arrays_of_places * column_places; at += threads) {
      shared[at] = R(0);
    }
    const R strength = scheme.template strength<q>();
    for (int a = 0; a < 3; ++a) {
      const int first = a < 2 ? c.first[a] : c.lower - halo;
      const int count = a < 2 ? c.size[a] : c.upper - c.lower + 2 * halo;
      R* const to = shared + table_start(a);
      for (int at = thread; at < count; at += threads) {
        const int i = first + at, n = block.n[a];
        if (i < 0 || i >= n) {
          for (int e = 0; e < table_row; ++e) to[e * table_rows(a) + at] = R(0);
          continue;
        }
        for (int e = 0; e < band; ++e) {
          to[e * table_rows(a) + at] =
              tables.entry(inner_of(block, a), i, n, e < radius ? e - radius : e - radius + 1);
        }
        to[band * table_rows(a) + at] = strength / tables.norm(inner_of(block, a), i, n);
      }
    }
  }

  // Plane m of the thread's column, before others have finished with the plane before.
  WM_HD void load(Thread& t, const NodeColumn& c, const NodeBlock& block, int m) const {
    if (m >= block.n[2]) return;
    const std::int64_t above = std::int64_t{block.n[0]} * block.n[1] * m;
    if (!t.owner) return;
    t.w = state_at(t.node + above);
    t.area[2] = area_at(2, t.node + above);
    if (within(c, m)) {
      t.area[0] = area_at(0, t.node + above);
      t.area[1] = area_at(1, t.node + above);
    }
  }

  // Shares plane m, and finishes node m - halo along k. Returns whether `rates` are those of a node
  // that belongs to the run.
  WM_HD bool advance(Thread& t, const NodeColumn& c, const NodeBlock& block, const Tables& tables,
                     int m, R* shared, NodeRates<R, variables>& rates) const {
    const bool exists = m < block.n[2];
    if (exists && within(c, m)) share(t, block, m, shared);
    if (!t.owner) return false;
    const R* const k_table = shared + table_start(2) - (c.lower - halo);
    const auto entry = [&](int node, int o) {
      return k_table[(o < 0 ? o + radius : o + radius - 1) * table_rows(2) + node];
    };
    const auto scale = [&](int node) { return k_table[band * table_rows(2) + node]; };
    State record, fresh;  // `fresh`: flux of node m from the planes before it
    WM_UNROLL
    for (int v = 0; v < variables; ++v) record[v] = fresh[v] = R(0);
    if (exists) {
      const State flux = scheme.flux(t.w, t.area[2]);
      WM_UNROLL
      for (int o = 1; o <= radius; ++o) {
        if (m - o >= first_plane(c)) add_scaled(t.flux[o - 1], entry(m - o, o), flux);
        add_scaled(fresh, entry(m, -o), t.past[o - 1]);
      }
      WM_UNROLL
      for (int o = radius - 1; o > 0; --o) t.past[o] = t.past[o - 1];
      t.past[0] = flux;
      if (parts.dissipation) {
        const R here = scheme.radius(t.w, t.area[2]);
        if (m - q >= first_plane(c)) {
          record_along_k(record, t, here, m, shared);
          if constexpr (q == 1) {
            add_scaled(t.dissipation[0], scale(m - 1), record);
          } else {
            add_scaled(t.dissipation[0], R(2) * scale(m - 1), record);
            add_scaled(t.dissipation[1], -scale(m - 2), record);
          }
        }
        keep(t.w, t.place, m, shared);
        if constexpr (radii) {
          t.largest[0] = t.largest[0] + max_(max_(t.radius_before, t.radius_twice_before), here);
          t.radius_twice_before = t.radius_before;
        }
        t.radius_before = here;
      }
    } else if constexpr (radii) {
      // Behind the last plane: of node m - 1 where that is the last one.
      if (m == block.n[2]) {
        t.largest[0] = t.largest[0] + max_(t.radius_before, t.radius_twice_before);
      }
    }
    const int node = m - halo;
    const bool done = within(c, node);
    if (done) {
      rates.flux = t.flux[halo - 1];
      rates.dissipation = t.dissipation[halo - 1];
      if constexpr (radii) t.of_node = t.largest[halo - 1];
      const RestOfRow rest = rest_of_row(inner_of(block, 2), node, block.n[2]);
      if (rest.any) add_rest_along_k(rates.flux, t, block, tables, node, rest.far);
    }
    WM_UNROLL
    for (int o = halo - 1; o > 0; --o) {
      t.flux[o] = t.flux[o - 1];
      t.dissipation[o] = t.dissipation[o - 1];
      t.largest[o] = t.largest[o - 1];
    }
    t.largest[0] = R(0);
    t.flux[0] = fresh;
    const R minus = exists ? -scale(m) : R(0);
    WM_UNROLL
    for (int v = 0; v < variables; ++v) t.dissipation[0][v] = minus * record[v];
    return done;
  }

  // What i and j add to node m, once all threads have shared theirs.
  WM_HD void add_plane(Thread& t, const NodeColumn& c, const NodeBlock& block, const Tables& tables,
                       int m, const R* shared) const {
    if (!t.owner || !within(c, m)) return;
    const int pitch = c.size[0] + 2 * halo;
    WM_UNROLL
    for (int a = 0; a < 2; ++a) {
      const int step = a == 0 ? 1 : pitch;
      const R* const own = shared + table_start(a) + t.tile[a];
      const R* const flux = shared + (flux_array + a * variables) * column_places + t.place;
      R entry[band];
      WM_UNROLL
      for (int e = 0; e < band; ++e) entry[e] = own[e * table_rows(a)];
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        WM_UNROLL
        for (int e = 0; e < band; ++e) {
          const int o = e < radius ? e - radius : e - radius + 1;
          t.flux[0][v] = fma_(entry[e], flux[v * column_places + o * step], t.flux[0][v]);
        }
      }
      if (t.rest[a].any) {
        const auto add = [&](int o) {
          const R e = tables.entry(inner_of(block, a), t.index[a], block.n[a], o);
          WM_UNROLL
          for (int v = 0; v < variables; ++v) {
            t.flux[0][v] = fma_(e, flux[v * column_places + o * step], t.flux[0][v]);
          }
        };
        add(0);
        if (radius > 1 && t.rest[a].far != 0) add(t.rest[a].far);
      }
      if (parts.dissipation)
        add_dissipation(t, block, a, step, own[band * table_rows(a)], m, shared);
    }
  }

 private:
  WM_HD static int inner_of(const NodeBlock& block, int a) {
    return made_of.inner == 2 || block.order[a] == 2 ? 2 : 4;
  }
  WM_HD State state_at(std::int64_t node) const {
    State w;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) w[v] = arrays.state[v * arrays.pitch + node];
    return w;
  }
  WM_HD Vec<R, 3> area_at(int direction, std::int64_t node) const {
    Vec<R, 3> s;
    WM_UNROLL
    for (int m = 0; m < 3; ++m) s[m] = arrays.area[(3 * direction + m) * arrays.pitch + node];
    return s;
  }
  WM_HD static R* states_of(R* shared, int m) {
    return shared + m % ring * variables * column_places;
  }

  WM_HD static void keep(const State& w, int place, int m, R* shared) {
    R* const to = states_of(shared, m) + place;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) to[v * column_places] = w[v];
  }
  WM_HD void share_along(int direction, int place, const State& w, const Vec<R, 3>& area,
                         R* shared) const {
    const State flux = scheme.flux(w, area);
    R* const to = shared + (flux_array + direction * variables) * column_places + place;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) to[v * column_places] = flux[v];
    if (parts.dissipation) {
      shared[(radius_array + direction) * column_places + place] = scheme.radius(w, area);
    }
  }
  // The node of the halo is read here: before, its numbers would take registers from others.
  WM_HD void share(const Thread& t, const NodeBlock& block, int m, R* shared) const {
    if (t.owner) {
      share_along(0, t.place, t.w, t.area[0], shared);
      share_along(1, t.place, t.w, t.area[1], shared);
    }
    if (t.beside < 0) return;
    const std::int64_t at = t.beside_node + std::int64_t{block.n[0]} * block.n[1] * m;
    const State w = state_at(at);
    share_along(t.beside_direction, t.beside, w, area_at(t.beside_direction, at), shared);
    if (parts.dissipation) keep(w, t.beside, m, shared);
  }

  // lambda d of the stencil whose last node is m; `here`: the radius there.
  WM_HD void record_along_k(State& record, const Thread& t, R here, int m, R* shared) const {
    const R* const before = states_of(shared, m + ring - 1) + t.place;
    if constexpr (q == 1) {
      const R lambda = R(0.5) * (t.radius_before + here);
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        record[v] = lambda * (t.w[v] - before[v * column_places]);
      }
    } else {
      const R* const first = states_of(shared, m + ring - 2) + t.place;
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        const R middle = before[v * column_places];
        record[v] = t.radius_before * ((t.w[v] - middle) - (middle - first[v * column_places]));
      }
    }
  }
  // At the ends of a column, whose fluxes are computed again.
  WM_HD void add_rest_along_k(State& sum, const Thread& t, const NodeBlock& block,
                              const Tables& tables, int node, int far) const {
    const std::int64_t plane = std::int64_t{block.n[0]} * block.n[1];
    const auto add = [&](int o) {
      const std::int64_t at = t.node + plane * (node + o);
      add_scaled(sum, tables.entry(inner_of(block, 2), node, block.n[2], o),
                 scheme.flux(state_at(at), area_at(2, at)));
    };
    add(0);
    if (radius > 1 && far != 0) add(far);
  }

  // Along i or j: stencils with node t.index, of which the complete ones count.
  WM_HD void add_dissipation(Thread& t, const NodeBlock& block, int a, int step, R scale, int m,
                             const R* shared) const {
    const R* const lambda = shared + (radius_array + a) * column_places + t.place;
    const R* const w = states_of(const_cast<R*>(shared), m) + t.place;
    if constexpr (radii) {  // zero where there is no neighbour
      t.largest[0] = t.largest[0] + max_(max_(lambda[-step], lambda[step]), lambda[0]);
    }
    const int i = t.index[a], n = block.n[a];
    if constexpr (q == 1) {
      const R below = i > 0 ? R(0.5) * scale * (lambda[-step] + lambda[0]) : R(0);
      const R above = i < n - 1 ? R(0.5) * scale * (lambda[0] + lambda[step]) : R(0);
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        const R* const at = w + v * column_places;
        R sum = fma_(-below, at[0] - at[-step], t.dissipation[0][v]);
        t.dissipation[0][v] = fma_(above, at[step] - at[0], sum);
      }
    } else {
      const R below = i > 1 ? -scale * lambda[-step] : R(0);
      const R middle = i > 0 && i < n - 1 ? R(2) * scale * lambda[0] : R(0);
      const R above = i < n - 2 ? -scale * lambda[step] : R(0);
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        const R* const at = w + v * column_places;
        const R lower = at[0] - at[-step], upper = at[step] - at[0];
        R sum = fma_(below, lower - (at[-step] - at[-2 * step]), t.dissipation[0][v]);
        sum = fma_(middle, upper - lower, sum);
        t.dissipation[0][v] = fma_(above, (at[2 * step] - at[step]) - upper, sum);
      }
    }
  }
};

}  // namespace watersmeet::exec
