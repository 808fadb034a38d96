#pragma once
// The face form on a plane on the CPU: packs along x, tiles that march in y, OpenMP over tiles. Of
// a tile four rows of states lie in a buffer, converted once; the edges and records along y of a
// row wait for the next one:
//
//     states of the rows      j-1   j   j+1   j+2
//     edges along y                     j+1          with the record of the face below
//     row j closes                 ^    its edges along x looking at the rows j-1 and j+1
//
// What is done along a row is in exec/plane_row_cpu.hpp. Included by CPU instantiation files only,
// which are compiled without contraction.

#include <algorithm>
#include <cstdint>

#include "core/device.hpp"
#include "exec/back_end.hpp"
#include "exec/kernel_report.hpp"
#include "exec/plane_row_cpu.hpp"
#include "memory/buffer.hpp"

namespace watersmeet::exec {

// Cells and rows of a tile, at most; 0: chosen here.
struct PlaneTilesCpu {
  int i = 0, j = 0;
};

namespace detail {

template <class T, class Scheme>
class PlaneTileCpu {
 public:
  using R = RealOf<T>;
  PlaneTileCpu(const PlaneLaunchCpu<R, Scheme>& launch, int cells, R* buffer)
      : launch_(launch),
        pitch_(plane_pitch<T>(cells)),
        row_(std::int64_t{pitch_} * Scheme::states),
        edge_(std::int64_t{pitch_} * Scheme::edge_values),
        faces_(std::int64_t{pitch_} * values_of_faces),
        states_(buffer + plane_lead<T>),
        x_(states_ + 4 * row_),
        y_(x_ + faces_) {
    // Packs read a little past what is written.
    std::fill(buffer, buffer + elements(cells), R(1));
  }

  // Elements of the buffer.
  static std::int64_t elements(int cells) {
    return plane_pitch<T>(cells) * std::int64_t{4 * Scheme::states + 3 * values_of_faces};
  }

  // The cells i0 <= i < i1 of the rows j0 <= j < j1 of plane k.
  void run(int i0, int i1, int j0, int j1, int k) {
    i0_ = i0;
    k_ = k;
    count_ = i1 - i0;
    const bool has_y = launch_.scheme.active(1);
    if (has_y) {
      for (int j = j0 - 2; j <= j0; ++j) load(j);
      edges_y(j0 - 1);
      load(j0 + 1);
      edges_y(j0);
      records_y(j0);
    }
    for (int j = j0; j < j1; ++j) {
      load(has_y ? j + 2 : j);
      if (has_y) {
        edges_y(j + 1);
        records_y(j + 1);
      }
      close(j, has_y);
    }
  }

  T signal = R(0);  // largest, lane by lane, or NaN

 private:
  // Values kept for a row of cells: lower edges, upper edges, records of the faces below.
  static constexpr int values_of_faces = 2 * Scheme::edge_values + Scheme::records;

  R* states(int j) const { return states_ + (j & 3) * row_; }
  R* faces(int j) const { return y_ + (j & 1) * faces_; }

  void load(int j) { plane_state_row<T>(launch_, {i0_, j, k_}, count_, states(j), pitch_); }
  void edges_y(int j) {
    const R* const rows[3] = {states(j - 1), states(j), states(j + 1)};
    plane_edge_row<1, T>(launch_.scheme, rows, pitch_, 0, count_, faces(j), faces(j) + edge_);
  }
  void records_y(int j) {
    if constexpr (HasRims<Scheme>) {
      const bool upper = j == launch_.scheme.rim_face(1, true);
      if (upper || j == launch_.scheme.rim_face(1, false)) {
        plane_rim_row<T>(launch_.scheme, upper, pitch_, {i0_, j, k_}, count_, faces(j) + 2 * edge_);
        return;
      }
    }
    plane_record_row<1, T>(launch_.scheme, faces(j - 1) + edge_, faces(j), pitch_, {i0_, j, k_},
                           count_, launch_.dt, faces(j) + 2 * edge_);
  }
  // The first and the last record along x, where they lie on the rim.
  void take_rims_x(int j, R* records) const {
    const auto take = [&](bool upper, int at) {
      const Vec<R, Scheme::records> r = launch_.scheme.template rim<0, R>(upper, j, k_);
      for (int v = 0; v < Scheme::records; ++v) records[v * pitch_ + at] = r[v];
    };
    if (i0_ == launch_.scheme.rim_face(0, false)) take(false, 0);
    if (i0_ + count_ == launch_.scheme.rim_face(0, true)) take(true, count_);
  }

  void close(int j, bool has_y) {
    PlaneFaces<R> x, y;
    if (launch_.scheme.active(0)) {
      const R* const rows[3] = {states(has_y ? j - 1 : j), states(j), states(has_y ? j + 1 : j)};
      plane_edge_row<0, T>(launch_.scheme, rows, pitch_, -1, count_ + 1, x_, x_ + edge_);
      plane_record_row<0, T>(launch_.scheme, x_ + edge_ - 1, x_, pitch_, {i0_, j, k_}, count_ + 1,
                             launch_.dt, x_ + 2 * edge_);
      if constexpr (HasRims<Scheme>) take_rims_x(j, x_ + 2 * edge_);
      x = {x_ + 2 * edge_, x_ + 2 * edge_ + 1, x_, x_ + edge_};
    }
    if (has_y) {
      y = {faces(j) + 2 * edge_, faces(j + 1) + 2 * edge_, faces(j), faces(j) + edge_};
    }
    plane_close_row<T>(launch_, {i0_, j, k_}, count_, states(j), pitch_, x, y, signal);
  }

  const PlaneLaunchCpu<R, Scheme>& launch_;
  const int pitch_;
  const std::int64_t row_, edge_, faces_;  // elements: states of a row, its edges, all of its faces
  R *const states_, *const x_, *const y_;
  int i0_ = 0, k_ = 0, count_ = 0;
};

// Pieces of whole packs along x, so that no two tiles touch a pack; smaller ones where threads
// would have nothing to do.
template <class T>
PlaneTilesCpu fitted_plane_tiles(int cells, int rows, int planes, const PlaneTilesCpu& most,
                                 int threads) {
  const auto equal = [](int n, int largest) {
    const int pieces = (n + largest - 1) / largest;
    return (n + pieces - 1) / pieces;
  };
  PlaneTilesCpu t;
  t.i = whole_packs<T>(equal(cells, most.i > 0 ? most.i : 2048 / int(sizeof(RealOf<T>))));
  t.j = equal(rows, most.j > 0 ? most.j : 64);
  const auto tiles = [&] {
    return std::int64_t{(cells + t.i - 1) / t.i} * ((rows + t.j - 1) / t.j) * planes;
  };
  const std::int64_t wanted = threads > 1 ? 3 * std::int64_t{threads} : 1;
  while (t.j > 12 && tiles() < wanted) t.j = (t.j + 1) / 2;
  return t;
}

}  // namespace detail

// One fused stage over the box of `a`, `T` at a time: packs, or one cell after the other.
template <class T, class R, class Scheme>
void plane_stage_cpu_as(const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                        Clock* clock, int threads, const PlaneTilesCpu& most) {
  using Tile = detail::PlaneTileCpu<T, Scheme>;
  if (!clock->active) return;
  const int cells = a.upper[0] - a.lower[0], rows = a.upper[1] - a.lower[1];
  const int planes = a.upper[2] - a.lower[2];
  if (cells <= 0 || rows <= 0 || planes <= 0) return;
  const detail::PlaneLaunchCpu<R, Scheme> launch{a, update, scheme, R(clock->dt)};
  const PlaneTilesCpu size = detail::fitted_plane_tiles<T>(cells, rows, planes, most, threads);
  const int across = (cells + size.i - 1) / size.i, down = (rows + size.j - 1) / size.j;
  // A buffer of each thread, from page to page.
  const std::int64_t page = 4096 / static_cast<std::int64_t>(sizeof(R));
  const std::int64_t elements = (Tile::elements(size.i) + page - 1) / page * page;
  const memory::Buffer buffer(MemorySpace::host,
                              static_cast<std::size_t>(elements * threads) * sizeof(R));
  double largest = 0.0;
  int next = 0;
#pragma omp parallel num_threads(threads)
  {
    int mine = 0;
#pragma omp atomic capture
    mine = next++;
    Tile tile(launch, size.i, buffer.template as<R>() + mine * elements);
#pragma omp for collapse(3) schedule(dynamic)
    for (int k = a.lower[2]; k < a.upper[2]; ++k) {
      for (int tj = 0; tj < down; ++tj) {
        for (int ti = 0; ti < across; ++ti) {
          const int i = a.lower[0] + ti * size.i, j = a.lower[1] + tj * size.j;
          tile.run(i, std::min(i + size.i, a.upper[0]), j, std::min(j + size.j, a.upper[1]), k);
        }
      }
    }
#pragma omp critical
    for (int l = 0; l < Lanes<T>::count; ++l) {
      largest = max_or_nan(largest, double(Lanes<T>::one(tile.signal, l)));
    }
  }
  if (update.last) clock->signal_bits = std::max(clock->signal_bits, double_to_bits(largest));
}

template <class R, class Scheme>
void plane_stage(OnCpu, const CellArrays<R>& a, const StageUpdate<R>& update, const Scheme& scheme,
                 Clock* clock, const Queue& queue, const PlaneTilesCpu& most = {}) {
  plane_stage_cpu_as<Pack<R>>(a, update, scheme, clock, queue.threads, most);
}
template <class R, class Scheme>
KernelReport plane_report(OnCpu) {
  return {.name = "cpu"};
}

}  // namespace watersmeet::exec
