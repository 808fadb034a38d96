#pragma once
// The marching schedule of the node form, for blocks of first order along all three directions, in
// which the derivative is 2(1) of schemes/sbp.hpp and the dissipation is scalar. A thread block has
// the columns of a tile of a block of nodes and goes up them a plane at a time:
//
//        . x x x x x .         o  own nodes of a plane, a thread each: state, three fluxes, three
//        x o o o o o x            radii, once
//        x o o o o o x         x  beside them, a thread each: flux and radius along the direction
//        . x x x x x .            that leads into the tile
//
// What neighbours in a plane need of each other goes through shared memory; along the columns flux
// and radius of the plane before stay with the thread. The next plane is on its way to shared
// memory meanwhile, so that nothing waits for a read. A column is in work for two planes: plane p
// gives its node there what comes from below and beside it, plane p + 1 the rest.
//
// Beyond the ends of a line stands the end itself. With H = 1/2 there and 1 elsewhere the rows are
//   D f = (f(+1) - f(-1)) / (2 H),   dissipation = (eps / H) (g(+1/2) - g(-1/2)),
//   g = max(lambda, lambda') (w' - w).
//
// A pass is one thread's work without any CUDA: tests run it on the CPU. It serves schemes
// with  values_of(state),  flux(values, area),  radius(values, area)  and  strength<1>().

#include <cstdint>

#include "exec/node_columns.hpp"

namespace watersmeet::exec {

// What a stage needs of the schedule: fluxes alone, dissipation with them, and the sums of the
// largest radii of nodes as well.
enum class MarchParts { fluxes, dissipation, radii };

// The same for all threads of a thread block while it has a tile; in shared memory.
struct MarchFrame {
  NodeBlock block;
  std::int32_t lower = 0, upper = 0;  // planes whose nodes are computed, upper - 1 the last
};

// One thread's part of the columns of a tile. For all planes p = lower - 1 .. upper, all threads
// together:
//   [own copies of plane p have arrived; plane p - 1 is not read any more]
//   advance(p), and the caller takes the rates of plane p - 1 where it says so
//   [all have written]
//   gather(p)
// after set_up() and fetch(lower - 1). Numbers that a thread copies to shared memory, or leaves
// there because it has no registers for them, are read by itself alone.
template <class R, class Scheme, MarchParts parts>
struct MarchPass {
  static constexpr int variables = Scheme::variables;
  static constexpr bool dissipates = parts != MarchParts::fluxes;
  static constexpr bool tells_radii = parts == MarchParts::radii;
  using State = Vec<R, variables>;
  using Area = Vec<R, 3>;

  // Shared memory. On their way: state and areas along k, i, j of own nodes; state and area of
  // nodes beside. For neighbours: flux and radius of own nodes along i, of nodes beside, of own
  // nodes along j; states of own nodes and of nodes beside. For the thread alone: flux along k of
  // the plane before, and its place.
  static constexpr int coming = variables + 9, coming_beside = variables + 3;
  static constexpr int beside_at = march_threads, along_j = beside_at + march_beside;
  static constexpr int pitch = along_j + march_threads, state_pitch = along_j;
  static constexpr int beside_words = coming * march_threads;
  static constexpr int record_words = beside_words + coming_beside * march_beside;
  static constexpr int state_words = record_words + (variables + (dissipates ? 1 : 0)) * pitch;
  static constexpr int below_words = state_words + (dissipates ? variables * state_pitch : 0);
  static constexpr int place_words = below_words + variables * march_threads;
  enum Place { own_node, node_beside, near_i, near_j, indices, face_column, places };
  static constexpr std::size_t shared_bytes =
      sizeof(R) * std::size_t(place_words) + sizeof(std::uint32_t) * places * march_threads;
  static constexpr std::uint32_t none = 0xffffffffu;

  const NodeArrays<R>& arrays;
  const Scheme& scheme;
  const MarchFrame& frame;
  R* shared;
  int thread;

  // The fluxes of the node in work; the radius of the plane before, whose state and flux are in shared
  // memory.
  State flux, dissipation;
  R radius_below = R(0), radii = R(0), radii_along = R(0);

  WM_HD MarchPass(const NodeArrays<R>& a, const Scheme& s, const MarchFrame& f, R* memory, int own)
      : arrays(a), scheme(s), frame(f), shared(memory), thread(own) {
    WM_UNROLL
    for (int v = 0; v < variables; ++v) flux[v] = dissipation[v] = R(0);
  }

  // Where the thread's columns are, from now on.
  WM_HD void set_up(const MarchTile& tile) {
    const NodeBlock& block = frame.block;
    const int w = tile.size[0], h = tile.size[1];
    const int row = thread / w, column = thread - row * w;
    const int i = tile.first[0] + column, j = tile.first[1] + row;
    const auto node_at = [&](int x, int y) {
      return static_cast<std::uint32_t>(block.first + x + std::int64_t{block.n[0]} * y) *
             static_cast<std::uint32_t>(sizeof(R));
    };
    // Beside the tile: below and above along j, then along i; from the last thread on, where the
    // ones without a node of their own are.
    const bool below_j = tile.first[1] > 0, above_j = tile.first[1] + h < block.n[1];
    const bool below_i = tile.first[0] > 0, above_i = tile.first[0] + w < block.n[0];
    const int at_above_j = below_j ? w : 0, at_below_i = at_above_j + (above_j ? w : 0);
    const int at_above_i = at_below_i + (below_i ? h : 0);
    const int number = march_threads - 1 - thread;
    std::uint32_t beside = none;
    if (number < at_above_j) {
      beside = node_at(tile.first[0] + number, tile.first[1] - 1);
    } else if (number < at_below_i) {
      beside = node_at(tile.first[0] + number - at_above_j, tile.first[1] + h);
    } else if (number < at_above_i) {
      beside = node_at(tile.first[0] - 1, tile.first[1] + number - at_below_i) | 1u;
    } else if (number < at_above_i + (above_i ? h : 0)) {
      beside = node_at(tile.first[0] + w, tile.first[1] + number - at_above_i) | 1u;
    }
    const int here = thread, here_j = along_j + thread;
    const auto both = [](int below, int above, bool end) {
      return static_cast<std::uint32_t>(below) | static_cast<std::uint32_t>(above) << 12 |
             (end ? 1u << 31 : 0u);
    };
    const auto is_end = [](int at, int n) { return at == 0 || at == n - 1; };
    place(own_node) = row < h ? node_at(i, j) : none;
    place(node_beside) = beside;
    place(near_i) = both(column > 0 ? here - 1
                         : below_i  ? beside_at + at_below_i + row
                                    : here,
                         column < w - 1 ? here + 1
                         : above_i      ? beside_at + at_above_i + row
                                        : here,
                         is_end(i, block.n[0]));
    place(near_j) = both(row > 0   ? here_j - w
                         : below_j ? beside_at + column
                                   : here_j,
                         row < h - 1 ? here_j + w
                         : above_j   ? beside_at + at_above_j + column
                                     : here_j,
                         is_end(j, block.n[1]));
    place(indices) = static_cast<std::uint32_t>(i) | static_cast<std::uint32_t>(j) << 16;
    place(face_column) =
        row < h && block.n[2] > 2 ? static_cast<std::uint32_t>(face_number(point(1))) : none;
  }

  WM_HD bool owns() const { return place(own_node) != none; }
  // Whether nodes of plane p are computed; the plane below them and the one above give flux and
  // radius along the columns alone.
  WM_HD bool whole(int p) const { return p >= frame.lower && p < frame.upper; }
  WM_HD NodePoint point(int p) const {
    NodePoint at;
    at.block = &frame.block;
    at.stride[1] = frame.block.n[0];
    at.stride[2] = std::int64_t{frame.block.n[0]} * frame.block.n[1];
    at.index[0] = static_cast<int>(place(indices) & 0xffffu);
    at.index[1] = static_cast<int>(place(indices) >> 16);
    at.index[2] = p;
    at.node = in_plane(place(own_node), p) / sizeof(R);
    return at;
  }

  // face_number() of the node of plane p, which grows by the same from plane to plane; -1 of planes
  // whose nodes are not computed.
  WM_HD int face_number_at(int p) const {
    if (!whole(p) || !owns()) return -1;
    if (p == 0 || p == frame.block.n[2] - 1) return face_number(point(p));
    const std::uint32_t column = place(face_column);
    if (column == none) return -1;
    return static_cast<int>(column) + (p - 1) * frame.block.side_nodes;
  }

  // copy(to, from) for what the thread needs of plane p; plane -1 stands for 0, and so above.
  template <class Copy>
  WM_HD void fetch(int p, const Copy& copy) const {
    fetch_own(p, copy);
    fetch_beside(p, copy);
  }

  // True where the rates of the node of plane p - 1 are complete. Fetches plane p + 1.
  template <class Copy>
  WM_HD bool advance(int p, const Copy& copy, NodeRates<R, variables>& rates, R& largest) {
    if (whole(p)) write_beside();
    if (p < frame.upper) fetch_beside(p + 1, copy);
    if (!owns()) return false;
    const R* const from = shared + thread;
    State w;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) w[v] = from[v * march_threads];
    const auto values = scheme.values_of(w);
    const Area area_k = own_area(0);
    const State f = scheme.flux(values, area_k);
    const R radius = dissipates ? scheme.radius(values, area_k) : R(0);
    State rise;  // of the state since the plane before
    if constexpr (dissipates) {
      R* const own = shared + state_words + thread;
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        rise[v] = w[v] - own[v * state_pitch];
        own[v * state_pitch] = w[v];
      }
    }
    if (whole(p)) {
      write_record(values, own_area(1), thread);
      write_record(values, own_area(2), along_j + thread);
    }
    if (p < frame.upper) fetch_own(p + 1, copy);
    // Between the plane before and this one, for both their nodes.
    const R before = half_norm_of(p - 1), now = half_norm_of(p);
    const R g = dissipates ? R(2) * scheme.template strength<1>() *
                                 schemes::middle_radius<1>(radius_below, radius)
                           : R(0);
    WM_UNROLL
    for (int v = 0; v < variables; ++v) {
      rates.flux[v] = fma_(before, f[v], flux[v]);
      R* const below = shared + below_words + v * march_threads + thread;
      flux[v] = -(now * *below);
      *below = f[v];
      rates.dissipation[v] = R(0);
      if constexpr (dissipates) {
        const R d = g * rise[v];
        rates.dissipation[v] = fma_(before, d, dissipation[v]);
        dissipation[v] = -(now * d);
      }
    }
    if constexpr (tells_radii) {
      largest = radii + max_(radii_along, radius);
      radii_along = max_(radius_below, radius);
    }
    if constexpr (dissipates) radius_below = radius;
    return p > frame.lower;
  }

  // What comes from the neighbours in the plane, and what else there is of fluxes.
  WM_HD void gather(int p, const State& more) {
    if (!whole(p) || !owns()) return;
    radii = R(0);
    WM_UNROLL
    for (int d = 0; d < 2; ++d) {
      const std::uint32_t near = place(d == 0 ? near_i : near_j);
      const int below = static_cast<int>(near & 0xfffu),
                above = static_cast<int>(near >> 12 & 0xfffu);
      const R weight = half_norm((near >> 31) != 0);
      const R* const record = shared + record_words;
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        flux[v] = fma_(weight, record[v * pitch + above] - record[v * pitch + below], flux[v]);
      }
      if constexpr (dissipates) {
        const R* const radius = record + variables * pitch;
        const R here = radius[d == 0 ? thread : along_j + thread];
        const R to_below = schemes::middle_radius<1>(here, radius[below]),
                to_above = schemes::middle_radius<1>(here, radius[above]);
        if constexpr (tells_radii) radii = radii + max_(to_below, to_above);
        const R scale = R(2) * weight * scheme.template strength<1>();
        const R minus = scale * to_below, plus = scale * to_above;
        const R* const state = shared + state_words;
        const int w_below = below < along_j ? below : below - along_j;
        const int w_above = above < along_j ? above : above - along_j;
        WM_UNROLL
        for (int v = 0; v < variables; ++v) {
          const R w = state[v * state_pitch + thread];
          const R inward = w - state[v * state_pitch + w_below];
          const R outward = state[v * state_pitch + w_above] - w;
          dissipation[v] = fma_(plus, outward, fma_(-minus, inward, dissipation[v]));
        }
      }
    }
    WM_UNROLL
    for (int v = 0; v < variables; ++v) flux[v] = flux[v] + more[v];
  }

 private:
  WM_HD std::uint32_t& place(Place which) const {
    return reinterpret_cast<std::uint32_t*>(shared + place_words)[which * march_threads + thread];
  }
  // 1 / (2 H)
  WM_HD static R half_norm(bool end) { return end ? R(1) : R(0.5); }
  WM_HD R half_norm_of(int p) const { return half_norm(p == 0 || p == frame.block.n[2] - 1); }
  // Number `row` of an array at a place in bytes.
  WM_HD const R* at(const R* array, int row, std::uint32_t offset) const {
    const auto row_bytes = static_cast<std::uint32_t>(arrays.pitch) * std::uint32_t{sizeof(R)};
    const char* const here = reinterpret_cast<const char*>(array) + offset;
    return reinterpret_cast<const R*>(here + std::uint64_t{row_bytes} * std::uint32_t(row));
  }
  // From the first number of a pool, in bytes.
  WM_HD std::uint32_t in_plane(std::uint32_t column, int p) const {
    const NodeBlock& b = frame.block;
    const int inside = p < 0 ? 0 : p > b.n[2] - 1 ? b.n[2] - 1 : p;
    const auto nodes = static_cast<std::uint32_t>(b.n[0]) * static_cast<std::uint32_t>(b.n[1]);
    return column + static_cast<std::uint32_t>(inside) * (nodes * std::uint32_t{sizeof(R)});
  }
  template <class Copy>
  WM_HD void fetch_own(int p, const Copy& copy) const {
    if (!owns()) return;
    const std::uint32_t here = in_plane(place(own_node), p);
    R* const to = shared + thread;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) copy(to + v * march_threads, at(arrays.state, v, here));
    WM_UNROLL
    for (int c = 0; c < 3; ++c) {
      copy(to + (variables + c) * march_threads, at(arrays.area, 6 + c, here));
    }
    if (!whole(p)) return;
    WM_UNROLL
    for (int c = 0; c < 6; ++c) {
      copy(to + (variables + 3 + c) * march_threads, at(arrays.area, c, here));
    }
  }
  template <class Copy>
  WM_HD void fetch_beside(int p, const Copy& copy) const {
    const std::uint32_t column = place(node_beside);
    if (column == none || !whole(p)) return;
    const bool along_i = (column & 1u) != 0;
    const std::uint32_t here = in_plane(column & ~1u, p);
    R* const to = shared + beside_words + march_threads - 1 - thread;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) copy(to + v * march_beside, at(arrays.state, v, here));
    WM_UNROLL
    for (int c = 0; c < 3; ++c) {
      copy(to + (variables + c) * march_beside, at(arrays.area, (along_i ? 0 : 3) + c, here));
    }
  }
  // Along k, i, j.
  WM_HD Area own_area(int number) const {
    Area s;
    WM_UNROLL
    for (int c = 0; c < 3; ++c) {
      s[c] = shared[(variables + 3 * number + c) * march_threads + thread];
    }
    return s;
  }
  template <class Values>
  WM_HD void write_record(const Values& values, const Area& area, int to_place) const {
    R* const to = shared + record_words + to_place;
    const State f = scheme.flux(values, area);
    WM_UNROLL
    for (int v = 0; v < variables; ++v) to[v * pitch] = f[v];
    if constexpr (dissipates) to[variables * pitch] = scheme.radius(values, area);
  }
  WM_HD void write_beside() const {
    if (place(node_beside) == none) return;
    const int number = march_threads - 1 - thread;
    const R* const from = shared + beside_words + number;
    State w;
    WM_UNROLL
    for (int v = 0; v < variables; ++v) w[v] = from[v * march_beside];
    Area area;
    WM_UNROLL
    for (int c = 0; c < 3; ++c) area[c] = from[(variables + c) * march_beside];
    write_record(scheme.values_of(w), area, beside_at + number);
    if constexpr (dissipates) {
      WM_UNROLL
      for (int v = 0; v < variables; ++v) {
        shared[state_words + v * state_pitch + beside_at + number] = w[v];
      }
    }
  }
};

}  // namespace watersmeet::exec
