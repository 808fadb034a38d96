#pragma once
// The face form on the CPU: packs along x, tiles of rows that march in z, OpenMP over tiles. The
// states of the planes k - 1 .. k + 3 of a tile lie in a buffer, converted once; edges and records
// are made row by row and handed on:
//
//   x      one row of edges, of the cells -1 .. n; one of records, whose ends are shared by
//          shifting
//   y, z   the upper edges and records of this row wait for the lower edges of the next, in y or z
//
// so that but for the rims of tiles nothing is computed twice. What is done along a row is in
// exec/face_row_cpu.hpp. Included by CPU instantiation files only, which are compiled without
// contraction.

#include <algorithm>
#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/face_row_cpu.hpp"
#include "exec/kernel_report.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::exec {

// Cells, rows and planes of a tile, at most; 0: chosen here. Tried on a Sapphire Rapids core with
// 128^3 cells: 128 cells by 8 to 16 rows are within 5 % of each other, 64 cells a tenth slower (the
// last pack of a row of edges is nearly empty).
struct FaceTilesCpu {
  int i = 0, j = 0, k = 64;
};

// What a thread's buffer may take of its second-level cache.
constexpr std::int64_t face_buffer_bytes = 1 << 20;

namespace detail {

// The largest of equal pieces of `cells`, none beyond `most`.
inline int equal_piece(int cells, int most) {
  const int pieces = (cells + most - 1) / most;
  return (cells + pieces - 1) / pieces;
}

template <class T, class Scheme, class Finish>
class FaceTileCpu {
 public:
  using R = RealOf<T>;
  FaceTileCpu(const FaceLaunchCpu<R, Scheme, Finish>& launch, const FaceTilesCpu& tiles, R* buffer)
      : launch_(launch), scheme_(launch.scheme), pitch_(face_pitch<T>(tiles.i)) {
    for (int axis = 0; axis < 3; ++axis) halo_[axis] = scheme_.active(axis) ? Scheme::radius : 0;
    row_ = std::int64_t{pitch_} * Scheme::states;
    plane_ = row_ * (tiles.j + 2 * halo_[1]);
    faces_ = std::int64_t{pitch_} * values_of_faces;
    states_ = buffer;
    x_ = states_ + plane_ * planes_of(scheme_);
    y_ = x_ + faces_;
    z_ = y_ + 2 * faces_;
    std::fill(x_, x_ + faces_, R(1));  // the pack of the last face reads one lane more
  }

  // Elements of the buffer.
  static std::int64_t elements(const Scheme& scheme, const FaceTilesCpu& tiles) {
    const std::int64_t rows = tiles.j + (scheme.active(1) ? 2 * Scheme::radius : 0);
    const std::int64_t face_rows = 3 + (scheme.active(2) ? tiles.j + 1 : 0);
    return face_pitch<T>(tiles.i) *
           (rows * planes_of(scheme) * Scheme::states + face_rows * values_of_faces);
  }

  // The cells lower <= (i, j, k) < upper.
  void run(const int (&lower)[3], const int (&upper)[3]) {
    std::copy(lower, lower + 3, lower_);
    std::copy(upper, upper + 3, upper_);
    count_ = upper[0] - lower[0];
    if (scheme_.active(2)) {
      for (int k = lower[2] - 3; k < lower[2] + 2; ++k) load_plane(k);
      for (int j = lower[1]; j < upper[1]; ++j) edges<2>(j, lower[2] - 1);
      load_plane(lower[2] + 2);
      for (int j = lower[1]; j < upper[1]; ++j) edges_and_records<2>(j, lower[2]);
    }
    for (int k = lower[2]; k < upper[2]; ++k) {
      load_plane(k + halo_[2]);
      if (scheme_.active(1)) {
        edges<1>(lower[1] - 1, k);
        edges_and_records<1>(lower[1], k);
      }
      for (int j = lower[1]; j < upper[1]; ++j) close(j, k);
    }
  }

  T signal = R(0);  // largest, lane by lane, or NaN
  std::int64_t fallbacks = 0;

 private:
  // Values kept for a row of cells: lower edges, upper edges, records of the faces below.
  static constexpr int values_of_faces = 2 * Scheme::states + Scheme::records;
  template <int axis>
  static constexpr int edge_axis = PlacedEdges<Scheme> ? axis : -1;
  static int planes_of(const Scheme& scheme) { return scheme.active(2) ? 5 : 1; }

  // States of cell (lower[0], j, k).
  R* states(int j, int k) const {
    const int slot = halo_[2] ? (k - lower_[2] + 5) % 5 : 0;
    return states_ + slot * plane_ + (j - lower_[1] + halo_[1]) * row_ + row_lead<T>;
  }
  // Faces of row (j, k) along an axis. Along y two rows alternate; along z a row takes the place of
  // its lower neighbour in the plane before, which has just been used.
  template <int axis>
  R* faces(int j, int k) const {
    if constexpr (axis == 1) return y_ + ((j - lower_[1]) & 1) * faces_;
    const int slots = upper_[1] - lower_[1] + 1;
    const int turn = (k - lower_[2] + 1) % slots;
    return z_ + (j - lower_[1] + slots - turn) % slots * faces_;
  }

  void load_plane(int k) {
    const bool own = k >= lower_[2] && k < upper_[2];
    const int rim = own || LooksAcross<Scheme> ? halo_[1] : 0;
    for (int j = lower_[1] - rim; j < upper_[1] + rim; ++j) {
      const bool inside = LooksAcross<Scheme> || (own && j >= lower_[1] && j < upper_[1]);
      convert_row<T>(launch_, lower_[0], j, k, inside ? halo_[0] : 0, count_, states(j, k), pitch_);
    }
  }

  // Neighbours across `axis` of the cell `shift` from the first one of row (j, k).
  template <int axis>
  RowsAcross<R> across(int j, int k, int shift) const {
    RowsAcross<R> others;
    if constexpr (LooksAcross<Scheme>) {
      int n = 0;
      const auto put = [&](int other, const R* below, const R* above) {
        if (other == axis) return;
        if (halo_[other]) {
          others.of[n][0] = below + shift;
          others.of[n][1] = above + shift;
        }
        ++n;
      };
      put(0, states(j, k) - 1, states(j, k) + 1);
      put(1, states(j - 1, k), states(j + 1, k));
      put(2, states(j, k - 1), states(j, k + 1));
    }
    return others;
  }

  template <int axis>
  void edges(int j, int k) {
    const R* rows[5];
    for (int m = -2; m <= 2; ++m) {
      rows[m + 2] = states(axis == 1 ? j + m : j, axis == 2 ? k + m : k);
    }
    const bool own = j >= lower_[1] && j < upper_[1] && k >= lower_[2] && k < upper_[2];
    R* const f = faces<axis>(j, k);
    fallbacks +=
        edge_row<edge_axis<axis>, T>(scheme_, rows, across<axis>(j, k, 0), pitch_, count_, 0,
                                     own ? count_ : 0, Place{lower_[0], j, k}, f, f + row_);
  }
  template <int axis>
  void edges_and_records(int j, int k) {
    edges<axis>(j, k);
    R* const f = faces<axis>(j, k);
    const R* const before = faces<axis>(axis == 1 ? j - 1 : j, axis == 2 ? k - 1 : k);
    record_row<axis, T>(scheme_, before + row_, f, pitch_, count_, Place{lower_[0], j, k},
                        f + 2 * row_);
  }

  void close(int j, int k) {
    RowFaces<R> along[3];
    if (scheme_.active(0)) {
      const R* rows[5];
      for (int m = 0; m < 5; ++m) rows[m] = states(j, k) + m - 3;
      fallbacks +=
          edge_row<edge_axis<0>, T>(scheme_, rows, across<0>(j, k, -1), pitch_, count_ + 2, 1,
                                    count_ + 1, Place{lower_[0] - 1, j, k}, x_, x_ + row_);
      record_row<0, T>(scheme_, x_ + row_, x_ + 1, pitch_, count_ + 1, Place{lower_[0], j, k},
                       x_ + 2 * row_);
      along[0] = {x_ + 2 * row_, x_ + 2 * row_ + 1, x_ + 1, x_ + row_ + 1};
    }
    if (scheme_.active(1)) {
      edges_and_records<1>(j + 1, k);
      const R* const f = faces<1>(j, k);
      along[1] = {f + 2 * row_, faces<1>(j + 1, k) + 2 * row_, f, f + row_};
    }
    if (scheme_.active(2)) {
      edges_and_records<2>(j, k + 1);
      const R* const f = faces<2>(j, k);
      along[2] = {f + 2 * row_, faces<2>(j, k + 1) + 2 * row_, f, f + row_};
    }
    close_row<T>(launch_, lower_[0], j, k, count_, states(j, k), pitch_, along, signal);
  }

  const FaceLaunchCpu<R, Scheme, Finish>& launch_;
  const Scheme& scheme_;
  const int pitch_;
  int halo_[3];
  std::int64_t row_, plane_, faces_;  // elements of a row of states, of a plane, of a row of faces
  R *states_, *x_, *y_, *z_;
  int lower_[3] = {0, 0, 0}, upper_[3] = {0, 0, 0}, count_ = 0;
};

// Pieces that fit the box and the cache; smaller ones where threads would have nothing to do. Along
// x whole packs, so that no two tiles touch a pack.
template <class T, class Scheme, class Finish>
FaceTilesCpu fitted_tiles(const CellArrays<RealOf<T>>& a, const Scheme& scheme,
                          const FaceTilesCpu& most, int threads) {
  using R = RealOf<T>;
  const int n[3] = {a.upper[0] - a.lower[0], a.upper[1] - a.lower[1], a.upper[2] - a.lower[2]};
  FaceTilesCpu t;
  t.i = round_to_packs<T>(
      equal_piece(n[0], most.i > 0 ? most.i : 1024 / static_cast<int>(sizeof(R))));
  t.j = most.j > 0 ? most.j : 16;
  const std::int64_t room = face_buffer_bytes / static_cast<std::int64_t>(sizeof(R));
  while (most.j == 0 && t.j > 4 && FaceTileCpu<T, Scheme, Finish>::elements(scheme, t) > room) {
    --t.j;
  }
  t.j = equal_piece(n[1], t.j);
  t.k = equal_piece(n[2], most.k);
  const auto tiles = [&] {
    return std::int64_t{(n[0] + t.i - 1) / t.i} * ((n[1] + t.j - 1) / t.j) *
           ((n[2] + t.k - 1) / t.k);
  };
  const std::int64_t wanted = threads > 1 ? 3 * std::int64_t{threads} : 1;
  while (t.k > 12 && tiles() < wanted) t.k = (t.k + 1) / 2;
  while (t.j > 6 && tiles() < wanted) t.j = (t.j + 1) / 2;
  return t;
}

}  // namespace detail

// One fused stage over the box of `a`, `T` at a time: packs, or one cell after the other. Ghosts
// behind the faces of the box must be valid three cells deep, those behind its edges are not read,
// but by schemes that look across, one cell deep.
template <class T, class R, class Scheme, class Finish>
void face_stage_cpu_as(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                       const Finish& finish, Clock* clock, int threads, const FaceTilesCpu& most) {
  using Tile = detail::FaceTileCpu<T, Scheme, Finish>;
  if (!clock->active) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (a.upper[axis] <= a.lower[axis]) return;
  }
  const detail::FaceLaunchCpu<R, Scheme, Finish> launch{a, update, scheme, finish, R(clock->dt)};
  const FaceTilesCpu tiles = detail::fitted_tiles<T, Scheme, Finish>(a, scheme, most, threads);
  const int size[3] = {tiles.i, tiles.j, tiles.k};
  int counts[3];
  for (int axis = 0; axis < 3; ++axis) {
    counts[axis] = (a.upper[axis] - a.lower[axis] + size[axis] - 1) / size[axis];
  }
  // A buffer of each thread, from page to page.
  const std::int64_t page = 4096 / static_cast<std::int64_t>(sizeof(R));
  const std::int64_t elements = (Tile::elements(scheme, tiles) + page - 1) / page * page;
  const memory::Buffer buffer(MemorySpace::host,
                              static_cast<std::size_t>(elements * threads) * sizeof(R));
  double largest = 0.0;
  std::int64_t fallbacks = 0;
  int next = 0;
#pragma omp parallel num_threads(threads)
  {
    int mine = 0;
#pragma omp atomic capture
    mine = next++;
    Tile tile(launch, tiles, buffer.template as<R>() + mine * elements);
#pragma omp for collapse(3) schedule(dynamic)
    for (int tk = 0; tk < counts[2]; ++tk) {
      for (int tj = 0; tj < counts[1]; ++tj) {
        for (int ti = 0; ti < counts[0]; ++ti) {
          const int place[3] = {ti, tj, tk};
          int lower[3], upper[3];
          for (int axis = 0; axis < 3; ++axis) {
            lower[axis] = a.lower[axis] + place[axis] * size[axis];
            upper[axis] = std::min(lower[axis] + size[axis], a.upper[axis]);
          }
          tile.run(lower, upper);
        }
      }
    }
#pragma omp critical
    {
      for (int l = 0; l < Lanes<T>::count; ++l) {
        largest = max_or_nan(largest, double(Lanes<T>::one(tile.signal, l)));
      }
      fallbacks += tile.fallbacks;
    }
  }
  clock->events += fallbacks;
  if (update.last) clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

template <class R, class Scheme, class Finish>
void face_stage(OnCpu, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                const Finish& finish, Clock* clock, const Queue& queue,
                const FaceTilesCpu& most = {}) {
  face_stage_cpu_as<Pack<R>>(a, update, scheme, finish, clock, queue.threads, most);
}

// Reports for the launches of a stage.
template <class R, class Scheme, class Finish>
std::vector<KernelReport> face_reports(OnCpu) {
  return {{.name = "cpu"}};
}

}  // namespace watersmeet::exec
